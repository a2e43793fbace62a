#ifndef WARDEN_JOBS_EVENTS_MAIL_SENDER_H_
#define WARDEN_JOBS_EVENTS_MAIL_SENDER_H_

// Events by mail. Made by ReceiverReader for each address.

#include <memory>
#include <string>

#include "warden/actions/settings.h"
#include "warden/jobs/events/receivers.h"

namespace warden::jobs {

// Returns a sender that mails events in plain words to one address, with the event's id as the
// Message-ID, so that a repeated try can be recognized. What events leave out (findings) is read
// from the store, which is not owned and outlives it, and from the folders of rules in data
// (ServiceOptions::data). REQUIRES: IsEmailAddress(address), CheckSmtp(smtp).
std::unique_ptr<EventSender> NewMailSender(const actions::SmtpSettings& smtp, std::string address,
                                           std::string data, JobStore* store);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_MAIL_SENDER_H_
