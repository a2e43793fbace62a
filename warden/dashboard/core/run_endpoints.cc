#include "warden/dashboard/core/run_endpoints.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "warden/base/json.h"

namespace warden::dashboard {
namespace {

// Answers change as a run goes on, and are of nobody's business but the asker's.
http::Headers HeadersFor(std::string_view type) {
  return {{"Content-Type", std::string(type)},
          {"Cache-Control", "no-store"},
          {"X-Content-Type-Options", "nosniff"}};
}

int StatusFor(Code code) {
  switch (code) {
    case Code::kInvalid:
    case Code::kInvalidType:
    case Code::kInvalidWorker: return 400;
    case Code::kNotFound:
    case Code::kTensorUnavailable:
    case Code::kTensorUnavailableForStep:
    case Code::kShapeUnavailableForStep:
    case Code::kStepUnavailable:
    case Code::kStepNotYetAvailable:
    case Code::kNoMoreData: return 404;
    default: return 500;
  }
}

}  // namespace

std::string JsonText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

http::Response JsonAnswer(const Json& json) { return JsonTextAnswer(JsonText(json)); }

http::Response JsonTextAnswer(std::string text) {
  http::Response response;
  response.headers = HeadersFor("application/json");
  response.body = std::move(text);
  return response;
}

http::Response TaggedAnswer(const http::RequestHead& head, std::string text) {
  const std::string tag = fmt::format("\"{:x}-{:x}\"", std::hash<std::string>()(text), text.size());
  http::Response response;
  if (head.Header("if-none-match") == tag) {
    response = JsonTextAnswer("");
    response.status = 304;
  } else {
    response = JsonTextAnswer(std::move(text));
  }
  response.headers.emplace_back("ETag", tag);
  return response;
}

http::Response ColumnsAnswer(std::string columns) {
  http::Response response;
  response.headers = HeadersFor("application/x-warden-columns");
  response.body = std::move(columns);
  return response;
}

http::Response ErrorAnswer(const Status& error) {
  return ErrorAnswer(StatusFor(error.code()), error.message());
}

http::Response ErrorAnswer(int status, std::string_view message) {
  http::Response response = JsonAnswer(Json{{"message", message}});
  response.status = status;
  return response;
}

}  // namespace warden::dashboard
