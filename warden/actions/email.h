#ifndef WARDEN_ACTIONS_EMAIL_H_
#define WARDEN_ACTIONS_EMAIL_H_

#include <memory>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// A mail by the SMTP server of the settings, with the subject and the first words of the
// original's: mail filters written for it work. A second attempt has the same Message-ID as the
// first, so that mailboxes can drop the copy.
//
// kInvalid if no server or sender is set, or if the password would go over a network in plain text.
// The server is not contacted before Run, whose errors are those of SendMail (smtp.h).
Result<std::unique_ptr<Action>> NewEmail(EmailConfig config, SmtpSettings smtp);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_EMAIL_H_
