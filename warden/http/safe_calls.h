#ifndef WARDEN_HTTP_SAFE_CALLS_H_
#define WARDEN_HTTP_SAFE_CALLS_H_

// The server's calls of handlers. Handlers do not throw on purpose, but the standard library may
// (out of memory, for example): such an exception ends one request with a 500, and the message goes
// to the log, not to the client. Used by the connections alone.

#include <memory>
#include <optional>
#include <string_view>

#include "warden/http/message.h"

namespace warden::http {

// Never null: a handler that returns null gets an exchange that answers 404, one that throws 500.
std::unique_ptr<Exchange> BeginSafely(Handler* handler, const RequestHead& head);
// As Exchange::Take. Nothing: it threw, and Answer must not be called.
std::optional<bool> TakeSafely(Exchange* exchange, std::string_view piece);
// As Exchange::Answer; a 500 if it threw.
Response AnswerSafely(Exchange* exchange);

}  // namespace warden::http

#endif  // WARDEN_HTTP_SAFE_CALLS_H_
