#ifndef WARDEN_WATCH_SUMMARY_INCIDENTS_H_
#define WARDEN_WATCH_SUMMARY_INCIDENTS_H_

// Findings with one cause, together: what went wrong first, and what followed from it. The console,
// mails and the API show incidents; single findings stay available.

#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/watch/summary/finding_groups.h"

namespace warden::watch {

// How bad an incident is. Names are stable: "problem", "warning".
enum class Severity : uint8_t {
  kProblem,  // Training does not do what it should: stop and fix it.
  kWarning,  // It works, but slower or worse than it could.
};
std::string_view SeverityName(Severity severity);

// A cause and its effects. Points into the reports it was made from.
struct Incident {
  Severity severity = Severity::kProblem;
  FindingGroup cause;
  std::vector<FindingGroup> effects;  // Earliest first; may be empty.
};

// Problems first, then those whose cause is most certain. A rule that observes the script explains
// what rules about tensors find from then on, and these explain what rules about losses find;
// findings that cannot explain each other, such as a slow data loader and a NaN, are different
// incidents.
std::vector<Incident> FindIncidents(const std::vector<rules::RuleReport>& reports);

// What is wrong, in one line: the message of the cause's first finding, with its tensor.
std::string HeadlineOf(const Incident& incident);

// [{"severity", "rule", "headline", "step", "last_step", "advice", "effects": [{"rule", "step",
// "findings"}]}]
Json ToJson(const std::vector<Incident>& incidents);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_SUMMARY_INCIDENTS_H_
