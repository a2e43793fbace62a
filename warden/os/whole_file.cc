#include "warden/os/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace warden::os {

namespace {

// Closes it.
std::optional<std::string> ReadAll(int fd, size_t most) {
  std::string text;
  char buffer[16384];
  ssize_t size = 0;
  do {
    size = read(fd, buffer, sizeof(buffer));
    if (size > 0) text.append(buffer, static_cast<size_t>(size));
  } while (text.size() <= most && (size > 0 || (size < 0 && errno == EINTR)));
  close(fd);
  if (size < 0 || text.size() > most) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::string> ReadWholeFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  return ReadAll(fd, SIZE_MAX);
}

std::optional<std::string> ReadPlainFile(const std::string& path, size_t most) {
  // O_NONBLOCK: to open a pipe that nobody writes to would wait for ever.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return std::nullopt;
  struct stat info = {};
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) return ReadAll(fd, most);
  close(fd);
  return std::nullopt;
}

}  // namespace warden::os
