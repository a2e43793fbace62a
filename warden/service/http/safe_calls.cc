#include "warden/service/http/safe_calls.h"

#include <exception>

#include "warden/base/log.h"
#include "warden/service/http/response_head.h"

namespace warden::service {
namespace {

Response Failed(const std::exception& error) {
  LogError("a request could not be answered: {}", error.what());
  return TextResponse(500, "the service failed; its log says why");
}

}  // namespace

std::unique_ptr<Exchange> BeginSafely(Handler* handler, const RequestHead& head) {
  try {
    if (auto exchange = handler->Begin(head)) return exchange;
    return AnswerAtOnce(TextResponse(404, "nothing is here"));
  } catch (const std::exception& error) {
    return AnswerAtOnce(Failed(error));
  }
}

std::optional<bool> TakeSafely(Exchange* exchange, std::string_view piece) {
  try {
    return exchange->Take(piece);
  } catch (const std::exception& error) {
    LogError("the body of a request could not be taken: {}", error.what());
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

}  // namespace warden::service
