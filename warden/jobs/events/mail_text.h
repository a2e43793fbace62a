#ifndef WARDEN_JOBS_EVENTS_MAIL_TEXT_H_
#define WARDEN_JOBS_EVENTS_MAIL_TEXT_H_

#include <string>
#include <vector>

#include "warden/base/json_fwd.h"

namespace warden::jobs {

// Whether people want to hear of an event who have not said which: a rule has found something or
// could not judge, or a job has come to its end. Each of these is one event, not each snapshot that
// still shows it.
bool IsForPeople(const Json& event);

// Of a rule, what its event does not tell.
struct RuleNews {
  std::string name;                   // As the user configured it.
  std::vector<std::string> findings;  // In words.
};

struct MailText {
  std::string subject;
  std::string body;
};

// Any event in plain words.
MailText MailTextOf(const Json& event, const RuleNews& news);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_MAIL_TEXT_H_
