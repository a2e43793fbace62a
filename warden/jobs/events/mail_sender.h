#ifndef WARDEN_JOBS_EVENTS_MAIL_SENDER_H_
#define WARDEN_JOBS_EVENTS_MAIL_SENDER_H_

#include <memory>
#include <string>

#include "warden/actions/settings.h"
#include "warden/jobs/events/receivers.h"

namespace warden::jobs {

// Mails the event in plain words to one address, with the event's id as the Message-ID. The store,
// which outlives it, and the folders of rules in data tell what events leave out. REQUIRES:
// IsEmailAddress, CheckSmtp.
std::unique_ptr<EventSender> NewMailSender(const actions::SmtpSettings& smtp, std::string address,
                                           std::string data, JobStore* store);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_MAIL_SENDER_H_
