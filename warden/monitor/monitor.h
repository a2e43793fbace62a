#ifndef WARDEN_MONITOR_MONITOR_H_
#define WARDEN_MONITOR_MONITOR_H_

// The machine while something trains on it. Collectors (collectors.h) measure, a Sampler makes
// ticks of it, MetricFileWriter writes them; this runs them in time, and follows the configuration
// that a client may change while the job runs.

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "warden/base/status.h"
#include "warden/config/profiler_config.h"
#include "warden/monitor/metric_file_writer.h"
#include "warden/monitor/sampler.h"
#include "warden/monitor/ticker.h"

namespace warden::monitor {

// What a monitor measures and where it writes. The defaults measure the machine every 500 ms and
// keep nothing. A plain value. Nothing is checked before Start.
struct MonitorOptions {
  // The profiler's folder, in which metric files are written. Empty: the configuration's LocalPath,
  // or nothing is written.
  std::string folder = {};
  // As IsNodeName (node_name.h): part of each line and file name.
  std::string node = {};  // Empty: NodeName().
  // Between ticks: 1 ms to 60 s. With config_file, the interval there replaces it.
  std::chrono::milliseconds interval{500};
  // A ProfilerConfig, which is looked at every 200 ms while the monitor runs. One that cannot be
  // read disables measuring until it can. Empty: none.
  std::string config_file = {};
  // The root of the training's processes: what it started counts, too, and is looked for in each
  // tick. 0: only the machine is measured.
  pid_t training = 0;
  // Whether Stop() writes that the job has ended, for which readers wait. False where others watch
  // the same job.
  bool marks_end = true;
  // Called with each tick, on the monitor's thread, and delays the next one. The references are
  // valid during the call. Must not call Stop.
  std::function<void(const Tick&, const Slots&)> on_tick = {};
  // Stands before /proc and /sys. For tests.
  std::string root = {};
};

// Watches the machine from a separate thread, which gets no signals. With a configuration file that
// file decides the interval, and whether anything is measured at all. Used by `warden monitor`,
// `warden run` and the agent of each host of a job. Safe for many threads, except that Stop and the
// destructor are for one.
//
//   MonitorOptions options;
//   options.folder = run + "/profiler-output";
//   options.training = pid;
//   auto monitor = Monitor::Start(std::move(options));
//   if (!monitor.ok()) return monitor.status();
//   ...
//   monitor.value()->Stop();
//
// Ticks are at multiples of the interval, not after one another: a slow tick makes later ones
// missed, not late. Errors after the start are logged, and the training is never affected.
class Monitor {
 public:
  // kInvalid for an interval out of range, a node name that is not accepted, or a training process
  // that does not exist; kUnavailable if no thread can be started. Whether the folder can be
  // written is found out later, and logged: it is not an error here.
  static Result<std::unique_ptr<Monitor>> Start(MonitorOptions options);
  ~Monitor() { Stop(); }
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  // Ends within 50 ms at any interval; files are finished and the end of the job is marked, unless
  // the options say otherwise. A second call does nothing.
  void Stop();

  // From the next tick on; kInvalid if out of range. Returns at once. The configuration file wins
  // when it changes the next time.
  Status SetInterval(std::chrono::milliseconds interval);
  // Pauses and resumes. Measures only if the configuration file allows it too. Returns at once.
  void SetEnabled(bool enabled);

  // Ticks since the start.
  int64_t ticks() const { return ticks_; }
  // Ticks that were skipped because one before them took too long.
  int64_t missed() const { return missed_; }

 private:
  struct Settings {
    bool enabled = true;     // By the program,
    bool configured = true;  // and by the configuration file.
    std::chrono::milliseconds interval{500};
    std::string folder;
  };

  explicit Monitor(MonitorOptions options);
  void Work();
  // Under mutex_.
  void FollowConfiguration();
  // Not under mutex_: it writes to the disk. Another folder begins a new file; switched off, the
  // file is finished, so that readers do not wait for it.
  void Apply(const Settings& wanted);
  void TakeTick(int64_t now_ns);

  const MonitorOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;         // By mutex_, as are the next two.
  bool was_changed_ = false;  // wanted_ is to be applied.
  Settings wanted_;

  // Of the thread.
  std::optional<config::ProfilerConfigWatch> watch_;
  std::optional<Sampler> sampler_;
  std::optional<MetricFileWriter> writer_;
  Ticker ticker_;
  // Whether ticks are taken: enabled and configured.
  bool on_ = false;

  std::atomic<int64_t> ticks_{0};
  std::atomic<int64_t> missed_{0};
  std::thread thread_;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_MONITOR_H_
