#include "warden/monitor/process_stat.h"

#include <array>

#include "warden/base/strings.h"
#include "warden/monitor/scan.h"

namespace warden::monitor {
namespace {

// Columns after the state, which follows the name.
enum StatColumn {
  kParent = 0,
  kOwnUser = 10,
  kOwnSystem = 11,
  kChildrenUser = 12,
  kChildrenSystem = 13,
  kThreads = 16,
  kStart = 18,
  kPages = 20,
  kStatColumns = 21,
};

}  // namespace

std::optional<ProcessStat> ParseProcessStat(std::string_view text) {
  // The name stands in parentheses and may hold anything, parentheses too.
  const size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  text.remove_prefix(name_end + 1);
  std::string_view line = TakeLine(&text);
  const std::string_view state = TakeWord(&line);
  std::array<uint64_t, kStatColumns> columns{};
  for (uint64_t& column : columns) {
    const std::string_view word = TakeWord(&line);
    if (word.empty()) return std::nullopt;
    column = ParseCount(word).value_or(0);  // Some that are not wanted may be negative.
  }
  ProcessStat stat;
  stat.parent = static_cast<pid_t>(columns[kParent]);
  stat.ended = state == "Z" || state == "X";
  stat.cpu_ticks = columns[kOwnUser] + columns[kOwnSystem];
  stat.child_ticks = columns[kChildrenUser] + columns[kChildrenSystem];
  stat.start_ticks = columns[kStart];
  stat.threads = columns[kThreads];
  stat.pages = columns[kPages];
  return stat;
}

ProcessIo ParseProcessIo(std::string_view text) {
  ProcessIo io;
  while (!text.empty()) {
    std::string_view line = TakeLine(&text);
    const std::string_view key = TakeWord(&line);
    const uint64_t count = TakeCount(&line).value_or(0);
    if (key == "rchar:") io.read = count;
    if (key == "wchar:") io.written = count;
    if (key == "read_bytes:") io.disk_read = count;
    if (key == "write_bytes:") io.disk_written = count;
  }
  return io;
}

bool IsDataLoaderWorker(std::string_view name, std::string_view command,
                        std::string_view parent_command) {
  if (name.starts_with("pt_data_worker")) return true;
  if (command.empty()) return false;
  if (command == parent_command) return true;
  return command.find("--multiprocessing-fork") != std::string_view::npos &&
         command.find("resource_tracker") == std::string_view::npos;
}

}  // namespace warden::monitor
