// What is left on the disk that the run is written to.
#include <sys/statvfs.h>

#include <string>
#include <utility>

#include "warden/monitor/collectors.h"

namespace warden::monitor {
namespace {

class SpaceCollector : public Collector {
 public:
  explicit SpaceCollector(std::string folder) : folder_(std::move(folder)) {}

  // It fills slowly, and on a network the question costs a message.
  std::chrono::milliseconds pace() const override { return std::chrono::milliseconds(1000); }

  void Collect(const Moment& /*now*/, Slots* slots, Tick* tick) override {
    struct statvfs info{};
    if (statvfs(folder_.c_str(), &info) != 0 || info.f_blocks == 0) return;
    // Blocks that only root may use count as neither.
    const auto free = static_cast<double>(info.f_bavail);
    const auto used = static_cast<double>(info.f_blocks) - static_cast<double>(info.f_bfree);
    if (used + free <= 0) return;
    tick->Put(slots->Of(Metric::kSpaceUsed), 100 * used / (used + free));
    tick->Put(slots->Of(Metric::kSpaceFree), free * static_cast<double>(info.f_frsize));
  }

  void Restart() override {}

 private:
  const std::string folder_;
};

}  // namespace

std::unique_ptr<Collector> MakeSpaceCollector(const std::string& folder) {
  return std::make_unique<SpaceCollector>(folder);
}

}  // namespace warden::monitor
