#ifndef WARDEN_VIEW_METRICS_RUN_METRICS_H_
#define WARDEN_VIEW_METRICS_RUN_METRICS_H_

// System metrics of a run, read in the background: what the dashboard's charts of the machines
// show. Used by dashboard/metrics, one object for each run that somebody looks at.
//
//   RunMetrics metrics("runs/1/profiler-output");
//   metrics.WaitAtFirst(std::chrono::seconds(1));
//   metrics.Look([&](const RunMetrics::Nodes& nodes) { Draw(nodes); });

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

// Limits for one run. Detail of the largest node goes first, finest level first; the whole run
// stays visible.
struct RunMetricsOptions {
  // What is kept of metrics, in bytes; beyond it, the oldest detail is dropped.
  size_t budget = size_t{128} << 20;
};

// How far reading has come, in bytes of files.
struct MetricsRead {
  uint64_t read = 0;
  uint64_t total = 0;
  bool done = false;  // Nothing more is there by now; more may come.
};

// What the machines of a run did, and when its steps were: the profiler's folder, read once in the
// background and followed while it grows. Safe for many threads. Looks for news five times a
// second, and once a second after ten quiet ones.
class RunMetrics {
 public:
  // Starts a thread and returns. folder: has system/ and framework/, now or later; empty: has
  // nothing, and there is no thread.
  explicit RunMetrics(std::string folder, const RunMetricsOptions& options = {});
  // Stops the thread and waits for it.
  ~RunMetrics();
  RunMetrics(const RunMetrics&) = delete;
  RunMetrics& operator=(const RunMetrics&) = delete;

  // When the last moment was, in seconds since 1970; nothing before the first. Returns at once.
  std::optional<double> last_time() const;
  MetricsRead state() const;
  // Waits until all that is there by now has been read, however long it takes. For tests and
  // exports. Waits for two rounds: the one that is under way may have listed the files before they
  // were there.
  void WaitUntilRead();
  // Waits until everything was read for the first time, but not longer than `most`: a page that is
  // opened need not show an empty run first.
  void WaitAtFirst(std::chrono::milliseconds most) const;

  // All nodes by name.
  using Nodes = std::map<std::string, std::unique_ptr<NodeTable>, std::less<>>;
  // Calls `look` with the nodes. They do not change during the call, and reading waits: be quick,
  // keep no references, and call no other method in it. Several threads may look at once.
  void Look(const std::function<void(const Nodes&)>& look) const;
  // The same for the steps.
  void LookAtSteps(const std::function<void(const StepTimes&)>& look) const;

  // Texts for users: files that could not be read, and files with broken lines.
  std::vector<std::string> problems() const;
  // Memory of all nodes, by their own estimate.
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
