#include "warden/os/process.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "warden/base/strings.h"
#include "warden/os/whole_file.h"

namespace warden::os {

std::optional<int64_t> StartOfProcess(pid_t pid) {
  const std::string text = ReadWholeFile(fmt::format("/proc/{}/stat", pid)).value_or("");
  // The name in parentheses may hold anything; fields are counted from its end.
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  const std::vector<std::string> fields =
      SplitTrimmed(std::string_view(text).substr(name_end + 1), ' ');
  constexpr size_t kState = 0;
  constexpr size_t kStart = 19;
  if (fields.size() <= kStart || fields[kState] == "Z") return std::nullopt;
  return ParseInt(fields[kStart]);
}

}  // namespace warden::os
