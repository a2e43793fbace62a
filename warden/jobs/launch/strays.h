#ifndef WARDEN_JOBS_LAUNCH_STRAYS_H_
#define WARDEN_JOBS_LAUNCH_STRAYS_H_

// Finds and kills what is left of a host's program: processes that left their group or lost their
// parent.

#include <string>

namespace warden::jobs {

// Kills every child of this process with all that they have started, and those that become its
// children meanwhile (the agent is their subreaper). Returns when they are dead, or after 100
// rounds; the caller reaps them with waitpid.
void KillAllChildren();

// The variable that names the host's folder: every process that a host's program starts inherits
// it.
inline constexpr char kHostVariable[] = "TENSORWARDEN_HOST";

// After an agent was killed: kills what is left of the host, found by the variable. (Process IDs
// and sessions would not do: both may have been reused.) host: the folder of the host's agent.
// Returns when they are dead, or after 100 rounds.
void KillStrays(const std::string& host);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_STRAYS_H_
