#ifndef WARDEN_OS_KILL_PROCESSES_H_
#define WARDEN_OS_KILL_PROCESSES_H_

// Kills processes by what they are, for leftovers of jobs and shells that no tree leads to.

#include <sys/types.h>

#include <functional>
#include <string>

#include "warden/os/process_table.h"

namespace warden::os {

// Kills those that belong, each with all that it has started, until there are none, this process
// excepted. New ones may turn up while others die, so it gives up after 100 rounds. What cannot be
// killed is logged.
void KillProcessesIf(const std::function<bool(const Process&)>& belongs);

// Whether the environment that a process was started with has this entry ("NAME=value"). False if
// it cannot be read.
bool HasVariable(pid_t pid, const std::string& entry);

}  // namespace warden::os

#endif  // WARDEN_OS_KILL_PROCESSES_H_
