#include "warden/os/kill_processes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "warden/base/log.h"
#include "warden/os/process_tree.h"
#include "warden/os/whole_file.h"

namespace warden::os {
namespace {

constexpr int kKillRounds = 100;

}  // namespace

void KillProcessesIf(const std::function<bool(const Process&)>& belongs) {
  for (int round = 0; round < kKillRounds; ++round) {
    bool any = false;
    for (const Process& process : AllProcesses()) {
      if (process.ended || process.pid == getpid() || !belongs(process)) continue;
      any = true;
      const Status status = StopProcessTree(process.pid, std::chrono::milliseconds(0));
      if (!status.ok()) LogWarning("{}", status.message());
    }
    if (!any) return;
  }
}

bool HasVariable(pid_t pid, const std::string& entry) {
  // Entries end with a zero each.
  const std::string all =
      std::string(1, '\0') + ReadWholeFile(fmt::format("/proc/{}/environ", pid)).value_or("");
  return all.find(std::string(1, '\0') + entry + std::string(1, '\0')) != std::string::npos;
}

}  // namespace warden::os
