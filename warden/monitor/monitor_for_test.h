#ifndef WARDEN_MONITOR_MONITOR_FOR_TEST_H_
#define WARDEN_MONITOR_MONITOR_FOR_TEST_H_

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "warden/monitor/collector.h"
#include "warden/monitor/tick.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::monitor {

// A folder of files as the kernel or a monitor writes them.
class FilesForTest : private os::TempFolder {
 public:
  std::string path() const { return TempFolder::path().string(); }

  // In place, as the kernel's files change: who has it open sees the new text.
  void Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = File(name);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(File(name));
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  bool Has(const std::string& name) const { return std::filesystem::exists(File(name)); }
};

inline constexpr int64_t kSecondNs = 1'000'000'000;

// Values of one reading, "cpu/CPUUtilization/cpu0" and what it was.
using Values = std::map<std::string, double>;

inline Values ValuesOf(const Tick& tick, const Slots& slots) {
  Values values;
  for (const Tick::Value& value : tick.values) {
    const Slot& slot = slots[value.slot];
    const MetricDesc& desc = Describe(slot.metric);
    values[fmt::format("{}/{}/{}", desc.type, desc.dimension, slot.name)] = value.value;
  }
  return values;
}

inline Values CollectAt(Collector* collector, double seconds, Slots* slots) {
  Tick tick;
  const auto ns = static_cast<int64_t>(seconds * static_cast<double>(kSecondNs));
  collector->Collect({ns, std::chrono::seconds(1)}, slots, &tick);
  return ValuesOf(tick, *slots);
}

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_MONITOR_FOR_TEST_H_
