#include "warden/view/metrics/run_metrics.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "warden/view/metrics/metrics_reader.h"

namespace warden::view {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(200);
// A run that says nothing is looked at less often.
constexpr auto kLookSeldom = std::chrono::milliseconds(1000);
constexpr int kQuietRounds = 50;

}  // namespace

RunMetrics::RunMetrics(std::string folder, const RunMetricsOptions& options)
    : folder_(std::move(folder)), options_(options) {
  if (folder_.empty()) {
    state_.done = true;
    return;
  }
  thread_ = std::thread([this] { Work(); });
}

RunMetrics::~RunMetrics() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void RunMetrics::Work() {
  MetricsReader reader(folder_);
  int quiet = 0;
  const auto stopped = [this] {
    const std::lock_guard lock(mutex_);
    return stop_;
  };
  while (true) {
    reader.List();
    bool any = false;
    for (bool more = true; more && !stopped();) {
      {
        const std::unique_lock lock(data_);
        more = reader.Advance({&nodes_, &steps_, &problems_});
        if (more) KeepBudget();
      }
      any = any || more;
      const std::lock_guard lock(mutex_);
      state_ = {reader.bytes_read(), std::max(reader.bytes_total(), reader.bytes_read()), !more};
      last_time_ = reader.last_time();
    }
    quiet = any ? 0 : quiet + 1;
    std::unique_lock lock(mutex_);
    ++rounds_;
    changed_.notify_all();
    changed_.wait_for(lock, quiet > kQuietRounds ? kLookSeldom : kLookEvery,
                      [this] { return stop_; });
    if (stop_) return;
  }
}

void RunMetrics::KeepBudget() {
  const auto all = [this] {
    size_t bytes = 0;
    for (const auto& [name, node] : nodes_) bytes += node->bytes();
    return bytes;
  };
  for (size_t level = 0; level < kMetricLevelsAtMost && all() > options_.budget;) {
    const auto spare = [&](const auto& a, const auto& b) {
      return a.second->Spare(level) < b.second->Spare(level);
    };
    const auto largest = std::max_element(nodes_.begin(), nodes_.end(), spare);
    if (largest->second->Spare(level) == 0) {
      ++level;
    } else {
      largest->second->GiveUp(level);
    }
  }
}

std::optional<double> RunMetrics::last_time() const {
  const std::lock_guard lock(mutex_);
  return last_time_;
}

MetricsRead RunMetrics::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void RunMetrics::WaitUntilRead() {
  std::unique_lock lock(mutex_);
  if (folder_.empty()) return;
  // The round that goes on may have looked already; the next one sees all.
  const uint64_t wanted = rounds_ + 2;
  changed_.wait(lock, [&] { return stop_ || rounds_ >= wanted; });
}

void RunMetrics::WaitAtFirst(std::chrono::milliseconds most) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [this] { return stop_ || folder_.empty() || rounds_ > 0; });
}

void RunMetrics::Look(const std::function<void(const Nodes&)>& look) const {
  const std::shared_lock lock(data_);
  look(nodes_);
}

void RunMetrics::LookAtSteps(const std::function<void(const StepTimes&)>& look) const {
  const std::shared_lock lock(data_);
  look(steps_);
}

std::vector<std::string> RunMetrics::problems() const {
  const std::shared_lock lock(data_);
  return problems_;
}

size_t RunMetrics::bytes() const {
  const std::shared_lock lock(data_);
  size_t bytes = 0;
  for (const auto& [name, node] : nodes_) bytes += node->bytes();
  return bytes;
}

}  // namespace warden::view
