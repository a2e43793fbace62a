#include "warden/jobs/launch/strays.h"

#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include <chrono>

#include "warden/base/log.h"
#include "warden/os/process_table.h"
#include "warden/os/process_tree.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

// New ones may turn up while others die; but not for ever.
constexpr int kRounds = 100;

void Kill(pid_t pid) {
  const Status status = os::StopProcessTree(pid, std::chrono::milliseconds(0));
  if (!status.ok()) LogWarning("{}", status.message());
}

bool HasVariable(pid_t pid, const std::string& entry) {
  // Entries end with a zero each.
  const std::string all =
      std::string(1, '\0') + os::ReadWholeFile(fmt::format("/proc/{}/environ", pid)).value_or("");
  return all.find(std::string(1, '\0') + entry + std::string(1, '\0')) != std::string::npos;
}

// Kills those that belong until there are none.
template <class Belongs>
void KillAll(Belongs belongs) {
  for (int round = 0; round < kRounds; ++round) {
    bool any = false;
    for (const os::Process& process : os::AllProcesses()) {
      if (process.ended || process.pid == getpid() || !belongs(process)) continue;
      any = true;
      Kill(process.pid);
    }
    if (!any) return;
  }
}

}  // namespace

void KillAllChildren() {
  KillAll([own = getpid()](const os::Process& process) { return process.parent == own; });
}

void KillStrays(const std::string& host) {
  const std::string entry = std::string(kHostVariable) + "=" + host;
  KillAll([&](const os::Process& process) { return HasVariable(process.pid, entry); });
}

}  // namespace warden::jobs
