#include "warden/storage/s3_location.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/storage/contract.h"

namespace warden::storage::s3 {
namespace {

constexpr std::string_view kScheme = "s3://";

// Those of old buckets included. The name becomes part of a host name.
bool IsBucketLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-' || c == '_';
}

}  // namespace

Result<Location> ParseLocation(std::string_view url) {
  const std::string_view rest = url.substr(std::min(url.size(), kScheme.size()));
  const size_t slash = rest.find('/');
  Location location{std::string(rest.substr(0, slash)), ""};
  if (slash != rest.npos) location.prefix = rest.substr(slash + 1);
  if (!location.prefix.empty() && !location.prefix.ends_with('/')) location.prefix += '/';
  const bool good_bucket =
      url.starts_with(kScheme) && !location.bucket.empty() && location.bucket.size() <= 255 &&
      std::all_of(location.bucket.begin(), location.bucket.end(), IsBucketLetter);
  if (good_bucket && CheckPrefix(location.prefix).ok()) return location;
  return Status(Code::kInvalid,
                fmt::format("{:?} is not a place in S3; expected s3://bucket/folder", url));
}

}  // namespace warden::storage::s3
