#include "warden/actions/http_post.h"

#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/net/transfer.h"
#include "warden/net/url.h"

namespace warden::actions {
namespace {

constexpr size_t kShownBytes = 200;

// The answer as part of a message: on one line, nothing but text.
std::string Shown(const std::string& body) {
  if (Trim(body).empty()) return "";
  std::string text;
  AppendJsonString(Trim(body).substr(0, kShownBytes), &text);
  return ": " + text;
}

// Amazon says so with the code 400.
bool IsThrottled(const std::string& body) { return body.find("Throttl") != std::string::npos; }

}  // namespace

Attempt Post(const HttpPost& post, const std::stop_token& stop) {
  const std::string server = net::ShownUrl(post.url);
  net::Transfer transfer(post.url, "http,https");
  transfer.Set(CURLOPT_POST, 1L);
  transfer.Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(post.body.size()));
  transfer.Set(CURLOPT_POSTFIELDS, post.body.c_str());
  for (const std::string& header : post.headers) transfer.AddHeader(header);
  const std::string scope =
      post.aws == nullptr ? "" : fmt::format("aws:amz:{}:{}", post.aws->region, post.aws_service);
  if (post.aws != nullptr) {
    transfer.Set(CURLOPT_AWS_SIGV4, scope.c_str());
    transfer.Set(CURLOPT_USERNAME, post.aws->access_key.c_str());
    transfer.Set(CURLOPT_PASSWORD, post.aws->secret_key.Reveal().c_str());
  } else {
    // Or it waits, with a long body, for a permission to send that simple servers never give. A
    // signature would cover the header, though it is not sent; and signed bodies are short.
    transfer.AddHeader("Expect:");
  }
  if (Status status = transfer.Perform(stop); !status.ok()) return status.WithContext(server);
  const long code = transfer.response_code();
  if (code >= 200 && code < 300) return Status();
  const bool later = code == 429 || code >= 500 || IsThrottled(transfer.body());
  return {Status(later ? Code::kUnavailable : Code::kInvalid,
                 fmt::format("{} answered {}{}", server, code, Shown(transfer.body()))),
          std::chrono::seconds(transfer.retry_after())};
}

}  // namespace warden::actions
