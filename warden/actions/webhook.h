#ifndef WARDEN_ACTIONS_WEBHOOK_H_
#define WARDEN_ACTIONS_WEBHOOK_H_

#include <memory>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// Posts the event as JSON, with the headers
//   Idempotency-Key: <the event's id>, the same for each try
//   X-Warden-Signature: sha256=<HMAC-SHA256 of the body, in hexadecimal>, if there is a secret
// kInvalid if the configuration names a secret that is not there or that others may read.
Result<std::unique_ptr<Action>> NewWebhook(WebhookConfig config, const Settings& settings);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_WEBHOOK_H_
