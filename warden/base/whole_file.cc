#include "warden/base/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace warden {

std::optional<std::string> ReadWholeFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::string text;
  char buffer[16384];
  ssize_t size = 0;
  do {
    size = read(fd, buffer, sizeof(buffer));
    if (size > 0) text.append(buffer, static_cast<size_t>(size));
  } while (size > 0 || (size < 0 && errno == EINTR));
  close(fd);
  if (size < 0) return std::nullopt;
  return text;
}

}  // namespace warden
