#include "warden/storage/store.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>

#include "warden/storage/local_store.h"
#include "warden/storage/mem_store.h"

namespace warden::storage {
namespace {

constexpr std::string_view kFileScheme = "file://";

std::atomic<S3Opener> s3_opener = nullptr;

// "gs" for "gs://bucket"; empty for a path.
std::string_view SchemeOf(std::string_view url) {
  const size_t end = url.find("://");
  const std::string_view scheme = url.substr(0, end == url.npos ? 0 : end);
  return scheme.find('/') == scheme.npos ? scheme : std::string_view();
}

Result<std::string> ExpandHome(std::string_view path) {
  if (path != "~" && !path.starts_with("~/")) return std::string(path);
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') {
    return Status(Code::kInvalid, fmt::format("cannot resolve {}: HOME is not set", path));
  }
  return std::string(home).append(path.substr(1));
}

Result<std::unique_ptr<Store>> OpenLocal(std::string_view path) {
  if (path.empty() || path.find('\0') != path.npos) {
    return Status(Code::kInvalid, fmt::format("{:?} is not a folder path", path));
  }
  Result<std::string> root = ExpandHome(path);
  if (!root.ok()) return root.status();
  return NewLocalStore(std::move(root).value());
}

}  // namespace

Status Store::Put(std::string_view key, Bytes body) {
  auto writer = Create(key);
  if (!writer.ok()) return writer.status();
  if (Status status = writer.value()->Append(body); !status.ok()) return status;
  return writer.value()->Commit();
}

Result<Blob> Store::ReadAll(std::string_view key) const {
  auto object = Open(key);
  if (!object.ok()) return object.status();
  return object.value()->Read(0, object.value()->size());
}

std::vector<Result<Blob>> Store::ReadMany(std::span<const std::string> keys) const {
  std::vector<Result<Blob>> blobs;
  blobs.reserve(keys.size());
  for (const std::string& key : keys) blobs.push_back(ReadAll(key));
  return blobs;
}

Result<uint64_t> Store::BytesBelow(std::string_view prefix) const {
  const auto keys = List(prefix);
  if (!keys.ok()) return keys.status();
  uint64_t bytes = 0;
  for (const std::string& key : keys.value()) {
    if (const auto object = Open(key); object.ok()) bytes += object.value()->size();
  }
  return bytes;
}

void SetS3Opener(S3Opener opener) { s3_opener = opener; }

Result<std::unique_ptr<Store>> OpenStore(std::string_view url) {
  if (url.starts_with("mem:")) return NewMemStore();
  if (url.starts_with(kFileScheme)) return OpenLocal(url.substr(kFileScheme.size()));
  if (url.starts_with("s3:")) {
    if (const S3Opener opener = s3_opener) return opener(url);
    return Status(
        Code::kInvalid,
        fmt::format(
            "{}: S3 cannot be used here; use a local folder ('warden upload' copies a run to S3)",
            url));
  }
  if (const std::string_view scheme = SchemeOf(url); !scheme.empty()) {
    return Status(
        Code::kInvalid,
        fmt::format("{}: unknown store {:?}; expected one of: a local path, file://, s3://, mem:",
                    url, scheme));
  }
  return OpenLocal(url);
}

}  // namespace warden::storage
