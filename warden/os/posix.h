#ifndef WARDEN_OS_POSIX_H_
#define WARDEN_OS_POSIX_H_

// What every caller of POSIX functions needs: descriptors that are closed, and errno values as
// Status. The first header to read in this folder. Nothing here throws, and all of it is safe for
// many threads; a UniqueFd belongs to one at a time.

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "warden/base/status.h"

namespace warden::os {

// Owns a file descriptor and closes it. Not copied; a moved-from object is empty. What open(2)
// returned may be given as it is: a negative number is an empty object, whose errno the caller
// looks at first.
//
//   const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
//   if (!file.ok()) return IoError("open", path, errno);
//
// Errors of close(2) are lost: whoever must know that bytes are on the disk calls fsync before.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  // Swaps: the old descriptor is closed when `other` is destroyed, which for a temporary is at
  // once.
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~UniqueFd() {
    if (fd_ >= 0) close(fd_);
  }

  bool ok() const { return fd_ >= 0; }
  // Stays this object's. -1 if it is empty.
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

// Whether two results of stat(2) are of one file, whatever names it was found by.
inline bool IsSameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Whether there is anything at the path, as far as this process can see. False as well where a
// folder on the way cannot be searched, and for a link that leads nowhere.
inline bool PathExists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// Whether an errno says that there is nothing of that name, or something else in its place. Callers
// report kNotFound for these, and IoError for all others.
bool IsAbsence(int error);

// "No space left on device", ...: what an errno means, in the words of the C library.
std::string ErrorText(int error);

// "cannot <action> <path>: <what the errno means>". kIo; kInvalid for a name that is longer than
// the file system allows, since trying again cannot help. `action` is a verb without "to": "open",
// "create the folder". Read errno before anything else can change it.
Status IoError(std::string_view action, std::string_view path, int error);

}  // namespace warden::os

#endif  // WARDEN_OS_POSIX_H_
