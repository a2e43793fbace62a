// Load averages, from /proc/loadavg: "0.20 0.18 0.12 1/80 11206".
#include <optional>
#include <string>

#include "warden/base/strings.h"
#include "warden/monitor/collectors.h"
#include "warden/monitor/scan.h"
#include "warden/monitor/source_file.h"

namespace warden::monitor {
namespace {

class LoadCollector : public Collector {
 public:
  explicit LoadCollector(const std::string& root) : file_(root + "/proc/loadavg") {}

  // The kernel counts again every five seconds; only the number of threads changes in between.
  std::chrono::milliseconds pace() const override { return std::chrono::milliseconds(500); }

  void Collect(const Moment& /*now*/, Slots* slots, Tick* tick) override {
    std::string_view text = file_.Read();
    std::string_view line = TakeLine(&text);
    for (const Metric metric : {Metric::kLoad1, Metric::kLoad5, Metric::kLoad15}) {
      if (const auto load = ParseDouble(TakeWord(&line))) tick->Put(slots->Of(metric), *load);
    }
    const std::string_view tasks = TakeWord(&line);
    if (const auto runnable = ParseCount(tasks.substr(0, tasks.find('/')))) {
      // Without the one that asks.
      tick->Put(slots->Of(Metric::kRunnable),
                *runnable > 0 ? static_cast<double>(*runnable - 1) : 0);
    }
  }

  void Restart() override {}

 private:
  SourceFile file_;
};

}  // namespace

std::unique_ptr<Collector> MakeLoadCollector(const std::string& root) {
  return std::make_unique<LoadCollector>(root);
}

}  // namespace warden::monitor
