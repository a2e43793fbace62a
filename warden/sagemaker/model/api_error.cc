#include "warden/sagemaker/model/api_error.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/net/xml.h"

namespace warden::sagemaker {
namespace {

// Their model spells the member "Message"; all other errors have "message".
constexpr std::string_view kModelled[] = {"ResourceNotFound", "ResourceInUse",
                                          "ResourceLimitExceeded", "ConflictException"};

http::Headers HeadersOf(const std::string& request_id) {
  return {{"x-amzn-RequestId", request_id}, {"Content-Type", "application/x-amz-json-1.1"}};
}

}  // namespace

ApiError ValidationError(std::string message) {
  return {"ValidationException", std::move(message), 400};
}

ApiError NotFoundError() { return ValidationError("Requested resource not found."); }

ApiError InternalError(const Status& status) {
  LogError("internal error in a request: {}: {}", CodeName(status.code()), status.message());
  if (status.code() == Code::kUnavailable) {
    return {"ServiceUnavailable", "The service is busy; try again.", 503};
  }
  return {"InternalFailure", "Internal error; see the service log.", 500};
}

http::Response ToResponse(const ApiError& error, const std::string& request_id) {
  Json body = {{"__type", error.code}, {"message", error.message}};
  if (std::ranges::find(kModelled, error.code) != std::end(kModelled)) {
    body["Message"] = error.message;
  }
  http::Response response;
  response.status = error.http;
  response.headers = HeadersOf(request_id);
  response.headers.emplace_back("x-amzn-ErrorType", error.code);
  response.body = DumpLikePython(body);
  return response;
}

http::Response ToFormResponse(const ApiError& error, const std::string& request_id) {
  net::XmlWriter xml;
  xml.Open("ErrorResponse").Open("Error").Leaf("Type", "Sender").Leaf("Code", error.code);
  xml.Leaf("Message", error.message).Close("Error").Leaf("RequestId", request_id);
  xml.Close("ErrorResponse");
  http::Response response;
  response.status = error.http;
  response.headers = {{"x-amzn-RequestId", request_id}, {"Content-Type", "text/xml"}};
  response.body = xml.text();
  return response;
}

http::Response ToResponse(const Json& answer, const std::string& request_id) {
  http::Response response;
  response.headers = HeadersOf(request_id);
  if (!answer.is_null()) response.body = DumpLikePython(answer);
  return response;
}

}  // namespace warden::sagemaker
