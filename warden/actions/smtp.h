#ifndef WARDEN_ACTIONS_SMTP_H_
#define WARDEN_ACTIONS_SMTP_H_

#include <stop_token>

#include "warden/actions/action.h"
#include "warden/actions/mail.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// kInvalid if no server or sender is set, or if the password would go over a network in plain text.
Status CheckSmtp(const SmtpSettings& smtp);

// Hands the mail, which is from smtp.from, to the server; tries once. kUnavailable: it may take it
// later; kInvalid: it never will. REQUIRES: CheckSmtp.
Attempt SendMail(const SmtpSettings& smtp, const Mail& mail, const std::stop_token& stop);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_SMTP_H_
