#ifndef WARDEN_MONITOR_COLLECTORS_H_
#define WARDEN_MONITOR_COLLECTORS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "warden/monitor/collector.h"

namespace warden::monitor {

// Every source of figures. `root` stands before /proc and /sys: empty on the machine itself.

std::unique_ptr<Collector> MakeCpuCollector(const std::string& root);
std::unique_ptr<Collector> MakeLoadCollector(const std::string& root);
std::unique_ptr<Collector> MakeMemoryCollector(const std::string& root);
std::unique_ptr<Collector> MakeSwapCollector(const std::string& root);
std::unique_ptr<Collector> MakeDiskCollector(const std::string& root);
std::unique_ptr<Collector> MakeNetworkCollector(const std::string& root);
std::unique_ptr<Collector> MakePressureCollector(const std::string& root);
std::unique_ptr<Collector> MakeContainerCollector(const std::string& root);

// The process and all that descend from it.
std::unique_ptr<Collector> MakeProcessCollector(const std::string& root, pid_t training);

// GPUs as the library of that name, opened at run time, tells of them; without it, none. The
// driver is asked on a thread of its own, so that one that hangs holds nothing else up.
inline constexpr char kNvmlLibrary[] = "libnvidia-ml.so.1";
std::unique_ptr<Collector> MakeGpuCollector(const std::string& library = kNvmlLibrary);

// All of them; that of processes only if there is a training.
std::vector<std::unique_ptr<Collector>> MakeCollectors(const std::string& root, pid_t training);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_COLLECTORS_H_
