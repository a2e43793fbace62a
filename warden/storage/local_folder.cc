#include "warden/storage/local_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "warden/os/open_inside.h"
#include "warden/os/posix.h"
#include "warden/storage/contract.h"

namespace warden::storage {
namespace {

enum class Kind { kFile, kFolder, kOther };

// Whether a link in the folder may be followed to the target, itself a folder. A link back to where
// it lies never ends; links across each other end, but their ways are as many as their orders,
// hence the limit on how many may lie on one way.
bool MayFollow(const std::string& root, const std::string& folder, const struct stat& target) {
  constexpr int kMaxLinks = 4;
  int links = 0;
  for (size_t end = 0; end != folder.npos; end = folder.find('/', end + 1)) {
    const std::string above = root + folder.substr(0, end);
    struct stat info;
    if (stat(above.c_str(), &info) != 0 || os::IsSameFile(info, target)) return false;
    if (end > 0 && lstat(above.c_str(), &info) == 0 && S_ISLNK(info.st_mode)) ++links;
  }
  return links < kMaxLinks;
}

Kind KindOfLink(const std::string& root, const std::string& folder, const char* name) {
  struct stat info;
  if (stat((root + folder + name).c_str(), &info) != 0) return Kind::kOther;
  if (S_ISREG(info.st_mode)) return Kind::kFile;
  const bool leads_on = S_ISDIR(info.st_mode) && MayFollow(root, folder, info);
  return leads_on ? Kind::kFolder : Kind::kOther;
}

// Asks the file system only where the folder does not say it itself.
Kind KindOf(const std::string& root, const std::string& folder, const dirent& entry) {
  unsigned char type = entry.d_type;
  if (type == DT_UNKNOWN) {
    struct stat info;
    if (lstat((root + folder + entry.d_name).c_str(), &info) != 0) return Kind::kOther;
    type = IFTODT(info.st_mode);
  }
  switch (type) {
    case DT_REG: return Kind::kFile;
    case DT_DIR: return Kind::kFolder;
    case DT_LNK: return KindOfLink(root, folder, entry.d_name);
    default: return Kind::kOther;
  }
}

// Lists one prefix.
class Lister {
 public:
  Lister(const std::string& root, std::string_view prefix, std::string_view start_after)
      : root_(root), prefix_(prefix), start_after_(start_after) {}

  Status AddFolder(const std::string& folder) {
    Result<std::vector<std::string>> names = ReadFolder(root_, folder);
    if (names.status().code() == Code::kNotFound) return Status();
    if (!names.ok()) return names.status();
    for (const std::string& name : names.value()) {
      if (Status status = Add(folder + name); !status.ok()) return status;
    }
    return Status();
  }

  std::vector<std::string>& keys() { return keys_; }

 private:
  Status Add(std::string key) {
    if (!key.starts_with(prefix_)) return Status();
    const bool is_folder = key.ends_with('/');
    // A folder that sorts before start_after and does not hold it has nothing that comes after it.
    if (key <= start_after_ && !(is_folder && start_after_.starts_with(key))) return Status();
    if (is_folder) return AddFolder(key);
    keys_.push_back(std::move(key));
    return Status();
  }

  const std::string& root_;
  const std::string_view prefix_;
  const std::string_view start_after_;
  std::vector<std::string> keys_;
};

}  // namespace

Result<std::vector<std::string>> ReadFolder(const std::string& root, const std::string& folder) {
  const std::string path = root + folder;
  const os::UniqueFd fd = os::OpenInside(root, folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
  // ELOOP: a link that leads out of the root, or back to itself.
  if (!fd.ok() && (os::IsAbsence(errno) || errno == ELOOP)) {
    return Status(Code::kNotFound, fmt::format("{}: {}", path, os::ErrorText(errno)));
  }
  if (!fd.ok()) return os::IoError("list", path, errno);
  // The stream closes its own descriptor.
  const int own = fcntl(fd.get(), F_DUPFD_CLOEXEC, 0);
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(own < 0 ? nullptr : fdopendir(own), closedir);
  if (dir == nullptr) {
    const int error = errno;
    if (own >= 0) close(own);
    return os::IoError("list", path, error);
  }
  std::vector<std::string> names;
  errno = 0;
  for (const dirent* entry; (entry = readdir(dir.get())) != nullptr; errno = 0) {
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    const Kind kind = KindOf(root, folder, *entry);
    if (kind == Kind::kOther || (kind == Kind::kFile && IsUnfinished(name))) continue;
    if (kind == Kind::kFolder) name += '/';
    names.push_back(std::move(name));
  }
  if (errno != 0) return os::IoError("list", path, errno);
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<std::string>> ListKeys(const std::string& root, std::string_view prefix,
                                          std::string_view start_after) {
  Lister lister(root, prefix, start_after);
  Status status = lister.AddFolder(std::string(FolderOf(prefix)));
  if (!status.ok()) return status;
  return std::move(lister.keys());
}

}  // namespace warden::storage
