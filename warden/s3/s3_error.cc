#include "warden/s3/s3_error.h"

#include <fmt/format.h>

#include <utility>

#include "warden/base/log.h"
#include "warden/net/xml.h"
#include "warden/s3/page_policy.h"

namespace warden::s3 {
namespace {

constexpr std::string_view kRequestId = "x-amz-request-id";

}  // namespace

http::Response XmlResponse(std::string document) {
  http::Response response;
  response.headers.emplace_back("Content-Type", "application/xml");
  // Not as a download: people read errors in browsers, and all text in it is escaped.
  AddSandbox(&response.headers);
  response.body = std::move(document);
  return response;
}

http::Response ErrorResponse(const S3Error& error, const http::RequestHead& head) {
  net::XmlWriter xml;
  xml.Open("Error")
      .Leaf("Code", error.code)
      .Leaf("Message", error.message)
      .Leaf("Resource", head.path)
      .Leaf("RequestId", head.id)
      .Close("Error");
  http::Response response = XmlResponse(head.method == "HEAD" ? "" : xml.text());
  response.status = error.http;
  return WithRequestId(std::move(response), head);
}

http::Response WithRequestId(http::Response response, const http::RequestHead& head) {
  for (const auto& header : response.headers) {
    if (header.first == kRequestId) return response;
  }
  response.headers.emplace_back(kRequestId, head.id);
  return response;
}

S3Error FromRefusal(const auth::Refusal& refusal) {
  struct Words {
    std::string_view code;
    int http;
    std::string_view ours;
  };
  constexpr Words kWords[] = {
      {"UnrecognizedClientException", 403, "InvalidAccessKeyId"},
      {"InvalidSignatureException", 403, "SignatureDoesNotMatch"},
      {"SignatureDoesNotMatch", 403, "SignatureDoesNotMatch"},
      {"RequestExpired", 403, "RequestTimeTooSkewed"},
      {"IncompleteSignatureException", 400, "AuthorizationHeaderMalformed"},
      {"ExpiredTokenException", 400, "ExpiredToken"},
  };
  for (const Words& words : kWords) {
    if (words.code == refusal.code) return {words.http, std::string(words.ours), refusal.message};
  }
  return {403, "AccessDenied", refusal.message.empty() ? "Access Denied" : refusal.message};
}

S3Error FromStatus(const Status& status) {
  switch (status.code()) {
    case Code::kNotFound: return {404, "NoSuchKey", "The specified key does not exist."};
    case Code::kExists: return {409, "InvalidRequest", status.message()};
    case Code::kInvalid: return InvalidArgument(status.message());
    case Code::kUnavailable: return {503, "ServiceUnavailable", status.message()};
    default:
      LogError("S3: {}", status.message());
      return {500, "InternalError", "We encountered an internal error. Please try again."};
  }
}

S3Error AccessDenied(const std::string& why) {
  return {403, "AccessDenied", why.empty() ? "Access Denied" : "Access Denied: " + why};
}

S3Error NoSuchBucket() { return {404, "NoSuchBucket", "The specified bucket does not exist"}; }

S3Error InvalidArgument(std::string message) {
  return {400, "InvalidArgument", std::move(message)};
}

S3Error MalformedXml(const Status& status) {
  return {400, "MalformedXML",
          fmt::format("The XML you provided was not well-formed or did not validate: {}.",
                      status.message())};
}

}  // namespace warden::s3
