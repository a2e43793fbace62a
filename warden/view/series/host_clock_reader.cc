#include "warden/view/series/host_clock_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "warden/base/reduction.h"
#include "warden/storage/store.h"
#include "warden/view/series/rank_list.h"
#include "warden/view/series/worker_place.h"

namespace warden::view {
namespace {

constexpr std::string_view kExchangeEnd = "training/exchange_end";
constexpr size_t kMostClockSteps = 200;
// Of fewer differences nobody can say how far they spread.
constexpr int64_t kFewestExchanges = 3;

// The first worker of a host.
struct HostTimes {
  WorkerPlace place;
  RankTimes::ByStep exchange_end;
};

RankTimes::ByStep EndsOf(const trial::Trial& trial, const std::string& worker,
                         const std::vector<Step>& steps) {
  RankTimes::ByStep ends;
  const size_t count = std::min(steps.size(), kMostClockSteps);
  for (size_t i = 0; i < count; ++i) {
    const Step step = steps[i * steps.size() / count];
    const auto value = trial.ReductionValue(kExchangeEnd, step, Reduction{ReductionOp::kMean},
                                            Mode::kGlobal, worker);
    if (value.ok() && std::isfinite(value.value())) ends.emplace(step, value.value());
  }
  return ends;
}

int64_t Microseconds(double seconds) { return std::llround(seconds * 1e6); }

bool IsEvidence(const ClockOffset& offset) {
  // What is more than a year is not the offset of a clock.
  constexpr double kLongest = 3.2e7;
  const double distance = std::abs(offset.seconds);
  return offset.exchanges >= kFewestExchanges && distance > offset.error && distance < kLongest;
}

}  // namespace

timeline::HostClocks ReadHostClocks(const trial::Trial& trial) {
  if (trial.workers().size() < 2) return {};
  const auto steps = trial.TensorSteps(kExchangeEnd);
  if (!steps.ok()) return {};
  std::vector<HostTimes> hosts;
  for (const std::string& worker : SortedByRank(trial.workers())) {
    WorkerPlace place = PlaceOf(trial, worker);
    const auto is_same = [&](const HostTimes& other) { return other.place.host == place.host; };
    if (place.host.empty() || std::ranges::any_of(hosts, is_same)) continue;
    hosts.push_back({std::move(place), EndsOf(trial, worker, steps.value())});
  }
  timeline::HostClocks clocks;
  for (const auto& [place, ends] : hosts) {
    const HostTimes& first = hosts.front();
    if (!place.boot.empty() && place.boot == first.place.boot) continue;
    const auto offset = OffsetOf(ends, first.exchange_end);
    if (!offset || !IsEvidence(*offset)) continue;
    clocks.push_back(
        {place.host, place.node, Microseconds(offset->seconds), Microseconds(offset->error)});
  }
  return clocks;
}

timeline::HostClocks HostClocksOf(const std::string& tensors, const std::string& profile) {
  if (tensors.empty() || !timeline::HasSeveralHosts(profile)) return {};
  auto store = storage::OpenStore(tensors);
  if (!store.ok()) return {};
  const auto trial = trial::Trial::Open(std::move(store.value()), trial::LookOptions());
  return trial.ok() ? ReadHostClocks(*trial.value()) : timeline::HostClocks();
}

}  // namespace warden::view
