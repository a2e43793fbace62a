#include "warden/monitor/monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "warden/base/log.h"
#include "warden/monitor/collectors.h"
#include "warden/monitor/node_name.h"
#include "warden/os/blocked_signals.h"
#include "warden/os/process_table.h"

namespace warden::monitor {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

// How often the configuration file is looked at.
constexpr nanoseconds kBetweenLooks = std::chrono::milliseconds(200);
// Where nothing is to be done until somebody says so.
constexpr nanoseconds kLongSleep = std::chrono::hours(1);

int64_t NowNs() { return nanoseconds(Clock::now().time_since_epoch()).count(); }

double WallSeconds() {
  const nanoseconds since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<double>(since_1970.count()) / 1e9;
}

}  // namespace

Monitor::Monitor(MonitorOptions options)
    : options_(std::move(options)), ticker_(NowNs(), nanoseconds(options_.interval).count()) {
  wanted_.interval = options_.interval;
  wanted_.folder = options_.folder;
  if (!options_.config_file.empty()) watch_.emplace(options_.config_file);
}

Result<std::unique_ptr<Monitor>> Monitor::Start(MonitorOptions options) {
  if (const Status status = config::CheckInterval(options.interval.count()); !status.ok()) {
    return status;
  }
  if (options.node.empty()) options.node = NodeName();
  if (!IsNodeName(options.node)) {
    return Status(Code::kInvalid,
                  fmt::format("node is '{}'; expected algo-1, algo-2, ...", options.node));
  }
  if (options.training != 0 && options.root.empty() && !os::StartOfProcess(options.training)) {
    return Status(Code::kInvalid, fmt::format("process {} does not exist", options.training));
  }
  std::unique_ptr<Monitor> monitor(new Monitor(std::move(options)));
  const os::BlockedSignals blocked;
  try {
    monitor->thread_ = std::thread([raw = monitor.get()] { raw->Work(); });
  } catch (const std::system_error& error) {
    return Status(Code::kUnavailable,
                  fmt::format("cannot start the monitor thread: {}", error.what()));
  }
  return monitor;
}

void Monitor::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

Status Monitor::SetInterval(std::chrono::milliseconds interval) {
  if (const Status status = config::CheckInterval(interval.count()); !status.ok()) return status;
  const std::lock_guard lock(mutex_);
  wanted_.interval = interval;
  was_changed_ = true;
  changed_.notify_all();
  return Status();
}

void Monitor::SetEnabled(bool enabled) {
  const std::lock_guard lock(mutex_);
  wanted_.enabled = enabled;
  was_changed_ = true;
  changed_.notify_all();
}

void Monitor::Work() {
  sampler_.emplace(MakeCollectors(options_.root, options_.training, options_.folder));
  std::unique_lock lock(mutex_);
  was_changed_ = true;
  while (!stop_) {
    FollowConfiguration();
    if (std::exchange(was_changed_, false)) {
      const Settings wanted = wanted_;
      lock.unlock();
      Apply(wanted);
      lock.lock();
    }
    const int64_t now_ns = NowNs();
    if (on_ && now_ns >= ticker_.next_ns()) {
      lock.unlock();
      TakeTick(now_ns);
      lock.lock();
      continue;
    }
    int64_t wake_ns = on_ ? ticker_.next_ns() : now_ns + kLongSleep.count();
    if (watch_) wake_ns = std::min(wake_ns, now_ns + kBetweenLooks.count());
    changed_.wait_until(lock, Clock::time_point(nanoseconds(wake_ns)),
                        [&] { return stop_ || was_changed_; });
  }
  lock.unlock();
  sampler_.reset();
  if (!writer_) return;
  if (!options_.marks_end) {
    writer_->FinishFile();
    return;
  }
  const Status closed = writer_->Close();
  if (!closed.ok()) LogWarning("system metrics: {}", closed.message());
}

// Looks at the file at most every 200 ms, and holds the lock meanwhile: others only want to change
// what is changed here.
void Monitor::FollowConfiguration() {
  if (!watch_) return;
  const auto change = watch_->Poll(Clock::now());
  if (!change) return;
  if (change->broken) {
    LogWarning("system metrics disabled: {}", change->message);
  } else if (!change->message.empty()) {
    LogInfo("system metrics: {}", change->message);
  }
  wanted_.configured = change->config.enabled;
  if (!change->broken) wanted_.interval = change->config.interval;
  if (options_.folder.empty() && !change->broken) wanted_.folder = change->config.local_path;
  was_changed_ = true;
}

void Monitor::Apply(const Settings& wanted) {
  const bool on = wanted.enabled && wanted.configured;
  const int64_t interval_ns = nanoseconds(wanted.interval).count();
  if (writer_) writer_->Flush();
  if (writer_ && !on) writer_->FinishFile();
  if (interval_ns != ticker_.interval_ns()) ticker_.SetInterval(NowNs(), interval_ns);
  if (on && !on_) {
    sampler_->Restart();
    ticker_.Restart(NowNs());
  }
  on_ = on;
  std::string folder = wanted.folder;
  if (!folder.empty() && !folder.ends_with('/')) folder += '/';
  if (!on || folder == (writer_ ? writer_->folder() : "")) return;
  writer_.reset();
  if (!folder.empty()) writer_.emplace(folder, options_.node);
}

void Monitor::TakeTick(int64_t now_ns) {
  ticker_.Advance(now_ns);
  const Moment moment{now_ns, nanoseconds(ticker_.interval_ns())};
  const Tick& tick = sampler_->Sample(moment, WallSeconds());
  if (writer_) writer_->Write(tick, sampler_->slots());
  if (options_.on_tick) options_.on_tick(tick, sampler_->slots());
  ++ticks_;
  missed_ = ticker_.missed();
}

}  // namespace warden::monitor
