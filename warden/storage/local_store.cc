#include "warden/storage/local_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "warden/os/open_inside.h"
#include "warden/os/posix.h"
#include "warden/storage/contract.h"
#include "warden/storage/local_folder.h"
#include "warden/storage/local_parts.h"

namespace warden::storage {
namespace {

// Goes by paths, not by an open descriptor of the root, which would hold on to a folder that was
// removed and made again; that costs 0.3 us for each object opened.
class LocalStore final : public Store {
 public:
  explicit LocalStore(std::string root) : root_(std::move(root)) {}

  std::string Locate(std::string_view key) const override {
    std::string path;
    path.reserve(root_.size() + key.size());
    return path.append(root_).append(key);
  }

  Result<std::vector<std::string>> List(std::string_view prefix,
                                        std::string_view start_after) const override {
    if (Status status = CheckPrefix(prefix); !status.ok()) return status;
    return ListKeys(root_, prefix, start_after);
  }

  Result<std::shared_ptr<const Object>> Open(std::string_view key) const override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    return OpenLocalObject(root_, key);
  }

  bool Exists(std::string_view key) const override {
    if (!IsValidKey(key)) return false;
    const os::UniqueFd fd = os::OpenInside(root_, key, O_PATH);
    struct stat info;
    return fd.ok() && fstat(fd.get(), &info) == 0 && S_ISREG(info.st_mode);
  }

  Result<std::unique_ptr<ObjectWriter>> Create(std::string_view key) override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    return CreateLocalObject(Locate(key));
  }

  Status PutIfAbsent(std::string_view key, Bytes body) override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    return PutLocalIfAbsent(Locate(key), body);
  }

  Status Remove(std::string_view key) override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    const std::string path = Locate(key);
    // A folder is no object either.
    if (unlink(path.c_str()) == 0 || os::IsAbsence(errno) || errno == EISDIR) return Status();
    return os::IoError("remove", path, errno);
  }

  Result<std::unique_ptr<Watch>> WatchPrefix(std::string_view prefix) const override {
    if (Status status = CheckPrefix(prefix); !status.ok()) return status;
    return WatchLocal(root_, prefix);
  }

 private:
  const std::string root_;  // Absolute, with '/' at its end.
};

// Absolute, so that a later change of the working folder does not move the store.
std::string AbsoluteFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::absolute(path.empty() ? "." : path, error);
  if (error) folder = path;
  // "./" is tidied away; ".." is not, since behind a link it leads elsewhere than its text says.
  if (path.find("..") == path.npos) folder = folder.lexically_normal();
  std::string text = folder.native();
  while (text.ends_with('/')) text.pop_back();
  return text + '/';
}

}  // namespace

std::unique_ptr<Store> NewLocalStore(std::string root) {
  return std::make_unique<LocalStore>(AbsoluteFolder(root));
}

}  // namespace warden::storage
