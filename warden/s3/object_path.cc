#include "warden/s3/object_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/text/utf8.h"

namespace warden::s3 {
namespace {

constexpr std::string_view kScheme = "s3://";
constexpr std::string_view kOurs = ".w-";
// Files that whoever writes them will rename; see storage/contract.h.
constexpr std::string_view kUnfinished = ".tmp";
// What stands before and behind a part that would mean something else as the name of a file.
constexpr char kMark = '%';
constexpr size_t kMaxPart = 255;   // What file systems take.
constexpr size_t kMaxPath = 4000;  // What the system takes, less what we put behind.

bool IsLetterOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool NeedsMark(std::string_view part) {
  return part.empty() || part == "." || part == ".." || part.front() == kMark ||
         part.starts_with(kOurs) || part.ends_with(kUnfinished);
}

void AppendSegment(std::string_view part, std::string* path) {
  *path += '/';
  if (!NeedsMark(part)) {
    *path += part;
    return;
  }
  *path += kMark;
  *path += part;
  *path += kMark;
}

// The part of a key that a file's name stands for.
std::optional<std::string_view> PartOfName(std::string_view name) {
  if (!name.starts_with(kMark)) {
    if (NeedsMark(name)) return std::nullopt;
    return name;
  }
  if (name.size() < 2 || !name.ends_with(kMark)) return std::nullopt;
  name.remove_prefix(1);
  name.remove_suffix(1);
  if (!NeedsMark(name)) return std::nullopt;
  return name;
}

// Calls use with each part between slashes until it says false.
template <class Use>
bool EachSegment(std::string_view text, Use use) {
  while (true) {
    const size_t slash = text.find('/');
    if (!use(text.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    text.remove_prefix(slash + 1);
  }
}

bool LooksLikeAddress(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return c == '.' || (c >= '0' && c <= '9'); }) &&
         std::count(name.begin(), name.end(), '.') == 3;
}

}  // namespace

bool IsBucketName(std::string_view name) {
  if (name.size() < 3 || name.size() > 63 || LooksLikeAddress(name)) return false;
  if (!IsLetterOrDigit(name.front()) || !IsLetterOrDigit(name.back())) return false;
  if (name.find("..") != std::string_view::npos) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return IsLetterOrDigit(c) || c == '-' || c == '.'; });
}

Result<ObjectName> ParseS3Uri(std::string_view uri) {
  if (!uri.starts_with(kScheme)) {
    return Status(Code::kInvalid,
                  fmt::format("invalid address '{}'; expected s3://BUCKET/KEY", uri));
  }
  const std::string_view rest = uri.substr(kScheme.size());
  const size_t slash = rest.find('/');
  const std::string_view bucket = rest.substr(0, slash);
  if (!IsBucketName(bucket)) {
    return Status(Code::kInvalid, fmt::format("invalid bucket name '{}' in '{}'; expected 3 to 63 "
                                              "lowercase letters, digits, '-' and '.'",
                                              bucket, uri));
  }
  const auto key = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  return ObjectName{std::string(bucket), std::string(key)};
}

Result<std::string> PathInBucket(std::string_view key) {
  if (key.size() > kMaxKey) {
    return Status(Code::kInvalid, fmt::format("the key is longer than {} bytes", kMaxKey));
  }
  if (key.find('\0') != std::string_view::npos || ValidUtf8(key) != key) {
    return Status(Code::kInvalid, "the key is not UTF-8 text");
  }
  std::string path;
  if (key.empty()) return path;
  size_t longest = 0;
  EachSegment(key, [&](std::string_view part) {
    const size_t before = path.size();
    AppendSegment(part, &path);
    longest = std::max(longest, path.size() - before - 1);
    return true;
  });
  if (longest > kMaxPart) {
    return Status(Code::kInvalid,
                  fmt::format("a part of the key between '/' is longer than {} bytes", kMaxPart));
  }
  return path.substr(1);
}

Result<std::string> PathOfObject(const std::string& objects, const ObjectName& name) {
  if (!IsBucketName(name.bucket)) {
    return Status(Code::kInvalid, fmt::format("invalid bucket name '{}'", name.bucket));
  }
  Result<std::string> rest = PathInBucket(name.key);
  if (!rest.ok()) return rest.status();
  std::string path = objects + "/" + name.bucket;
  if (!rest.value().empty()) path += "/" + rest.value();
  if (path.size() > kMaxPath) {
    return Status(Code::kInvalid, fmt::format("the key is too long to be stored in {}", objects));
  }
  return path;
}

std::optional<std::string> KeyOfPath(std::string_view path_in_bucket) {
  std::string key;
  const bool whole = EachSegment(path_in_bucket, [&](std::string_view name) {
    const std::optional<std::string_view> part = PartOfName(name);
    if (!part) return false;
    if (!key.empty() || name.data() != path_in_bucket.data()) key += '/';
    key += *part;
    return true;
  });
  if (!whole || ValidUtf8(key) != key) return std::nullopt;
  return key;
}

}  // namespace warden::s3
