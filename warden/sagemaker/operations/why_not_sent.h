#ifndef WARDEN_SAGEMAKER_OPERATIONS_WHY_NOT_SENT_H_
#define WARDEN_SAGEMAKER_OPERATIONS_WHY_NOT_SENT_H_

// Whether the mail and text messages that a rule of a job asks for can be sent at all. A service
// without a mail server learns that only when a rule has fired, and tells it to its own log; the
// job's owner is to know before.

#include <string>

#include "warden/base/json_fwd.h"

namespace warden::sagemaker::operations {

// Why a mail or a text message of the rule's actions would not be sent: "email to a@b.com: no mail
// server configured; set WARDEN_SMTP_URL". Empty if all can be, or if it has none. configuration:
// one of DebugRuleConfigurations; actions_file: ServiceOptions::actions_file. Sends nothing.
std::string WhyNotSent(const Json& configuration, const std::string& actions_file);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_WHY_NOT_SENT_H_
