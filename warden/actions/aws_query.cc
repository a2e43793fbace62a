#include "warden/actions/aws_query.h"

#include <fmt/format.h>

#include <iterator>

#include "warden/actions/http_post.h"
#include "warden/net/url.h"

namespace warden::actions {
namespace {

// RFC 3986: everything but letters, digits and "-._~" as %XX.
void AppendEscaped(std::string_view text, std::string* out) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      *out += c;
    } else {
      fmt::format_to(std::back_inserter(*out), "%{:02X}", static_cast<uint8_t>(c));
    }
  }
}

}  // namespace

std::string FormEncoded(const AwsParameters& parameters) {
  std::string form;
  for (const auto& [name, value] : parameters) {
    if (!form.empty()) form += '&';
    AppendEscaped(name, &form);
    form += '=';
    AppendEscaped(value, &form);
  }
  return form;
}

Status CheckAws(const AwsSettings& aws, const std::string& endpoint, std::string_view variable) {
  if (endpoint.empty()) {
    return Status(Code::kInvalid, fmt::format("no service endpoint configured; set {}", variable));
  }
  if (aws.access_key.empty() || aws.secret_key.empty()) {
    return Status(Code::kInvalid,
                  "no access keys configured; set AWS_ACCESS_KEY_ID and "
                  "AWS_SECRET_ACCESS_KEY");
  }
  return Status();
}

Attempt PostAwsQuery(const AwsSettings& aws, const std::string& service,
                     const std::string& endpoint, const AwsParameters& parameters,
                     const std::stop_token& stop) {
  HttpPost post;
  post.url = endpoint;
  post.body = FormEncoded(parameters);
  post.aws_service = service;
  post.aws = &aws;
  post.headers.emplace_back("Content-Type: application/x-www-form-urlencoded; charset=utf-8");
  if (!aws.session_token.empty()) {
    post.headers.push_back("X-Amz-Security-Token: " + aws.session_token.Reveal());
  }
  return Post(post, stop);
}

}  // namespace warden::actions
