#ifndef WARDEN_CLI_DOCTOR_CHECK_H_
#define WARDEN_CLI_DOCTOR_CHECK_H_

#include <string>
#include <vector>

namespace warden::cli {

enum class Health {
  kOk,
  kWarning,  // Works, but something may go wrong or slowly.
  kMissing,  // Not there; what needs it does not work.
  kBroken,   // There, but of no use as it is.
};

// One thing that was looked at.
struct Check {
  std::string name;
  Health health = Health::kOk;
  std::string found;   // What was found, and what it means.
  std::string advice;  // What to do about it; empty if there is nothing to do.
};
using Checks = std::vector<Check>;

// Processor, inotify and file limits of this machine.
void CheckMachine(Checks* checks);
// Room and speed of the folder that runs are written to, or of the nearest one above it that
// exists. Writes a file of some megabytes there for a moment.
void CheckFolder(const std::string& folder, Checks* checks);
// Python and the packages that our own work with.
void CheckPython(Checks* checks);
// The driver's libraries, opened as the program opens them.
void CheckGpu(Checks* checks);
// The hook configuration and the environment. Returns the folder that a hook so configured would
// write to; the current one if there is no configuration.
std::string CheckConfiguration(Checks* checks);

}  // namespace warden::cli

#endif  // WARDEN_CLI_DOCTOR_CHECK_H_
