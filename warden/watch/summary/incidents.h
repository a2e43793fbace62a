#ifndef WARDEN_WATCH_SUMMARY_INCIDENTS_H_
#define WARDEN_WATCH_SUMMARY_INCIDENTS_H_

// Findings with one cause, together: what went wrong first, and what followed from it. The console,
// mails and the API show incidents; single findings stay available.

#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/rules/confidence.h"
#include "warden/rules/severity.h"
#include "warden/watch/summary/finding_groups.h"
#include "warden/watch/summary/machine_facts.h"
#include "warden/watch/summary/machine_log.h"

namespace warden::watch {

// A cause and its effects. Points into the reports it was made from.
struct Incident {
  rules::Severity severity = rules::Severity::kProblem;       // The worst of its findings.
  rules::Confidence confidence = rules::Confidence::kMedium;  // That of its cause.
  FindingGroup cause;
  std::vector<FindingGroup> effects;  // Earliest first; may be empty.
  // What the machine did when the cause began, which need not have to do with it; mostly nothing.
  std::vector<MachineFact> machine = {};

  // How many findings it has, those of its effects included.
  size_t findings() const;
  std::vector<FindingKey> keys() const;
};

// Problems first, then warnings, then notes; among these, those whose cause is most certain. A rule
// that observes the script explains what rules about tensors find from then on, and these explain
// what rules about losses find; findings that cannot explain each other, such as a slow data loader
// and a NaN, are different incidents.
// machine: to look up what happened at the same time as the worst 20 of them; null: only what the
// findings themselves know of it.
std::vector<Incident> FindIncidents(const std::vector<rules::RuleReport>& reports,
                                    MachineLog* machine = nullptr);

// The places that it went through, in order: "decoder.3 (step 51)", "decoder.4", "all gradients".
// As a rule has followed it, or else the tensors of the cause by the steps at which they went bad;
// empty if nothing is known but the first place.
std::vector<std::string> SpreadOf(const Incident& incident);

// What is wrong, in one line: the message of the cause's first finding, with its tensor.
std::string HeadlineOf(const Incident& incident);

// {"severity", "confidence", "rule", "headline", "since", "step", "last_step", "advice", "doc",
// "finding", "tensors", "findings", "effects": [{"rule", "since", "step", "finding", "tensors",
// "findings"}]} and, where they are known, "optimizer_step", "epoch", "spread" and "machine": a
// list of facts. "since" is for people, "finding" is the id of the first finding of the rule,
// "findings" counts those of all rules.
Json ToJson(const Incident& incident);
// A list of them.
Json ToJson(const std::vector<Incident>& incidents);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_SUMMARY_INCIDENTS_H_
