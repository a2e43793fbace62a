#ifndef WARDEN_WATCH_BACKGROUND_WATCH_H_
#define WARDEN_WATCH_BACKGROUND_WATCH_H_

// Rules beside a training: what `warden run` does while its training runs in the foreground.
//
//   BackgroundWatch watch(std::move(task), run, &display);
//   RunChild({.started = [&](pid_t pid) { watch.Start(pid); }});
//   watch.Finish();
//   PrintSummary(watch.watched().reports, ...);

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "warden/rules/engine/engine.h"
#include "warden/watch/alarms.h"
#include "warden/watch/evaluation.h"
#include "warden/watch/local/job_registry.h"
#include "warden/watch/local/local_jobs.h"
#include "warden/watch/watch_listener.h"

namespace warden::watch {

// Rules that are ready, and what to do with their findings.
struct BackgroundTask {
  std::vector<rules::PreparedRule> rules;
  Alarms alarms;
  std::string profiler = {};    // The folder of the profiler; empty: there is none.
  bool report = false;          // Write the profiling report.
  std::string command = {};     // The training command, for the reports.
  bool xgboost_report = false;  // Write the report of an XGBoost training, if it is one.
  // Stops processes of the training on other machines; empty: there are none.
  std::function<Status()> stop_others = {};
};

// Evaluates rules on a separate thread while a training of this machine saves its run to a folder.
// Between Start and Finish nobody else uses the listener, which outlives this. Start, Finish and
// the destructor are for one thread. Without rules it does nothing.
class BackgroundWatch {
 public:
  BackgroundWatch(BackgroundTask task, std::string run, WatchListener* listener);
  ~BackgroundWatch() { Finish(); }
  BackgroundWatch(const BackgroundWatch&) = delete;
  BackgroundWatch& operator=(const BackgroundWatch&) = delete;

  // The training has started: registers it as a running job, and begins. A job that cannot be
  // registered is a problem for the listener only if a rule might have to stop it; evaluation
  // happens all the same. Signals are blocked in the thread as they are in the caller.
  void Start(pid_t pid);
  // The training has ended: evaluates and delivers the rest. Waits until what was saved has been
  // evaluated and alarms have been delivered. A second call does nothing.
  void Finish();

  // After Finish: how it ended.
  const Watched& watched() const { return watched_; }
  bool stopped_the_training() const { return jobs_.stopped_any(); }
  const std::string& stopped_by() const { return task_.alarms.stopped_by(); }

 private:
  BackgroundTask task_;
  const std::string run_;
  WatchListener* const listener_;
  LocalJobs jobs_;
  std::optional<JobEntry> entry_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
  Watched watched_;
};

}  // namespace warden::watch

#endif  // WARDEN_WATCH_BACKGROUND_WATCH_H_
