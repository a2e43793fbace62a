#include "warden/actions/aws_query.h"

#include <fmt/format.h>

#include "warden/actions/http_post.h"
#include "warden/base/text/uri.h"
#include "warden/net/url.h"

namespace warden::actions {

std::string FormEncoded(const AwsParameters& parameters) {
  std::string form;
  for (const auto& [name, value] : parameters) {
    if (!form.empty()) form += '&';
    form += UriEncode(name, /*also_slash=*/true) + "=" + UriEncode(value, /*also_slash=*/true);
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
