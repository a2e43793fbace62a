#ifndef WARDEN_JOBS_LAUNCH_STRAYS_H_
#define WARDEN_JOBS_LAUNCH_STRAYS_H_

#include <string>

namespace warden::jobs {

// Kills every child of this process with all that they have started, at once, and those that become
// its children meanwhile. Waits for none but until they are dead; the caller asks how they ended.
void KillAllChildren();

// Every process that a host's program starts inherits a variable that names the host.
inline constexpr char kHostVariable[] = "TENSORWARDEN_HOST";

// After an agent was killed: kills what is left of the host, which are those that have the
// variable. (Its number or session would not do: both may be others' by now.)
void KillStrays(const std::string& host);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_STRAYS_H_
