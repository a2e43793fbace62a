#ifndef WARDEN_SERVICE_HTTP_SAFE_CALLS_H_
#define WARDEN_SERVICE_HTTP_SAFE_CALLS_H_

#include <memory>
#include <optional>
#include <string_view>

#include "warden/service/http/message.h"

namespace warden::service {

// Handlers throw nothing, but the standard library may (no memory, say): that ends one request with
// a 500, and nothing else.
std::unique_ptr<Exchange> BeginSafely(Handler* handler, const RequestHead& head);
// Nothing: it failed, and must not be asked for its answer.
std::optional<bool> TakeSafely(Exchange* exchange, std::string_view piece);
Response AnswerSafely(Exchange* exchange);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_HTTP_SAFE_CALLS_H_
