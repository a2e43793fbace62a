#include "warden/cli/launch/find_program.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace warden::cli {
namespace {

enum class Found { kNothing, kNoProgram, kProgram };

Found LookAt(const std::string& path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) return Found::kNothing;
  const bool program = S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
  return program ? Found::kProgram : Found::kNoProgram;
}

Status NotExecutable(const std::string& path) {
  return Status(Code::kIo, fmt::format("not executable: {}", path));
}

}  // namespace

Result<std::string> FindProgram(const std::string& word) {
  if (word.find('/') != std::string::npos) {
    const Found found = LookAt(word);
    if (found == Found::kProgram) return word;
    if (found == Found::kNoProgram) return NotExecutable(word);
    return Status(Code::kNotFound, fmt::format("no such file: {}", word));
  }
  const char* variable = std::getenv("PATH");
  std::string_view path = variable == nullptr ? "/bin:/usr/bin" : variable;
  std::string refused;
  while (!word.empty()) {
    const size_t colon = path.find(':');
    const std::string folder(path.substr(0, colon));
    std::string candidate = fmt::format("{}/{}", folder.empty() ? "." : folder, word);
    const Found found = LookAt(candidate);
    if (found == Found::kProgram) return candidate;
    if (found == Found::kNoProgram && refused.empty()) refused = candidate;
    if (colon == std::string_view::npos) break;
    path.remove_prefix(colon + 1);
  }
  if (!refused.empty()) return NotExecutable(refused);
  return Status(Code::kNotFound, fmt::format("no such command: {}", word));
}

}  // namespace warden::cli
