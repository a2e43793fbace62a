#include "warden/jobs/launch/objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "warden/jobs/launch/clean_path.h"
#include "warden/jobs/launch/copy_tree.h"
#include "warden/s3/object_path.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLocal = "file://";

// "a/b" of "a/b/c" and of "a/b/"; "" of "a".
std::string FolderOfKey(const std::string& key) {
  const size_t slash = key.rfind('/');
  return slash == std::string::npos ? "" : key.substr(0, slash);
}

// What is left of a key when its prefix is taken off: all behind it if that ends at a '/', else
// also the part that the prefix begins.
std::string NameBehind(const std::string& key, const std::string& prefix) {
  if (prefix.empty()) return key;
  if (prefix.ends_with('/')) return key.substr(prefix.size());
  if (key.size() > prefix.size() && key[prefix.size()] == '/') return key.substr(prefix.size() + 1);
  const std::string folder = FolderOfKey(prefix);
  return folder.empty() ? key : key.substr(folder.size() + 1);
}

Result<std::vector<GivenFile>> FilesOfBucket(const std::string& objects,
                                             const s3::ObjectName& name) {
  const auto bucket = s3::PathOfObject(objects, {name.bucket, ""});
  if (!bucket.ok()) return bucket.status();
  const auto start = s3::PathOfObject(objects, {name.bucket, FolderOfKey(name.key)});
  if (!start.ok()) return start.status();
  const size_t root = bucket.value().size();
  const std::string part = start.value().size() > root ? start.value().substr(root + 1) : "";
  auto files = FilesBelow(bucket.value(), part);
  if (!files.ok()) return files.status();
  std::vector<GivenFile> given;
  for (const std::string& file : files.value()) {
    const auto key = s3::KeyOfPath(file);
    // A key that ends in '/' stands for a folder where people look at buckets as if they had some.
    if (!key || !key->starts_with(name.key) || key->ends_with('/')) continue;
    const auto clean = CleanRelative(NameBehind(*key, name.key));
    if (!clean || clean->empty()) {
      return Status(
          Code::kInvalid,
          fmt::format("the name of object s3://{}/{} is not a valid file name", name.bucket, *key));
    }
    given.push_back({bucket.value(), file, *key, *clean});
  }
  return given;
}

// The service reads these files with rights that the job does not have: nothing of its own data
// folder may be among them, but for the buckets, which every job can have by their names.
Status CheckNotOurs(const std::string& path, const std::string& objects) {
  std::error_code error;
  const std::string real = fs::weakly_canonical(path, error).string();
  const std::string buckets = fs::weakly_canonical(objects, error).string();
  const std::string data = fs::path(buckets).parent_path();
  const bool ours = IsBelowOrSame(real, data) && !IsBelowOrSame(real, buckets);
  if (!ours && !IsBelowOrSame(data, real == "/" ? "" : real)) return Status();
  return Status(Code::kInvalid,
                fmt::format("cannot use {}: it is part of the data folder of the service or "
                            "contains it; expected an s3:// address or another folder",
                            path));
}

Result<std::vector<GivenFile>> FilesOnMachine(const std::string& path, const std::string& objects) {
  if (Status status = CheckNotOurs(path, objects); !status.ok()) return status;
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    const std::string own = fs::path(path).filename();
    return std::vector<GivenFile>{{fs::path(path).parent_path(), own, own, own}};
  }
  auto files = FilesBelow(path);
  if (!files.ok()) return files.status();
  std::vector<GivenFile> given;
  for (std::string& file : files.value()) given.push_back({path, file, file, file});
  return given;
}

}  // namespace

Result<std::vector<GivenFile>> FilesAt(const std::string& objects, const std::string& address) {
  const bool local = address.starts_with(kLocal) || address.starts_with('/');
  Result<std::vector<GivenFile>> files = std::vector<GivenFile>();
  if (local) {
    const std::string path = address.starts_with('/') ? address : address.substr(kLocal.size());
    if (!path.starts_with('/')) {
      return Status(Code::kInvalid,
                    fmt::format("invalid address '{}'; expected file:///PATH", address));
    }
    files = FilesOnMachine(path, objects);
  } else {
    const auto name = s3::ParseS3Uri(address);
    if (!name.ok()) return name.status();
    files = FilesOfBucket(objects, name.value());
  }
  if (!files.ok()) return files;
  if (files.value().empty()) {
    return Status(Code::kNotFound, fmt::format("nothing found at {}", address));
  }
  std::sort(files.value().begin(), files.value().end(),
            [](const GivenFile& a, const GivenFile& b) { return a.key < b.key; });
  return files;
}

}  // namespace warden::jobs
