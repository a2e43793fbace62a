#ifndef WARDEN_CLI_LAUNCH_PROFILING_H_
#define WARDEN_CLI_LAUNCH_PROFILING_H_

#include <sys/types.h>

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/cli/command.h"
#include "warden/cli/output.h"
#include "warden/monitor/monitor.h"

namespace warden::cli {

// What the user says about profiling on the command line.
struct ProfileFlags {
  std::string depth;     // "off", "system", "timeline", "full"; empty: timeline.
  std::string interval;  // Milliseconds.
  std::string config;    // A ProfilerConfig to start from.
  bool no_report = false;
};

// --profile, --profile-interval, --profile-config and --no-report.
void DefineProfileFlags(Command* command, ProfileFlags* flags);

// How a program is profiled.
struct ProfilePlan {
  bool on = false;
  bool report = false;
  std::string folder;       // Where the profiler saves, from the root.
  std::string config_file;  // That the program and the monitor read, from the root.
};

// Writes the profiler's configuration for a program whose run goes to that folder, given from the
// root. Where $SMPROFILER_CONFIG_PATH names one already, and no flag says otherwise, that is used
// as it is. kInvalid names the flag or the file and what is accepted.
Result<ProfilePlan> PlanProfile(const ProfileFlags& flags, const std::string& run);

// Samples the machine beside a program, if the plan says so.
class MonitorBesideProgram {
 public:
  explicit MonitorBesideProgram(const ProfilePlan& plan) : plan_(plan) {}

  // The program has started. What goes wrong is told, and the program runs without.
  void Start(pid_t pid, Output* out);
  // The program has ended: what was sampled is complete from here on.
  void Finish();

 private:
  const ProfilePlan& plan_;
  std::unique_ptr<monitor::Monitor> monitor_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_PROFILING_H_
