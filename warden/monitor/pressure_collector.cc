// How long tasks were held up for want of something, from /proc/pressure.
#include <algorithm>
#include <array>
#include <string>

#include "warden/monitor/collectors.h"
#include "warden/monitor/scan.h"
#include "warden/monitor/source_file.h"

namespace warden::monitor {
namespace {

// One line: "some avg10=0.00 avg60=0.00 avg300=0.00 total=460060", in microseconds since boot. Its
// growth tells the share of the time since the last reading, which averages would smear.
struct Stalled {
  bool known = false;
  uint64_t total_us = 0;
};

std::optional<uint64_t> TotalOf(std::string_view line) {
  constexpr std::string_view kTotal = "total=";
  const size_t at = line.find(kTotal);
  if (at == std::string_view::npos) return std::nullopt;
  return ParseCount(line.substr(at + kTotal.size()));
}

struct Resource {
  Resource(const std::string& root, const char* resource)
      : name(resource), file(root + "/proc/pressure/" + resource) {}
  const char* name;
  SourceFile file;
  Stopwatch stopwatch;
  Stalled some;
  Stalled full;
};

void Report(std::string_view line, Metric metric, const Resource& resource, double seconds,
            Stalled* stalled, Slots* slots, Tick* tick) {
  const auto total = TotalOf(line);
  if (!total) return;
  if (stalled->known && seconds > 0) {
    const double share = Growth(stalled->total_us, *total) / 1e6 / seconds;
    tick->Put(slots->Of(metric, resource.name), std::min(100 * share, 100.0));
  }
  *stalled = {true, *total};
}

class PressureCollector : public Collector {
 public:
  explicit PressureCollector(const std::string& root)
      : resources_{Resource(root, "cpu"), Resource(root, "io"), Resource(root, "memory")} {}

  std::chrono::milliseconds pace() const override { return std::chrono::milliseconds(500); }

  void Collect(const Moment& now, Slots* slots, Tick* tick) override {
    for (Resource& resource : resources_) {
      std::string_view text = resource.file.Read();
      const double seconds = resource.stopwatch.Lap(now.ns);
      while (!text.empty()) {
        const std::string_view line = TakeLine(&text);
        if (line.starts_with("some ")) {
          Report(line, Metric::kPressureSome, resource, seconds, &resource.some, slots, tick);
        } else if (line.starts_with("full ")) {
          Report(line, Metric::kPressureFull, resource, seconds, &resource.full, slots, tick);
        }
      }
    }
  }

  void Restart() override {
    for (Resource& resource : resources_) {
      resource.stopwatch.Restart();
      resource.some.known = resource.full.known = false;
    }
  }

 private:
  std::array<Resource, 3> resources_;
};

}  // namespace

std::unique_ptr<Collector> MakePressureCollector(const std::string& root) {
  return std::make_unique<PressureCollector>(root);
}

}  // namespace warden::monitor
