// Processor time of a container that has a quota.
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

struct ContainerCounts {
  uint64_t usage = 0;
  uint64_t periods = 0;
  uint64_t throttled = 0;
};

class ContainerCollector : public Collector {
 public:
  explicit ContainerCollector(const std::string& root) : root_(root) { FindLimit(); }

  std::chrono::milliseconds pace() const override { return std::chrono::milliseconds(500); }

  void Collect(const Moment& now, Slots* slots, Tick* tick) override {
    if (!limit_) return;
    const auto counts = ReadCounts();
    if (!counts) return;
    const double seconds = stopwatch_.Lap(now.ns);
    if (seconds > 0) {
      const double used_s = Growth(last_.usage, counts->usage) * limit_->usage_unit_s;
      // A little more is possible: what was not used before may be used up.
      tick->Put(slots->Of(Metric::kContainerCpu),
                std::min(100 * used_s / (seconds * limit_->cores), 100.0));
      tick->Put(slots->Of(Metric::kContainerCpuLimit), limit_->cores);
      const double periods = Growth(last_.periods, counts->periods);
      const double throttled = Growth(last_.throttled, counts->throttled);
      tick->Put(slots->Of(Metric::kContainerThrottled),
                periods > 0 ? 100 * throttled / periods : 0);
    }
    last_ = *counts;
  }

  void Restart() override {
    FindLimit();
    stopwatch_.Restart();
  }

 private:
  void FindLimit() {
    limit_ = FindCpuLimit(root_);
    if (!limit_) return;
    usage_.emplace(limit_->usage_file);
    stat_.emplace(limit_->stat_file);
  }

  std::optional<ContainerCounts> ReadCounts() {
    ContainerCounts counts;
    const std::string_view usage_text = usage_->Read();
    const auto usage = limit_->usage_key.empty() ? ParseCount(Trim(usage_text))
                                                 : CountNamed(usage_text, limit_->usage_key);
    if (!usage) return std::nullopt;
    counts.usage = *usage;
    const std::string_view text = stat_->Read();
    counts.periods = CountNamed(text, "nr_periods").value_or(0);
    counts.throttled = CountNamed(text, "nr_throttled").value_or(0);
    return counts;
  }

  const std::string root_;
  std::optional<CpuLimit> limit_;
  std::optional<SourceFile> usage_;
  std::optional<SourceFile> stat_;
  Stopwatch stopwatch_;
  ContainerCounts last_;
};

}  // namespace

std::unique_ptr<Collector> MakeContainerCollector(const std::string& root) {
  return std::make_unique<ContainerCollector>(root);
}

}  // namespace warden::monitor
