// Cores, from /proc/stat.
#include <array>
#include <string>
#include <vector>

#include "warden/monitor/cgroup.h"
#include "warden/monitor/collectors.h"
#include "warden/monitor/scan.h"
#include "warden/monitor/source_file.h"

namespace warden::monitor {
namespace {

constexpr size_t kBytesPerCore = 128;  // A line is at most about that long.
constexpr size_t kFirstRead = 4096;

// Columns of a core's line. The two that follow are guests', whose time is in the first two too.
enum CpuColumn { kUser, kNice, kSystem, kIdle, kIoWait, kIrq, kSoftIrq, kSteal, kCpuColumns };

using Times = std::array<uint64_t, kCpuColumns>;

struct Core {
  bool known = false;  // Has a last reading.
  Times last{};
  SlotId busy = 0;
  SlotId io_wait = 0;
};

class CpuCollector : public Collector {
 public:
  explicit CpuCollector(const std::string& root)
      : root_(root), stat_(root + "/proc/stat"), allowed_(FindCores(root)) {}

  // The kernel counts in hundredths of a second: in less time nothing changes.
  std::chrono::milliseconds pace() const override { return std::chrono::milliseconds(10); }

  void Collect(const Moment& /*now*/, Slots* slots, Tick* tick) override {
    std::string_view text = ReadCores();
    while (text.starts_with("cpu")) {
      std::string_view line = TakeLine(&text);
      const std::string_view name = TakeWord(&line);
      const auto number = ParseCount(name.substr(3));
      if (!number || *number >= kMostCores || !IsAllowed(*number)) continue;
      Times times;
      if (ReadTimes(line, &times)) Report(*number, name, times, slots, tick);
    }
  }

  void Restart() override {
    for (Core& core : cores_) core.known = false;
    allowed_ = FindCores(root_);
  }

 private:
  // The cores come first; what follows, interrupts mostly, is not wanted.
  std::string_view ReadCores() {
    std::string_view text = stat_.ReadStart(read_bytes_);
    while (text.size() == read_bytes_ && read_bytes_ < kMostCores * kBytesPerCore &&
           text.substr(text.size() - 2 * kBytesPerCore).find("\ncpu") != std::string_view::npos) {
      read_bytes_ *= 2;
      text = stat_.ReadStart(read_bytes_);
    }
    return text;
  }

  bool IsAllowed(size_t core) const {
    return allowed_.empty() || (core < allowed_.size() && allowed_[core]);
  }

  static bool ReadTimes(std::string_view line, Times* times) {
    for (size_t column = 0; column < kCpuColumns; ++column) {
      const auto count = TakeCount(&line);
      if (!count && column <= kIdle) return false;
      (*times)[column] = count.value_or(0);  // Old kernels have fewer columns.
    }
    return true;
  }

  void Report(size_t number, std::string_view name, const Times& times, Slots* slots, Tick* tick) {
    if (cores_.size() <= number) cores_.resize(number + 1);
    Core& core = cores_[number];
    if (core.known) {
      double total = 0;
      for (size_t column = 0; column < kCpuColumns; ++column) {
        total += Growth(core.last[column], times[column]);
      }
      const double io_wait = Growth(core.last[kIoWait], times[kIoWait]);
      const double idle = Growth(core.last[kIdle], times[kIdle]) + io_wait;
      if (total <= 0) return;  // Nothing was counted yet since the last reading.
      tick->Put(core.busy, 100 * (total - idle) / total);
      tick->Put(core.io_wait, 100 * io_wait / total);
    } else {
      core.known = true;
      core.busy = slots->Of(Metric::kCpu, name);
      core.io_wait = slots->Of(Metric::kIoWait, name);
    }
    core.last = times;
  }

  const std::string root_;
  SourceFile stat_;
  std::vector<bool> allowed_;  // Empty: all.
  std::vector<Core> cores_;    // By number.
  size_t read_bytes_ = kFirstRead;
};

}  // namespace

std::unique_ptr<Collector> MakeCpuCollector(const std::string& root) {
  return std::make_unique<CpuCollector>(root);
}

}  // namespace warden::monitor
