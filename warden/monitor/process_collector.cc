// The training's processes.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "warden/base/strings.h"
#include "warden/monitor/cgroup.h"
#include "warden/monitor/collectors.h"
#include "warden/monitor/process_stat.h"
#include "warden/monitor/scan.h"
#include "warden/monitor/source_file.h"
#include "warden/monitor/training_processes.h"

namespace warden::monitor {
namespace {

// How often new children are looked for, and those that are hard to find.
constexpr int64_t kSearchNs = 1'000'000'000;
constexpr int64_t kSearchAllNs = 10'000'000'000;
// A child may go on under another name after it was started; then it is what it is.
constexpr int kLooksAtName = 3;

struct Process {
  Process(pid_t number, const std::string& folder)
      : pid(number), stat_file(folder + "/stat"), io_file(folder + "/io") {}
  pid_t pid;
  SourceFile stat_file;
  SourceFile io_file;
  ProcessStat stat;
  ProcessIo io;
  bool worker = false;
  int looks = 0;
};

// Sums over processes: of what grew since the last reading, or of those that ended.
struct Totals {
  double cpu_ticks = 0;
  double child_ticks = 0;
  std::array<double, 4> io = {};  // As IoOf.

  void Add(const Process& before, const ProcessStat& stat, const ProcessIo& now) {
    cpu_ticks += Growth(before.stat.cpu_ticks, stat.cpu_ticks);
    child_ticks += Growth(before.stat.child_ticks, stat.child_ticks);
    const auto old = IoOf(before.io), fresh = IoOf(now);
    for (size_t i = 0; i < io.size(); ++i) io[i] += Growth(old[i], fresh[i]);
  }
  void AddAll(const Totals& other) {
    cpu_ticks += other.cpu_ticks;
    child_ticks += other.child_ticks;
    for (size_t i = 0; i < io.size(); ++i) io[i] += other.io[i];
  }

  static std::array<uint64_t, 4> IoOf(const ProcessIo& io) {
    return {io.read, io.written, io.disk_read, io.disk_written};
  }
};

class ProcessCollector : public Collector {
 public:
  ProcessCollector(const std::string& root, pid_t training)
      : root_(root), training_(training), cores_(CountCores(root)) {}

  std::chrono::milliseconds pace() const override { return std::chrono::milliseconds(100); }

  void Collect(const Moment& now, Slots* slots, Tick* tick) override {
    // Those that are known are read before others are looked for, so that what a child did that
    // has just ended, and now counts with its parent, is not taken for new.
    const Totals grown = ReadKnown();
    if (searched_ns_ == 0 || now.ns - searched_ns_ >= kSearchNs) Search(now.ns);
    const double seconds = stopwatch_.Lap(now.ns);
    if (processes_.empty()) return;
    if (seconds > 0) ReportRates(grown, seconds, slots, tick);
    double pages = 0, threads = 0, workers = 0;
    for (const auto& process : processes_) {
      pages += static_cast<double>(process->stat.pages);
      threads += static_cast<double>(process->stat.threads);
      workers += process->worker ? 1 : 0;
    }
    tick->Put(slots->Of(Metric::kProcessMemory), pages * page_);
    tick->Put(slots->Of(Metric::kProcessThreads), threads);
    tick->Put(slots->Of(Metric::kProcessCount), static_cast<double>(processes_.size()));
    tick->Put(slots->Of(Metric::kProcessWorkers), workers);
  }

  void Restart() override {
    stopwatch_.Restart();
    processes_.clear();
    searched_ns_ = searched_all_ns_ = 0;
    just_ended_ = Totals();
  }

 private:
  static double CountCores(const std::string& root) {
    const std::vector<bool> allowed = FindCores(root);
    const auto count = std::count(allowed.begin(), allowed.end(), true);
    return static_cast<double>(count > 0 ? count : std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  }

  std::string FolderOf(pid_t pid) const { return root_ + "/proc/" + std::to_string(pid); }

  void ReportRates(const Totals& grown, double seconds, Slots* slots, Tick* tick) const {
    const double cpu_s = (grown.cpu_ticks + grown.child_ticks) / ticks_per_s_;
    tick->Put(slots->Of(Metric::kProcessCpu), std::min(100 * cpu_s / (seconds * cores_), 100.0));
    constexpr std::array<Metric, 4> kIo = {Metric::kProcessRead, Metric::kProcessWrite,
                                           Metric::kProcessDiskRead, Metric::kProcessDiskWrite};
    for (size_t i = 0; i < kIo.size(); ++i) tick->Put(slots->Of(kIo[i]), grown.io[i] / seconds);
  }

  Totals ReadKnown() {
    Totals grown;
    Totals ended;
    for (auto& process : processes_) {
      const auto stat = ParseProcessStat(process->stat_file.ReadStart(kStatBytes));
      if (!stat || stat->start_ticks != process->stat.start_ticks) {
        ended.Add(Process(0, ""), process->stat, process->io);
        process.reset();
        continue;
      }
      const ProcessIo io = ParseProcessIo(process->io_file.ReadStart(kStatBytes));
      grown.Add(*process, *stat, io);
      process->stat = *stat;
      process->io = io;
    }
    std::erase(processes_, nullptr);
    return WithoutWhatMoved(grown, ended);
  }

  // What a child that ended has used is added to what its parent has: at this reading, or, if the
  // parent was read before the child ended, at the next. It was not used now.
  Totals WithoutWhatMoved(Totals grown, const Totals& ended) {
    Totals moved = ended;
    moved.AddAll(just_ended_);
    just_ended_ = ended;
    const double child_ticks = moved.cpu_ticks + moved.child_ticks;
    if (grown.child_ticks > 0) just_ended_ = Totals();
    grown.child_ticks = std::max(0.0, grown.child_ticks - child_ticks);
    for (size_t i = 0; i < grown.io.size(); ++i) {
      grown.io[i] = std::max(0.0, grown.io[i] - moved.io[i]);
    }
    return grown;
  }

  void Search(int64_t now_ns) {
    const bool thorough = searched_all_ns_ == 0 || now_ns - searched_all_ns_ >= kSearchAllNs;
    searched_ns_ = now_ns;
    if (thorough) searched_all_ns_ = now_ns;
    std::unordered_set<pid_t> known;
    for (const auto& process : processes_) known.insert(process->pid);
    const auto search = thorough ? TreeSearch::kThorough : TreeSearch::kQuick;
    for (const pid_t pid : FindProcessTree(root_, training_, search)) {
      if (!known.contains(pid)) Add(pid);
    }
    FindWorkers();
  }

  void Add(pid_t pid) {
    auto process = std::make_unique<Process>(pid, FolderOf(pid));
    const auto stat = ParseProcessStat(process->stat_file.ReadStart(kStatBytes));
    if (!stat) return;
    process->stat = *stat;
    process->io = ParseProcessIo(process->io_file.ReadStart(kStatBytes));
    processes_.push_back(std::move(process));
  }

  void FindWorkers() {
    for (auto& process : processes_) {
      if (process->pid == training_ || process->looks >= kLooksAtName) continue;
      ++process->looks;
      const std::string folder = FolderOf(process->pid);
      process->worker = IsDataLoaderWorker(
          Trim(ReadSmallFile(folder + "/comm")), ReadSmallFile(folder + "/cmdline"),
          ReadSmallFile(FolderOf(process->stat.parent) + "/cmdline"));
    }
  }

  const std::string root_;
  const pid_t training_;
  const double cores_;
  const double page_ = static_cast<double>(sysconf(_SC_PAGESIZE));
  const double ticks_per_s_ = static_cast<double>(sysconf(_SC_CLK_TCK));
  Stopwatch stopwatch_;
  int64_t searched_ns_ = 0;
  int64_t searched_all_ns_ = 0;
  Totals just_ended_;  // Their use may still have to move to their parents.
  std::vector<std::unique_ptr<Process>> processes_;
};

}  // namespace

std::unique_ptr<Collector> MakeProcessCollector(const std::string& root, pid_t training) {
  return std::make_unique<ProcessCollector>(root, training);
}

}  // namespace warden::monitor
