#ifndef WARDEN_CLI_LAUNCH_PROFILING_H_
#define WARDEN_CLI_LAUNCH_PROFILING_H_

// How `warden run` profiles a training: from flags to the configuration that training and monitor
// read, and the monitor beside the training.

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
  // "off", "system": the machine; "timeline": also steps and phases; "full": also operators and
  // Python functions of a few steps. Empty: timeline.
  std::string depth;
  // Milliseconds between samples of the machine, as text; empty: those of the configuration.
  std::string interval;
  // The steps whose kernels are recorded, such as "10@500"; empty: none.
  std::string kernels;
  // File with a ProfilerConfig to start from; empty: the default.
  std::string config;
  bool no_report = false;
};

// --profile, --profile-interval, --profile-kernels, --profile-config and --no-report.
void DefineProfileFlags(Command* command, ProfileFlags* flags);

// How a training is profiled. off: all members are empty.
struct ProfilePlan {
  bool on = false;
  // The profiling report is to be written at the end.
  bool report = false;
  std::string folder;       // Absolute path for the profiler's files.
  std::string config_file;  // For the training and the monitor, absolute.
};

// Writes the profiler's configuration for a training that saves to that folder (absolute). If
// $SMPROFILER_CONFIG_PATH names one and no flag overrides it, that one is used unchanged. kInvalid
// names the flag or the file and what is expected. "system" leaves the parameters of the training
// out of the configuration, so that it records nothing. kIo if the configuration cannot be written.
Result<ProfilePlan> PlanProfile(const ProfileFlags& flags, const std::string& run);

// Samples the machine during a training, if the plan says so. The plan outlives it. For one thread;
// the monitor has its own.
class MonitorBesideProgram {
 public:
  explicit MonitorBesideProgram(const ProfilePlan& plan) : plan_(plan) {}

  // The training has started. A failure is reported; the training continues without samples. A
  // training that has ended by then is not reported: there is nothing to monitor.
  void Start(pid_t pid, Output* out);
  // The training has ended: the samples are complete from here on.
  void Finish();
  // The same, if other processes of the training may still write timelines.
  void FinishSamples() { monitor_.reset(); }

 private:
  const ProfilePlan& plan_;
  std::unique_ptr<monitor::Monitor> monitor_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_PROFILING_H_
