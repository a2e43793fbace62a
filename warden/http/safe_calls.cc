#include "warden/http/safe_calls.h"

#include <exception>

#include "warden/base/log.h"
#include "warden/http/response_head.h"

namespace warden::http {
namespace {

Response Failed(const std::exception& error) {
  LogError("request failed: {}", error.what());
  return TextResponse(500, "internal error; see the service log");
}

}  // namespace

std::unique_ptr<Exchange> BeginSafely(Handler* handler, const RequestHead& head) {
  try {
    if (auto exchange = handler->Begin(head)) return exchange;
    return AnswerAtOnce(TextResponse(404, "not found"));
  } catch (const std::exception& error) {
    return AnswerAtOnce(Failed(error));
  }
}

std::optional<bool> TakeSafely(Exchange* exchange, std::string_view piece) {
  try {
    return exchange->Take(piece);
  } catch (const std::exception& error) {
    LogError("cannot read the body of a request: {}", error.what());
    return std::nullopt;
  }
}

Response AnswerSafely(Exchange* exchange) {
  try {
    return exchange->Answer();
  } catch (const std::exception& error) {
    return Failed(error);
  }
}

}  // namespace warden::http
