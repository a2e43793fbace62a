#include "warden/os/secret.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "warden/os/posix.h"

namespace warden::os {
namespace {

constexpr size_t kMaxSize = size_t{1} << 20;

}  // namespace

Result<PrivateText> ReadPrivateText(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.ok()) {
    if (IsAbsence(errno)) return Status(Code::kNotFound, path + " does not exist");
    return IoError("read", path, errno);
  }
  // Of what was opened: the name may mean another file by now.
  struct stat info{};
  if (fstat(file.get(), &info) != 0) return IoError("read", path, errno);
  if (!S_ISREG(info.st_mode) || static_cast<size_t>(info.st_size) > kMaxSize) {
    return Status(Code::kInvalid, path + " is not a file of at most 1 MB");
  }
  PrivateText text;
  text.is_private = (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  text.text.resize(static_cast<size_t>(info.st_size));
  const ssize_t size = pread(file.get(), text.text.data(), text.text.size(), 0);
  if (size < 0) return IoError("read", path, errno);
  text.text.resize(static_cast<size_t>(size));
  return text;
}

Status NotPrivate(const std::string& path) {
  return Status(Code::kInvalid,
                fmt::format("{0} contains a secret, but other users can read or change it; make it "
                            "private: chmod 600 {0}",
                            path));
}

Result<Secret> ReadSecretFile(const std::string& path) {
  auto file = ReadPrivateText(path);
  if (!file.ok()) return file.status();
  if (!file.value().is_private) return NotPrivate(path);
  std::string& text = file.value().text;
  text.erase(text.find_last_not_of("\r\n") + 1);
  if (text.empty()) return Status(Code::kInvalid, path + " is empty; expected a secret");
  return Secret(std::move(text));
}

}  // namespace warden::os
