#include "warden/os/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "warden/os/open_inside.h"
#include "warden/os/posix.h"

namespace warden::os {

namespace {

// O_NONBLOCK: to open a pipe that nobody writes to would wait for ever.
constexpr int kPlainFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY;

std::optional<std::string> ReadAll(int fd, size_t most) {
  std::string text;
  char buffer[16384];
  ssize_t size = 0;
  do {
    size = read(fd, buffer, sizeof(buffer));
    if (size > 0) text.append(buffer, static_cast<size_t>(size));
  } while (text.size() <= most && (size > 0 || (size < 0 && errno == EINTR)));
  if (size < 0 || text.size() > most) return std::nullopt;
  return text;
}

std::optional<std::string> ReadPlain(const UniqueFd& file, size_t most) {
  struct stat info = {};
  if (!file.ok() || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return ReadAll(file.get(), most);
}

}  // namespace

std::optional<std::string> ReadWholeFile(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return std::nullopt;
  return ReadAll(file.get(), SIZE_MAX);
}

std::optional<std::string> ReadPlainFile(const std::string& path, size_t most) {
  return ReadPlain(UniqueFd(open(path.c_str(), kPlainFlags | O_NOFOLLOW | O_CLOEXEC)), most);
}

std::optional<std::string> ReadPlainFileInside(const std::string& folder, std::string_view key,
                                               size_t most) {
  return ReadPlain(OpenInside(folder + "/", key, kPlainFlags), most);
}

}  // namespace warden::os
