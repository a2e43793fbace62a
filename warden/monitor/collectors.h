#ifndef WARDEN_MONITOR_COLLECTORS_H_
#define WARDEN_MONITOR_COLLECTORS_H_

// Makes every source of metrics; used by Monitor. `root` stands before /proc and /sys: empty on the
// machine itself, a folder with copies of those files in tests. The caller owns the collectors.
// None fails: a source that is missing reports nothing.

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "warden/monitor/collector.h"

namespace warden::monitor {

// Cores (those that this process may use), from /proc/stat.
std::unique_ptr<Collector> MakeCpuCollector(const std::string& root);
// Load averages and runnable threads.
std::unique_ptr<Collector> MakeLoadCollector(const std::string& root);
// Memory and swap in use; of the container, where it has a limit.
std::unique_ptr<Collector> MakeMemoryCollector(const std::string& root);
// Traffic to and from swap.
std::unique_ptr<Collector> MakeSwapCollector(const std::string& root);
// Whole disks, and their sums; not partitions or devices that are made of others.
std::unique_ptr<Collector> MakeDiskCollector(const std::string& root);
// What is left on the disk of that folder, which need not exist yet.
std::unique_ptr<Collector> MakeSpaceCollector(const std::string& folder);
// Network interfaces, and their sums, without loopback and virtual ones.
std::unique_ptr<Collector> MakeNetworkCollector(const std::string& root);
// Time that tasks waited for processors, memory or I/O, from /proc/pressure.
std::unique_ptr<Collector> MakePressureCollector(const std::string& root);
// Processor time of a container that has a quota; nothing without one.
std::unique_ptr<Collector> MakeContainerCollector(const std::string& root);

// The process with this ID and all its descendants, summed. New children are found within 1 s,
// those that were started by another than a main thread within 10 s. Reports nothing once all have
// ended.
std::unique_ptr<Collector> MakeProcessCollector(const std::string& root, pid_t training);

// GPUs as the library of that name, opened at run time, reports them; nothing without it. The
// driver is asked on a separate thread, so that one that hangs delays no other source: a tick waits
// at most 20 ms or a quarter of the interval for it.
inline constexpr char kNvmlLibrary[] = "libnvidia-ml.so.1";
std::unique_ptr<Collector> MakeGpuCollector(const std::string& library = kNvmlLibrary);

// All of them; that of processes only if training is positive, that of the disk only if there is a
// folder that the run is written to. In the order in which they are
// asked: GPUs come last, since they may have to wait.
std::vector<std::unique_ptr<Collector>> MakeCollectors(const std::string& root, pid_t training,
                                                       const std::string& folder);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_COLLECTORS_H_
