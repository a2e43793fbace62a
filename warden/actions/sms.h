#ifndef WARDEN_ACTIONS_SMS_H_
#define WARDEN_ACTIONS_SMS_H_

#include <memory>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// A text message to one phone, sent by Amazon's SNS or a service with the same interface. Unlike
// the original it needs no topic and no subscription. kInvalid if the settings name no service or
// no keys; errors of Run as those of Post (http_post.h).
Result<std::unique_ptr<Action>> NewSms(SmsConfig config, AwsSettings aws);

// What is sent: the notice on one line, valid UTF-8, cut to 420 bytes, the length of three
// messages.
std::string SmsText(const Firing& firing);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_SMS_H_
