#ifndef WARDEN_ACTIONS_WEBHOOK_H_
#define WARDEN_ACTIONS_WEBHOOK_H_

#include <memory>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// Posts the event as JSON (EventOf), with the headers
//   Idempotency-Key: <the event's id>, the same for each try
//   X-Warden-Signature: sha256=<HMAC-SHA256 of the body, in hexadecimal>, if there is a secret
// kInvalid if the configuration names a secret that is empty or not set, or a file that others may
// read; kNotFound or kIo if that file cannot be read. The server is not contacted before Run, whose
// errors are those of Post (http_post.h).
Result<std::unique_ptr<Action>> NewWebhook(WebhookConfig config, const Settings& settings);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_WEBHOOK_H_
