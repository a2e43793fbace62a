// Traffic to and from swap, from /proc/vmstat.
#include <unistd.h>

#include <optional>
#include <string>

#include "warden/monitor/collectors.h"
#include "warden/monitor/scan.h"
#include "warden/monitor/source_file.h"

namespace warden::monitor {
namespace {

class SwapCollector : public Collector {
 public:
  explicit SwapCollector(const std::string& root)
      : vmstat_(root + "/proc/vmstat"), page_(static_cast<double>(sysconf(_SC_PAGESIZE))) {}

  // A long file, of which two lines are wanted.
  std::chrono::milliseconds pace() const override { return std::chrono::milliseconds(500); }

  void Collect(const Moment& now, Slots* slots, Tick* tick) override {
    const std::string_view text = vmstat_.Read();
    const auto in = CountNamed(text, "pswpin");
    const auto out = CountNamed(text, "pswpout");
    if (!in || !out) return;
    const double seconds = stopwatch_.Lap(now.ns);
    if (seconds > 0) {
      tick->Put(slots->Of(Metric::kSwapIn), Growth(in_, *in) * page_ / seconds);
      tick->Put(slots->Of(Metric::kSwapOut), Growth(out_, *out) * page_ / seconds);
    }
    in_ = *in;
    out_ = *out;
  }

  void Restart() override { stopwatch_.Restart(); }

 private:
  SourceFile vmstat_;
  const double page_;
  Stopwatch stopwatch_;
  uint64_t in_ = 0;
  uint64_t out_ = 0;
};

}  // namespace

std::unique_ptr<Collector> MakeSwapCollector(const std::string& root) {
  return std::make_unique<SwapCollector>(root);
}

}  // namespace warden::monitor
