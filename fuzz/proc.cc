// The input as what the kernel says of a process and of the cores that it may use.

#include <algorithm>
#include <optional>
#include <string>

#include "fuzz/check.h"
#include "warden/monitor/cgroup.h"
#include "warden/monitor/process_stat.h"

namespace warden::fuzz {
namespace {

using namespace monitor;

// Whatever a process calls itself, its numbers are those after its name.
void UseAsStat(std::string_view text) {
  if (const auto stat = ParseProcessStat(text)) {
    const size_t name_end = text.rfind(')');
    Check(name_end != text.npos);
    const auto renamed = ParseProcessStat("1 (0 ) R (" + std::string(text.substr(name_end)));
    Check(renamed.has_value() && renamed->parent == stat->parent);
    Check(renamed->start_ticks == stat->start_ticks && renamed->pages == stat->pages);
  }
  const ProcessIo io = ParseProcessIo(text);
  const ProcessIo again = ParseProcessIo(
      "rchar: " + std::to_string(io.read) + "\nwchar: " + std::to_string(io.written) +
      "\nsyscr: 0\nsyscw: 0\nread_bytes: " + std::to_string(io.disk_read) +
      "\nwrite_bytes: " + std::to_string(io.disk_written) + "\ncancelled_write_bytes: 0\n");
  Check(again.read == io.read && again.written == io.written);
  Check(again.disk_read == io.disk_read && again.disk_written == io.disk_written);
}

// The same cores come back from a list of their ranges.
void UseAsCores(std::string_view text) {
  const std::vector<bool> cores = ParseCoreList(text);
  Check(cores.size() <= kMostCores && (cores.empty() || cores.back()));
  std::string list;
  for (auto first = std::find(cores.begin(), cores.end(), true); first != cores.end();) {
    const auto end = std::find(first, cores.end(), false);
    list += (list.empty() ? "" : ",") + std::to_string(first - cores.begin()) + "-" +
            std::to_string(end - cores.begin() - 1);
    first = std::find(end, cores.end(), true);
  }
  Check(ParseCoreList(list) == cores);
}

// The lines as a process's name, its command and that of its parent.
void UseAsCommands(std::string_view text) {
  const size_t first = text.find('\n');
  const std::string_view rest = text.substr(first == text.npos ? text.size() : first + 1);
  const size_t second = rest.find('\n');
  (void)IsDataLoaderWorker(text.substr(0, first), rest.substr(0, second),
                           rest.substr(second == rest.npos ? rest.size() : second + 1));
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  warden::fuzz::UseAsStat(text);
  warden::fuzz::UseAsCores(text);
  warden::fuzz::UseAsCommands(text);
  return 0;
}
