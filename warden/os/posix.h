#ifndef WARDEN_OS_POSIX_H_
#define WARDEN_OS_POSIX_H_

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "warden/base/status.h"

namespace warden::os {

// A file descriptor that closes itself.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~UniqueFd() {
    if (fd_ >= 0) close(fd_);
  }

  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

inline bool IsSameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Whether there is anything at the path, as far as this process can see.
inline bool PathExists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// Whether an errno says that there is nothing of that name, or something else in its place.
bool IsAbsence(int error);

// "no space left on device", ...: what an errno means.
std::string ErrorText(int error);

// "cannot <action> <path>: <what the errno means>".
Status IoError(std::string_view action, std::string_view path, int error);

}  // namespace warden::os

#endif  // WARDEN_OS_POSIX_H_
