// The input as a place that somebody names: a URL of the web or of a mail server, a folder of runs
// in S3, an object.

#include <algorithm>
#include <string>

#include "fuzz/check.h"
#include "warden/net/url.h"
#include "warden/s3/object_path.h"
#include "warden/storage/s3_location.h"

namespace warden::fuzz {
namespace {

constexpr std::string_view kSchemes[] = {"http", "https", "smtp", "smtps"};

// What is shown is a URL of the same host, and has nothing else of it.
void UseAsUrl(const std::string& text) {
  const auto url = net::ParseUrl(text, kSchemes);
  if (!url.ok()) {
    Check(url.status().code() == Code::kInvalid && net::ShownUrl(text) == "a URL");
    return;
  }
  Check(std::ranges::find(kSchemes, url.value().scheme) != std::end(kSchemes));
  Check(std::ranges::all_of(url.value().port, [](char c) { return c >= '0' && c <= '9'; }));
  const std::string shown = net::Shown(url.value());
  Check(net::ShownUrl(text) == shown);
  const auto again = net::ParseUrl(shown, kSchemes);
  Check(again.ok() && again.value().host == url.value().host && !again.value().has_user);
  Check(again.value().scheme == url.value().scheme && again.value().port == url.value().port);
  // A name that only begins like an address may lead anywhere.
  if (net::IsLoopback(url.value()) && url.value().host.starts_with("127")) {
    Check(url.value().host.find_first_not_of("0123456789.") == std::string::npos);
  }
}

void UseAsFolder(std::string_view text) {
  const auto location = storage::s3::ParseLocation(text);
  if (!location.ok()) {
    Check(location.status().code() == Code::kInvalid);
    return;
  }
  const auto& [bucket, prefix] = location.value();
  Check(!bucket.empty() && (prefix.empty() || prefix.ends_with('/')));
  Check(("/" + prefix).find("/../") == std::string::npos);
  const auto again = storage::s3::ParseLocation("s3://" + bucket + "/" + prefix);
  Check(again.ok() && again.value().bucket == bucket && again.value().prefix == prefix);
}

// Its path stays in the folder of its bucket.
void UseAsObject(std::string_view text) {
  const auto name = s3::ParseS3Uri(text);
  if (!name.ok()) {
    Check(name.status().code() == Code::kInvalid);
    return;
  }
  const auto& [bucket, key] = name.value();
  Check(s3::IsBucketName(bucket));
  Check(text.starts_with("s3://" + bucket) && text.ends_with(key));
  const auto path = s3::PathOfObject("objects", name.value());
  if (!path.ok()) return;
  Check((path.value() + "/").starts_with("objects/" + bucket + "/"));
  Check((path.value() + "/").find("/../") == std::string::npos);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  warden::fuzz::UseAsUrl(std::string(text));
  warden::fuzz::UseAsFolder(text);
  warden::fuzz::UseAsObject(text);
  return 0;
}
