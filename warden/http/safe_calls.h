#ifndef WARDEN_HTTP_SAFE_CALLS_H_
#define WARDEN_HTTP_SAFE_CALLS_H_

#include <memory>
#include <optional>
#include <string_view>

#include "warden/http/message.h"

namespace warden::http {

// Handlers throw nothing, but the standard library may (no memory, say): that ends one request with
// a 500, and nothing else.
std::unique_ptr<Exchange> BeginSafely(Handler* handler, const RequestHead& head);
// Nothing: it failed, and must not be asked for its answer.
std::optional<bool> TakeSafely(Exchange* exchange, std::string_view piece);
Response AnswerSafely(Exchange* exchange);

}  // namespace warden::http

#endif  // WARDEN_HTTP_SAFE_CALLS_H_
