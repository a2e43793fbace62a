#include "warden/jobs/launch/strays.h"

#include <unistd.h>

#include "warden/os/kill_processes.h"

namespace warden::jobs {

void KillAllChildren() {
  os::KillProcessesIf(
      [own = getpid()](const os::Process& process) { return process.parent == own; });
}

void KillStrays(const std::string& host) {
  const std::string entry = std::string(kHostVariable) + "=" + host;
  os::KillProcessesIf(
      [&](const os::Process& process) { return os::HasVariable(process.pid, entry); });
}

}  // namespace warden::jobs
