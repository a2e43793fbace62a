#include "warden/os/process_table.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>

#include "warden/base/strings.h"
#include "warden/os/whole_file.h"

namespace warden::os {
namespace {

// Fields of /proc/<pid>/stat after the name, see proc(5).
enum Field { kState = 0, kParent = 1, kGroup = 2, kSession = 3, kStart = 19, kFieldsNeeded = 20 };

template <class T>
T Number(const std::string& text) {
  T number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::optional<Process> FindProcess(pid_t pid) {
  const std::string text = ReadWholeFile(fmt::format("/proc/{}/stat", pid)).value_or("");
  // The name stands in parentheses and may hold anything, parentheses too.
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  const std::vector<std::string> fields = SplitTrimmed(text.substr(name_end + 1), ' ');
  if (fields.size() < kFieldsNeeded) return std::nullopt;
  Process process;
  process.pid = pid;
  process.parent = Number<pid_t>(fields[kParent]);
  process.group = Number<pid_t>(fields[kGroup]);
  process.session = Number<pid_t>(fields[kSession]);
  process.start = Number<uint64_t>(fields[kStart]);
  process.ended = fields[kState] == "Z" || fields[kState] == "X";
  return process;
}

std::optional<int64_t> StartOfProcess(pid_t pid) {
  const auto process = FindProcess(pid);
  if (!process || process->ended) return std::nullopt;
  return static_cast<int64_t>(process->start);
}

std::vector<Process> AllProcesses() {
  std::vector<Process> processes;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    const auto pid = ParseInt(entry->path().filename().string());
    if (!pid || *pid <= 0) continue;
    if (const auto process = FindProcess(static_cast<pid_t>(*pid))) processes.push_back(*process);
  }
  return processes;
}

}  // namespace warden::os
