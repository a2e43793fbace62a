#ifndef WARDEN_CLI_DOCTOR_CHECKS_H_
#define WARDEN_CLI_DOCTOR_CHECKS_H_

// The checks of `warden doctor`, one function and one file for each group. Each adds its results to
// *checks and never fails: what goes wrong is a result. To add a check, declare it here and call it
// in commands/doctor.cc.

#include <string>
#include <vector>

namespace warden::cli {

// How bad it is, for the exit code and the color.
enum class Health {
  kOk,
  kWarning,  // Works, but something may go wrong or slowly.
  kMissing,  // Not installed; what needs it does not work.
  kBroken,   // Installed, but not usable.
};

// One check and its result. Texts may come from the environment: print them through a Table.
struct Check {
  std::string name;
  Health health = Health::kOk;
  std::string found;   // What was found, and what it means.
  std::string advice;  // What to do; empty: nothing.
};
using Checks = std::vector<Check>;

// Processor, inotify and file limits of this machine, and whether jobs can be limited on it.
void CheckMachine(Checks* checks);
// Free space and write speed of the folder for runs, or of the nearest existing one above it.
// Writes a temporary file of some megabytes there, and removes it.
void CheckFolder(const std::string& folder, Checks* checks);
// Python and the packages that ours need. Runs python3, with a time limit.
void CheckPython(Checks* checks);
// The driver's libraries, loaded in the same way as for monitoring and statistics. A machine
// without a GPU gives kMissing, not an error.
void CheckGpu(Checks* checks);
// The hook configuration and the environment. Returns the folder that a hook would write to; the
// current one if there is no configuration.
std::string CheckConfiguration(Checks* checks);

}  // namespace warden::cli

#endif  // WARDEN_CLI_DOCTOR_CHECKS_H_
