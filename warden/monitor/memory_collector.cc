// Memory, from /proc/meminfo; in a container with a limit, of the container.
#include <algorithm>
#include <optional>
#include <string>

#include "warden/base/strings.h"
#include "warden/monitor/cgroup.h"
#include "warden/monitor/collectors.h"
#include "warden/monitor/scan.h"
#include "warden/monitor/source_file.h"

namespace warden::monitor {
namespace {

// How long the size of the droppable file cache, which is dear to ask for, is taken to stay.
constexpr int64_t kCacheNs = 100'000'000;

struct MemInfo {
  std::optional<uint64_t> total, available, free, buffers, cached, swap_total, swap_free;
};

MemInfo ParseMemInfo(std::string_view text) {
  MemInfo info;
  while (!text.empty()) {
    std::string_view line = TakeLine(&text);
    const std::string_view key = TakeWord(&line);
    std::optional<uint64_t>* const value = key == "MemTotal:"       ? &info.total
                                           : key == "MemAvailable:" ? &info.available
                                           : key == "MemFree:"      ? &info.free
                                           : key == "Buffers:"      ? &info.buffers
                                           : key == "Cached:"       ? &info.cached
                                           : key == "SwapTotal:"    ? &info.swap_total
                                           : key == "SwapFree:"     ? &info.swap_free
                                                                    : nullptr;
    if (value != nullptr) *value = TakeCount(&line);
    if (info.swap_free) break;  // The last of them.
  }
  // Kernels before 3.14 leave the sum to others.
  if (!info.available && info.free) {
    info.available = *info.free + info.buffers.value_or(0) + info.cached.value_or(0);
  }
  return info;
}

double Percent(double part, double whole) { return std::clamp(100 * part / whole, 0.0, 100.0); }

class MemoryCollector : public Collector {
 public:
  explicit MemoryCollector(const std::string& root)
      : root_(root), meminfo_(root + "/proc/meminfo") {}

  // The kernel brings its sums up to date less often than that.
  std::chrono::milliseconds pace() const override { return std::chrono::milliseconds(10); }

  void Collect(const Moment& now, Slots* slots, Tick* tick) override {
    const MemInfo info = ParseMemInfo(meminfo_.Read());
    if (!looked_for_limit_ && info.total) FindLimit(*info.total);
    if (limit_) {
      CollectContainer(now, slots, tick);
    } else if (info.total && info.available && *info.total > 0) {
      tick->Put(slots->Of(Metric::kMemoryUsed),
                Percent(static_cast<double>(*info.total) - static_cast<double>(*info.available),
                        static_cast<double>(*info.total)));
    }
    if (info.swap_total.value_or(0) > 0 && info.swap_free) {
      tick->Put(slots->Of(Metric::kSwapUsed), Percent(Growth(*info.swap_free, *info.swap_total),
                                                      static_cast<double>(*info.swap_total)));
    }
  }

  // A limit may have been set again.
  void Restart() override { looked_for_limit_ = false; }

 private:
  void FindLimit(uint64_t total_kib) {
    looked_for_limit_ = true;
    limit_ = FindMemoryLimit(root_, total_kib * 1024);
    if (!limit_) return;
    usage_.emplace(limit_->usage_file);
    stat_.emplace(limit_->stat_file);
    droppable_at_ns_ = 0;
  }

  void CollectContainer(const Moment& now, Slots* slots, Tick* tick) {
    const auto usage = ParseCount(Trim(usage_->Read()));
    if (!usage) return;
    if (droppable_at_ns_ == 0 || now.ns - droppable_at_ns_ >= kCacheNs) {
      droppable_ = CountNamed(stat_->Read(), limit_->droppable_key).value_or(0);
      droppable_at_ns_ = now.ns;
    }
    const double used = Growth(droppable_, *usage);
    const auto limit = static_cast<double>(limit_->bytes);
    tick->Put(slots->Of(Metric::kMemoryUsed), Percent(used, limit));
    tick->Put(slots->Of(Metric::kContainerMemory), used);
    tick->Put(slots->Of(Metric::kContainerMemoryLimit), limit);
  }

  const std::string root_;
  SourceFile meminfo_;
  bool looked_for_limit_ = false;
  std::optional<MemoryLimit> limit_;
  std::optional<SourceFile> usage_;
  std::optional<SourceFile> stat_;
  uint64_t droppable_ = 0;
  int64_t droppable_at_ns_ = 0;
};

}  // namespace

std::unique_ptr<Collector> MakeMemoryCollector(const std::string& root) {
  return std::make_unique<MemoryCollector>(root);
}

}  // namespace warden::monitor
