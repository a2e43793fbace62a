#ifndef WARDEN_JOBS_EVENTS_MAIL_TEXT_H_
#define WARDEN_JOBS_EVENTS_MAIL_TEXT_H_

// Events as people read them, without sending anything.

#include <string>
#include <vector>

#include "warden/base/json_fwd.h"

namespace warden::jobs {

// Whether an event is mailed to receivers that have no pattern: an incident has begun, a rule has
// failed, or a job has ended. Each of these is one event, not each later one that still shows it.
bool IsForPeople(const Json& event);

// What the event of a rule does not contain.
struct RuleNews {
  std::string name;                   // As the user configured it.
  std::vector<std::string> findings;  // Messages; the first five are shown.
};

// A mail in plain text, UTF-8.
struct MailText {
  std::string subject;  // One line.
  std::string body;     // Lines end with '\n'.
};

// Any event in plain words. Never fails: what is missing is left out; control characters become
// blanks.
//
//   Training job mnist-1: problem since step 12: loss is NaN
//   Training job mnist-1: rule VanishingGradient found problems
//   Training job mnist-1 completed
MailText MailTextOf(const Json& event, const RuleNews& news);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_MAIL_TEXT_H_
