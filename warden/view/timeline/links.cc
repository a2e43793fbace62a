#include "warden/view/timeline/links.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace warden::view {
namespace {

// An operator is written with the kernels of its steps or never.
constexpr int kTries = 4;

}  // namespace

LinkTable::LinkTable(const EventStore& store, std::vector<Link> links) : links_(std::move(links)) {
  std::sort(links_.begin(), links_.end(), [&](const Link& a, const Link& b) {
    const int64_t first = store.start(a.launch);
    const int64_t second = store.start(b.launch);
    if (first != second) return first < second;
    return a.launch != b.launch ? a.launch < b.launch : a.run < b.run;
  });
  by_run_.resize(links_.size());
  std::iota(by_run_.begin(), by_run_.end(), uint32_t{0});
  std::sort(by_run_.begin(), by_run_.end(),
            [&](uint32_t a, uint32_t b) { return links_[a].run < links_[b].run; });
  for (const Link& link : links_) {
    longest_ns_ = std::max(longest_ns_, store.start(link.run) - store.start(link.launch));
  }
}

std::vector<Link> LinkTable::Of(const EventStore& store, EventId id, size_t most) const {
  std::vector<Link> found;
  auto run = std::partition_point(by_run_.begin(), by_run_.end(),
                                  [&](uint32_t place) { return links_[place].run < id; });
  for (; run != by_run_.end() && links_[*run].run == id && found.size() < most; ++run) {
    found.push_back(links_[*run]);
  }
  const int64_t start = store.start(id);
  auto launch = std::partition_point(links_.begin(), links_.end(), [&](const Link& link) {
    const int64_t other = store.start(link.launch);
    return other != start ? other < start : link.launch < id;
  });
  for (; launch != links_.end() && launch->launch == id && found.size() < most; ++launch) {
    found.push_back(*launch);
  }
  return found;
}

std::vector<Link> LinkTable::In(const EventStore& store, int64_t from_ns, int64_t to_ns,
                                const std::function<bool(const Link&)>& wanted, size_t most,
                                size_t* total) const {
  // What was launched long before the window may run in it.
  auto at = std::partition_point(links_.begin(), links_.end(), [&](const Link& link) {
    return store.start(link.launch) < from_ns - longest_ns_;
  });
  std::vector<Link> found;
  const auto inside = [&](EventId id) {
    return store.start(id) < to_ns && store.end(id) >= from_ns;
  };
  // A run that begins before its launch, which clocks may make so, is found by its launch alone.
  for (; at != links_.end() && store.start(at->launch) < to_ns; ++at) {
    if ((inside(at->launch) || inside(at->run)) && wanted(*at)) found.push_back(*at);
  }
  *total = found.size();
  if (found.size() <= most) return found;
  std::vector<Link> some;
  some.reserve(most);
  for (size_t i = 0; i < most; ++i) some.push_back(found[i * found.size() / most]);
  return some;
}

void LinkFinder::BeginFile() {
  launches_ = {};
  waiting_ = {};
}

void LinkFinder::AddCorrelated(EventId id, bool on_gpu, int64_t correlation) {
  if (on_gpu) {
    const auto launch = launches_.find(correlation);
    if (launch != launches_.end()) {
      found_.push_back({launch->second, id});
    } else {
      waiting_.emplace(correlation, id);
    }
    return;
  }
  launches_[correlation] = id;
  const auto [begin, end] = waiting_.equal_range(correlation);
  for (auto run = begin; run != end; ++run) found_.push_back({id, run->second});
  waiting_.erase(begin, end);
}

void LinkFinder::AddNamed(const Wanted& wanted) { named_.push_back({wanted}); }

std::vector<Link> LinkFinder::Take(const FindLaunch& find) {
  std::erase_if(named_, [&](Try& one) {
    EventId launch = 0;
    if (!find(one.wanted, &launch)) return ++one.times == kTries;
    found_.push_back({launch, one.wanted.run});
    return true;
  });
  named_.shrink_to_fit();
  return std::exchange(found_, {});
}

}  // namespace warden::view
