#include "warden/s3/object_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "warden/os/open_beneath.h"
#include "warden/s3/object_path.h"

namespace warden::s3 {

namespace {

// When a folder was made, as far as the file system knows.
Time BirthOf(int folder, const char* name) {
  struct statx info;
  if (statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME | STATX_CTIME, &info) != 0) return {};
  const statx_timestamp& time = (info.stx_mask & STATX_BTIME) ? info.stx_btime : info.stx_ctime;
  return TimeOf({time.tv_sec, time.tv_nsec});
}

Status InTheWay(const std::string& key) {
  return Status(Code::kExists, fmt::format("Cannot store key '{}': objects are files, so a key "
                                           "cannot also be a folder of other keys.",
                                           key));
}

// Renames the file to the name in the folder.
int Rename(const std::string& file, int folder, const std::string& name, bool only_new) {
  const int done = only_new
                       ? renameat2(AT_FDCWD, file.c_str(), folder, name.c_str(), RENAME_NOREPLACE)
                       : renameat(AT_FDCWD, file.c_str(), folder, name.c_str());
  return done == 0 ? 0 : errno;
}

bool IsFolder(int folder, const std::string& name) {
  struct stat info;
  return fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
}

}  // namespace

Time TimeOf(const struct timespec& time) {
  return Time(std::chrono::milliseconds(time.tv_sec * int64_t{1000} + time.tv_nsec / 1'000'000));
}

Result<std::vector<BucketInfo>> ObjectFiles::Buckets() const {
  std::vector<BucketInfo> buckets;
  const os::OpenedFolder dir(opendir(objects_.c_str()));
  if (dir == nullptr) {
    if (errno == ENOENT) return buckets;
    return os::IoError("read the folder", objects_, errno);
  }
  while (const dirent* entry = readdir(dir.get())) {
    if (!IsBucketName(entry->d_name) || !IsFolder(dirfd(dir.get()), entry->d_name)) continue;
    buckets.push_back({entry->d_name, BirthOf(dirfd(dir.get()), entry->d_name)});
  }
  std::sort(buckets.begin(), buckets.end(),
            [](const BucketInfo& a, const BucketInfo& b) { return a.name < b.name; });
  return buckets;
}

Status ObjectFiles::MakeBucket(const std::string& bucket) const {
  std::error_code error;
  std::filesystem::create_directories(objects_, error);
  if (error) return os::IoError("create the folder", objects_, error.value());
  const std::string path = objects_ + "/" + bucket;
  if (mkdir(path.c_str(), 0777) == 0) return Status();
  if (errno == EEXIST) return Status(Code::kExists, fmt::format("'{}' already exists", bucket));
  return os::IoError("create the folder", path, errno);
}

Status ObjectFiles::RemoveBucket(const std::string& bucket) const {
  const Result<os::UniqueFd> found = OpenBucket(bucket);
  if (!found.ok()) return found.status();
  const os::UniqueFd all(open(objects_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!all.ok()) return os::IoError("open", objects_, errno);
  if (os::RemoveEmptyFolders(all.get(), bucket)) return Status();
  return Status(Code::kExists, fmt::format("'{}' is not empty", bucket));
}

Result<os::UniqueFd> ObjectFiles::OpenBucket(const std::string& bucket) const {
  const std::string path = objects_ + "/" + bucket;
  os::UniqueFd fd(open(path.c_str(), os::kFolderFlags));
  if (fd.ok()) return fd;
  if (os::IsAbsence(errno) || errno == ELOOP) {
    return Status(Code::kNotFound, fmt::format("no bucket '{}'", bucket));
  }
  return os::IoError("open", path, errno);
}

Result<StoredObject> ObjectFiles::Open(const std::string& bucket, const std::string& key) const {
  const Result<os::UniqueFd> folder = OpenBucket(bucket);
  if (!folder.ok()) return folder.status();
  const Result<std::string> path = PathInBucket(key);
  if (!path.ok()) return path.status();
  Result<os::UniqueFd> file = os::OpenFileBeneath(folder.value().get(), path.value());
  if (!file.ok()) return file.status();
  struct stat info;
  if (fstat(file.value().get(), &info) != 0) return os::IoError("inspect", path.value(), errno);
  StoredObject object;
  object.size = static_cast<uint64_t>(info.st_size);
  object.modified = TimeOf(info.st_mtim);
  object.meta = ReadMeta(file.value().get(), info);
  object.file = std::make_shared<const os::UniqueFd>(std::move(file).value());
  return object;
}

Status ObjectFiles::Place(const std::string& file, const std::string& bucket,
                          const std::string& key, bool only_new) const {
  const Result<os::UniqueFd> folder = OpenBucket(bucket);
  if (!folder.ok()) return folder.status();
  const Result<std::string> path = PathInBucket(key);
  if (!path.ok()) return path.status();
  const auto [parent, last] = os::SplitLast(path.value());
  const std::string name(last);
  const Result<os::UniqueFd> in = os::MakeFolderBeneath(folder.value().get(), parent);
  if (!in.ok()) return in.status().code() == Code::kExists ? InTheWay(key) : in.status();
  int error = Rename(file, in.value().get(), name, only_new);
  // Folders are left when their objects were removed; such a one is in nobody's way.
  if (error != 0 && IsFolder(in.value().get(), name)) {
    if (!os::RemoveEmptyFolders(in.value().get(), name)) return InTheWay(key);
    error = Rename(file, in.value().get(), name, only_new);
  }
  if (error == EEXIST && only_new) {
    return Status(Code::kUnavailable, fmt::format("'{}' already exists", key));
  }
  return error == 0 ? Status() : os::IoError("write", key, error);
}

Status ObjectFiles::Remove(const std::string& bucket, const std::string& key) const {
  const Result<os::UniqueFd> folder = OpenBucket(bucket);
  if (!folder.ok()) return folder.status();
  const Result<std::string> path = PathInBucket(key);
  if (!path.ok()) return path.status();
  const auto [parent, last] = os::SplitLast(path.value());
  const Result<os::UniqueFd> in = os::OpenFolderBeneath(folder.value().get(), parent);
  if (!in.ok()) return in.status().code() == Code::kNotFound ? Status() : in.status();
  const std::string name(last);
  if (unlinkat(in.value().get(), name.c_str(), 0) == 0) return Status();
  // A folder is no object, so there was none of that key.
  if (os::IsAbsence(errno) || errno == EISDIR || errno == EPERM) return Status();
  return os::IoError("remove", key, errno);
}

}  // namespace warden::s3
