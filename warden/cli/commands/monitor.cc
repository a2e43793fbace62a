#include "warden/monitor/monitor.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <mutex>
#include <thread>

#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/interrupt.h"
#include "warden/cli/machine_summary.h"
#include "warden/cli/text.h"
#include "warden/config/profiler_config.h"
#include "warden/monitor/metric.h"
#include "warden/monitor/node_name.h"

namespace warden::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How soon Ctrl-C is noticed and lines of JSON are written.
constexpr milliseconds kBreath(20);
constexpr milliseconds kShortestRefresh(200);
constexpr milliseconds kMonitorLineInterval(1000);
// Limit for unread lines.
constexpr size_t kMostUnread = size_t{16} << 20;
constexpr double kMostSeconds = 1e9;
constexpr char kUp[] = "\x1b[{}A";
constexpr char kClearLine[] = "\x1b[K";

struct MonitorCommandOptions {
  std::string interval = "500";
  std::string out;
  std::string duration;
  std::string pid;
  bool json = false;
  bool catalogue = false;
};

// Passes samples from the monitor's thread to the one that prints.
class Ticks {
 public:
  Ticks(bool json, std::string node) : json_(json), node_(std::move(node)) {}

  void Take(const monitor::Tick& tick, const monitor::Slots& slots) {
    const std::lock_guard lock(mutex_);
    summary_.Take(tick, slots);
    if (!json_) return;
    if (unread_.size() > kMostUnread) {
      ++lost_;
    } else {
      AppendTick(tick, slots, node_, &unread_);
    }
  }

  std::string TakeUnread() {
    const std::lock_guard lock(mutex_);
    return std::exchange(unread_, {});
  }
  MachineSummary summary() const {
    const std::lock_guard lock(mutex_);
    return summary_;
  }
  int64_t lost() const {
    const std::lock_guard lock(mutex_);
    return lost_;
  }

 private:
  const bool json_;
  const std::string node_;
  mutable std::mutex mutex_;
  MachineSummary summary_;
  std::string unread_;
  int64_t lost_ = 0;
};

// A screen that is redrawn, or, without a terminal, one line after the other.
class Display {
 public:
  Display(milliseconds interval, Output* out)
      : out_(out),
        interval_(std::max(interval,
                           out->terminal().interactive ? kShortestRefresh : kMonitorLineInterval)),
        next_(Clock::now() + interval_) {}

  void Moment(const Ticks& ticks) {
    if (Clock::now() < next_) return;
    next_ += interval_;
    if (!out_->terminal().interactive) {
      out_->Print("{}\n", ticks.summary().Line());
      return;
    }
    if (lines_ > 0) out_->Print(kUp, lines_);
    const auto lines = ticks.summary().Lines(out_->terminal());
    for (const std::string& line : lines) out_->Print("{}{}\n", line, kClearLine);
    lines_ = lines.size();
  }

 private:
  Output* out_;
  const milliseconds interval_;
  Clock::time_point next_;
  size_t lines_ = 0;
};

Status Refused(const char* flag, const std::string& text, const char* accepted) {
  return Status(Code::kInvalid, fmt::format("{} is '{}'; expected {}", flag, text, accepted));
}

struct Request {
  monitor::MonitorOptions monitor;
  Clock::time_point end = Clock::time_point::max();
};

Result<Request> ReadOptions(const MonitorCommandOptions& options) {
  Request request;
  const auto interval = ParseInt(options.interval);
  if (!interval || !config::CheckInterval(*interval).ok()) {
    return Refused("--interval", options.interval, "milliseconds, an integer from 1 to 60000");
  }
  request.monitor.interval = milliseconds(*interval);
  request.monitor.folder = options.out;
  request.monitor.node = monitor::NodeName();
  if (!options.pid.empty()) {
    const auto pid = ParseInt(options.pid);
    if (!pid || *pid < 1 || *pid > std::numeric_limits<pid_t>::max()) {
      return Refused("--pid", options.pid, "a process ID");
    }
    request.monitor.training = static_cast<pid_t>(*pid);
  }
  if (!options.duration.empty()) {
    const auto seconds = ParseDouble(options.duration);
    // Also false for NaN.
    if (!seconds || !(*seconds >= 0 && *seconds <= kMostSeconds)) {
      return Refused("--duration", options.duration, "seconds, 0 or more");
    }
    request.end = Clock::now() + milliseconds(std::llround(*seconds * 1000));
  }
  return request;
}

Status Show(const MonitorCommandOptions& options, Clock::time_point end, milliseconds interval,
            Ticks* ticks, Output* out) {
  Display display(interval, out);
  const bool shows = !options.json && (options.out.empty() || out->terminal().interactive);
  // Without output the loop only waits for Ctrl-C.
  const milliseconds breath = options.json || shows ? kBreath : 25 * kBreath;
  while (!Interrupted() && Clock::now() < end) {
    std::this_thread::sleep_for(std::min<Clock::duration>(breath, end - Clock::now()));
    if (options.json) out->Write(ticks->TakeUnread());
    if (shows) display.Moment(*ticks);
    if (const Status status = out->Flush(); !status.ok()) return status;
  }
  return Status();
}

Result<int> Sample(const MonitorCommandOptions& options, Output* out) {
  if (options.catalogue) {
    out->Write(monitor::CatalogueMarkdown());
    return kDone;
  }
  auto request = ReadOptions(options);
  if (!request.ok()) return request.status();
  Ticks ticks(options.json, request.value().monitor.node);
  const milliseconds interval = request.value().monitor.interval;
  request.value().monitor.on_tick =
      [&ticks](const monitor::Tick& tick, const monitor::Slots& slots) { ticks.Take(tick, slots); };
  CatchInterrupts();
  // Files are finished even if the reader of standard output is gone.
  if (!options.out.empty()) std::signal(SIGPIPE, SIG_IGN);
  auto monitor = monitor::Monitor::Start(std::move(request.value().monitor));
  if (!monitor.ok()) return monitor.status();
  const Status shown = Show(options, request.value().end, interval, &ticks, out);
  monitor.value()->Stop();
  if (options.json) out->Write(ticks.TakeUnread());
  if (ticks.lost() > 0) {
    out->Tell(fmt::format("{} dropped: output was not read fast enough",
                          CountOf(ticks.lost(), "sample")));
  }
  if (const int64_t missed = monitor.value()->missed(); missed > 0) {
    out->Tell(fmt::format("{} of {} missed: the machine was too busy", missed,
                          CountOf(missed + monitor.value()->ticks(), "sample")));
  }
  if (!shown.ok()) return shown;
  return kDone;
}

void DefineMonitor(Command* command) {
  auto options = std::make_shared<MonitorCommandOptions>();
  command->Text("--interval", &options->interval, "Milliseconds between samples (default: 500)");
  command->Text("--out", &options->out,
                "Folder for the metrics files, for example profiler-output/ of a run");
  command->Text("--duration", &options->duration,
                "Stop after this many seconds (default: until Ctrl-C)");
  command->Text("--pid", &options->pid,
                "Process ID of the training; its child processes are included");
  command->Json(&options->json);
  command->Switch("--catalogue", &options->catalogue,
                  "Print the list of metrics as a Markdown table and exit");
  command->Exclusive({"--json", "--catalogue"});
  command->Footer(
      "Samples CPU, memory, disks, network, pressure stalls and GPUs. On a terminal it shows the\n"
      "current values; --json prints one line per metric and sample, in the format of the files.\n"
      "\n"
      "Examples:\n"
      "  warden monitor\n"
      "  warden monitor --interval 100 --duration 60 --out runs/a/profiler-output --pid 4711\n"
      "  warden monitor --json | grep GPUUtilization");
  command->Runs(options, Sample);
}

}  // namespace

CommandEntry MonitorTheMachine() {
  return {"monitor", "Show CPU, memory, disk, network and GPU usage", DefineMonitor};
}

}  // namespace warden::cli
