#ifndef WARDEN_ACTIONS_SMTP_H_
#define WARDEN_ACTIONS_SMTP_H_

// Sends one mail by libcurl. Used by the email action and by the service's events for mail.

#include <stop_token>

#include "warden/actions/action.h"
#include "warden/actions/mail.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// kInvalid, with what to set, if no server or sender is set, or if the password would go over a
// network in plain text (the loopback address is allowed). Does not contact the server: call it at
// the start.
Status CheckSmtp(const SmtpSettings& smtp);

// Hands the mail, which is from smtp.from, to the server; tries once and blocks until it answers.
// kUnavailable: it may take it later (no connection, an answer of 4xx, or a stop); kInvalid: it
// never will (5xx, no encryption where it is required). Messages name the server, never the
// password. Safe for many threads. REQUIRES: CheckSmtp.
Attempt SendMail(const SmtpSettings& smtp, const Mail& mail, const std::stop_token& stop);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_SMTP_H_
