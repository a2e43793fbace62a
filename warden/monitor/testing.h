#ifndef WARDEN_MONITOR_TESTING_H_
#define WARDEN_MONITOR_TESTING_H_

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "warden/monitor/collector.h"
#include "warden/monitor/tick.h"

namespace warden::monitor {

// A folder that is removed at the end.
class TempFolder {
 public:
  explicit TempFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("warden-monitor-{}-{}", name, getpid())) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string path() const { return path_.string(); }

  // In place, as the kernel's files change: who has it open sees the new text.
  void Write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(path_ / name);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  bool Has(const std::string& name) const { return std::filesystem::exists(path_ / name); }

 private:
  const std::filesystem::path path_;
};

inline constexpr int64_t kSecondNs = 1'000'000'000;

// Figures of one reading, "cpu/CPUUtilization/cpu0" and what it was.
using Figures = std::map<std::string, double>;

inline Figures FiguresOf(const Tick& tick, const Slots& slots) {
  Figures figures;
  for (const Tick::Value& value : tick.values) {
    const Slot& slot = slots[value.slot];
    const MetricDesc& desc = Describe(slot.metric);
    figures[fmt::format("{}/{}/{}", desc.type, desc.dimension, slot.name)] = value.value;
  }
  return figures;
}

inline Figures CollectAt(Collector* collector, double seconds, Slots* slots) {
  Tick tick;
  const auto ns = static_cast<int64_t>(seconds * static_cast<double>(kSecondNs));
  collector->Collect({ns, std::chrono::seconds(1)}, slots, &tick);
  return FiguresOf(tick, *slots);
}

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_TESTING_H_
