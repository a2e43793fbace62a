#include "warden/s3/object_meta.h"

#include <fmt/format.h>
#include <sys/xattr.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/base/text/utf8.h"
#include "warden/net/digest.h"
#include "warden/os/posix.h"

namespace warden::s3 {
namespace {

constexpr char kAttribute[] = "user.tensorwarden.object";
constexpr std::string_view kUserPrefix = "x-amz-meta-";
// S3's limit for x-amz-meta-*, and one for all that leaves room in a block of a file system.
constexpr size_t kMaxUserBytes = 2048;
constexpr size_t kMaxBytes = 3072;

constexpr std::string_view kKept[] = {"content-type",        "content-encoding", "content-language",
                                      "content-disposition", "cache-control",    "expires"};

// "gzip" of "aws-chunked,gzip": how the body travelled is not kept.
std::string WithoutChunked(std::string_view encodings) {
  std::string kept;
  for (const std::string& encoding : SplitTrimmed(encodings, ',')) {
    if (LowerAscii(encoding) == "aws-chunked") continue;
    if (!kept.empty()) kept += ",";
    kept += encoding;
  }
  return kept;
}

// Whether headers of that name are kept with an object: those that KeptHeaders returns, and
// checksums.
bool IsKept(std::string_view lower) {
  return lower.starts_with(kUserPrefix) || lower.starts_with("x-amz-checksum-") ||
         std::find(std::begin(kKept), std::end(kKept), lower) != std::end(kKept);
}

int64_t ChangedAt(const struct stat& info) {
  return info.st_mtim.tv_sec * int64_t{1'000'000'000} + info.st_mtim.tv_nsec;
}

std::string MadeUpEtag(const struct stat& info) {
  const std::string seed =
      fmt::format("{}/{}/{}/{}", info.st_dev, info.st_ino, info.st_size, ChangedAt(info));
  return net::Hex(net::Sha256(seed).substr(0, 16)) + "-1";
}

// The attribute's text as what it stands for, if it was written for the file as it is now.
bool Understand(std::string_view text, const struct stat& info, ObjectMeta* meta) {
  const Result<Json> json = ParseJson(text);
  if (!json.ok() || !json.value().is_object()) return false;
  const Json& all = json.value();
  const auto is = [&](const char* name, int64_t value) {
    const auto found = all.find(name);
    return found != all.end() && found->is_number_integer() && *found == value;
  };
  if (!is("size", info.st_size) || !is("changed", ChangedAt(info))) return false;
  const auto etag = all.find("etag");
  if (etag == all.end() || !etag->is_string()) return false;
  meta->etag = etag->get<std::string>();
  if (meta->etag.empty()) return false;
  const auto headers = all.find("headers");
  if (headers == all.end() || !headers->is_object()) return true;
  // Programs that can write to the file can write this too: no header that means more to a browser.
  for (const auto& [name, value] : headers->items()) {
    if (value.is_string() && IsKept(name)) {
      meta->headers.emplace_back(name, value.get<std::string>());
    }
  }
  return true;
}

// read(buffer, size) is one of the system's calls.
template <class Read>
ObjectMeta ReadWith(Read read, const struct stat& info) {
  std::array<char, 2 * kMaxBytes> buffer;
  const ssize_t size = read(buffer.data(), buffer.size());
  ObjectMeta meta;
  if (size > 0 && Understand({buffer.data(), static_cast<size_t>(size)}, info, &meta)) return meta;
  return {MadeUpEtag(info), {}};
}

}  // namespace

Result<http::Headers> KeptHeaders(const http::RequestHead& head) {
  http::Headers kept;
  size_t user_bytes = 0;
  size_t bytes = 0;
  for (const auto& [name, sent] : head.headers) {
    const std::string lower = LowerAscii(name);
    const bool user = lower.starts_with(kUserPrefix);
    if (!user && std::find(std::begin(kKept), std::end(kKept), lower) == std::end(kKept)) continue;
    // Clients send Latin-1 or UTF-8; what is kept is text.
    std::string value = ValidUtf8(sent);
    if (lower == "content-encoding") value = WithoutChunked(value);
    if (value.empty() && !user) continue;
    bytes += lower.size() + value.size();
    if (user) user_bytes += lower.size() - kUserPrefix.size() + value.size();
    kept.emplace_back(lower, std::move(value));
  }
  if (user_bytes > kMaxUserBytes || bytes > kMaxBytes) {
    return Status(Code::kInvalid, "Your metadata headers exceed the maximum allowed metadata size");
  }
  return kept;
}

Status WriteMeta(int fd, const ObjectMeta& meta) {
  struct stat info;
  if (fstat(fd, &info) != 0) return os::IoError("inspect", "an upload", errno);
  Json headers = Json::object();
  for (const auto& [name, value] : meta.headers) headers[name] = value;
  const Json all = {{"size", info.st_size},
                    {"changed", ChangedAt(info)},
                    {"etag", meta.etag},
                    {"headers", std::move(headers)}};
  const std::string text = all.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (fsetxattr(fd, kAttribute, text.data(), text.size(), 0) == 0) return Status();
  const std::string reason = os::ErrorText(errno);
  LogWarning(
      "the data folder does not support file attributes ({}): ETags are synthetic, and objects "
      "with custom headers are rejected",
      reason);
  const bool needed = std::any_of(meta.headers.begin(), meta.headers.end(), [](const auto& header) {
    return header.first.starts_with(kUserPrefix);
  });
  if (!needed) return Status();
  return Status(Code::kInvalid,
                fmt::format("cannot store x-amz-meta- headers in the data folder: {}", reason));
}

ObjectMeta ReadMeta(int fd, const struct stat& info) {
  return ReadWith(
      [fd](char* buffer, size_t size) { return fgetxattr(fd, kAttribute, buffer, size); }, info);
}

ObjectMeta ReadMetaAt(int folder, const std::string& name, const struct stat& info) {
  const std::string path = fmt::format("/proc/self/fd/{}/{}", folder, name);
  return ReadWith(
      [&](char* buffer, size_t size) { return lgetxattr(path.c_str(), kAttribute, buffer, size); },
      info);
}

}  // namespace warden::s3
