#include "warden/os/posix.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace warden::os {

bool IsAbsence(int error) { return error == ENOENT || error == ENOTDIR; }

std::string ErrorText(int error) { return std::generic_category().message(error); }

Status IoError(std::string_view action, std::string_view path, int error) {
  const Code code = error == ENAMETOOLONG ? Code::kInvalid : Code::kIo;
  return Status(code, fmt::format("cannot {} {}: {}", action, path, ErrorText(error)));
}

}  // namespace warden::os
