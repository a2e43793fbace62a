#ifndef WARDEN_VIEW_METRICS_RUN_METRICS_H_
#define WARDEN_VIEW_METRICS_RUN_METRICS_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "warden/view/metrics/node_table.h"
#include "warden/view/metrics/queries.h"
#include "warden/view/metrics/step_times.h"

namespace warden::view {

struct RunMetricsOptions {
  // What is kept of metrics, in bytes; of what is beyond, the oldest detail is given up.
  size_t budget = size_t{128} << 20;
};

// How far reading has come, in bytes of files.
struct MetricsRead {
  uint64_t read = 0;
  uint64_t total = 0;
  bool done = false;  // Nothing more is there by now.
};

// What the machines of a run did, and when its steps were: the profiler's folder, read once in the
// background and followed while it grows. Safe for many threads.
class RunMetrics {
 public:
  // folder: has system/ and framework/, now or later; empty: has nothing.
  explicit RunMetrics(std::string folder, const RunMetricsOptions& options = {});
  ~RunMetrics();
  RunMetrics(const RunMetrics&) = delete;
  RunMetrics& operator=(const RunMetrics&) = delete;

  // When the last moment was; nothing before the first. Returns at once.
  std::optional<double> last_time() const;
  MetricsRead state() const;
  // Waits until all that is there by now has been read.
  void WaitUntilRead();
  // Waits until that is so for the first time, but not for longer: a page that is opened need not
  // show an empty run first.
  void WaitAtFirst(std::chrono::milliseconds most) const;

  // All nodes by name, during the call.
  using Nodes = std::map<std::string, std::unique_ptr<NodeTable>, std::less<>>;
  void Look(const std::function<void(const Nodes&)>& look) const;
  void LookAtSteps(const std::function<void(const StepTimes&)>& look) const;

  // Files that could not be read, and those with broken lines.
  std::vector<std::string> problems() const;
  size_t bytes() const;

 private:
  void Work();
  // Gives up detail until all of it is within the budget.
  void KeepBudget();

  const std::string folder_;
  const RunMetricsOptions options_;

  mutable std::shared_mutex data_;  // Guards what follows.
  Nodes nodes_;
  StepTimes steps_;
  std::vector<std::string> problems_;

  mutable std::mutex mutex_;  // Guards what follows.
  mutable std::condition_variable changed_;
  std::optional<double> last_time_;
  MetricsRead state_;
  uint64_t rounds_ = 0;  // Looked for news so many times.
  bool stop_ = false;

  std::thread thread_;  // Last: it uses all others.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_RUN_METRICS_H_
