#ifndef WARDEN_MONITOR_MONITOR_H_
#define WARDEN_MONITOR_MONITOR_H_

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

struct MonitorOptions {
  // Of the profiler. Empty: the configuration's LocalPath, or nothing is written.
  std::string folder = {};
  std::string node = {};  // Empty: NodeName().
  std::chrono::milliseconds interval{500};
  std::string config_file = {};  // A ProfilerConfig, followed while it changes. Empty: none.
  pid_t training = 0;            // The root of the training's processes; 0: none.
  bool marks_end = true;         // False where others watch the same job.
  // Called with each tick, on the monitor's thread.
  std::function<void(const Tick&, const Slots&)> on_tick = {};
  std::string root = {};  // Stands before /proc and /sys.
};

// Watches the machine from a thread of its own, which gets no signals. With a configuration file
// the interval, and whether anything is measured at all, are what that says. Safe for many threads.
class Monitor {
 public:
  // kInvalid for an interval that cannot be kept, a node that is none, or a training that is not
  // there; kUnavailable if there is no thread to be had.
  static Result<std::unique_ptr<Monitor>> Start(MonitorOptions options);
  ~Monitor() { Stop(); }
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  // Ends within 50 ms at any interval; files are finished and the end of the job is marked, unless
  // the options say otherwise.
  void Stop();

  Status SetInterval(std::chrono::milliseconds interval);
  void SetEnabled(bool enabled);

  int64_t ticks() const { return ticks_; }
  // Ticks that were passed over because one before them took too long.
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
  void FollowConfiguration();
  void Apply(const Settings& wanted);
  void TakeTick(int64_t now_ns);

  const MonitorOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;         // By mutex_, as are
  bool was_changed_ = false;  // and
  Settings wanted_;

  // Of the thread.
  std::optional<config::ProfilerConfigWatch> watch_;
  std::optional<Sampler> sampler_;
  std::optional<MetricFileWriter> writer_;
  Ticker ticker_;
  bool on_ = false;

  std::atomic<int64_t> ticks_{0};
  std::atomic<int64_t> missed_{0};
  std::thread thread_;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_MONITOR_H_
