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

// The profiling flags of the command line.
struct ProfileFlags {
  std::string depth;     // "off", "system", "timeline", "full"; empty: timeline.
  std::string interval;  // Milliseconds.
  std::string config;    // A ProfilerConfig to start from.
  bool no_report = false;
};

// --profile, --profile-interval, --profile-config and --no-report.
void DefineProfileFlags(Command* command, ProfileFlags* flags);

// How a training is profiled.
struct ProfilePlan {
  bool on = false;
  bool report = false;
  std::string folder;       // Absolute path for the profiler's files.
  std::string config_file;  // For the training and the monitor, absolute.
};

// Writes the profiler's configuration for a training that saves to that folder (absolute). If
// $SMPROFILER_CONFIG_PATH names one and no flag overrides it, that one is used unchanged. kInvalid
// names the flag or the file and what is expected.
Result<ProfilePlan> PlanProfile(const ProfileFlags& flags, const std::string& run);

// Samples the machine during a training, if the plan says so.
class MonitorBesideProgram {
 public:
  explicit MonitorBesideProgram(const ProfilePlan& plan) : plan_(plan) {}

  // The training has started. A failure is reported; the training continues without samples.
  void Start(pid_t pid, Output* out);
  // The training has ended: the samples are complete from here on.
  void Finish();

 private:
  const ProfilePlan& plan_;
  std::unique_ptr<monitor::Monitor> monitor_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_PROFILING_H_
