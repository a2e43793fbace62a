#ifndef WARDEN_JOBS_LAUNCH_LAUNCHER_H_
#define WARDEN_JOBS_LAUNCH_LAUNCHER_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"
#include "warden/service/options.h"

namespace warden::jobs {

// What has become of one host of a job.
struct HostState {
  enum class Phase : uint8_t { kNotStarted, kRunning, kEnded, kLost };

  std::string host;  // "algo-1".
  Phase phase = Phase::kNotStarted;
  int exit_code = 0;
  int signal = 0;       // Not 0: the program was killed by it.
  std::string failure;  // What the program left in output/failure, or the last lines of its log.
  std::optional<Time> started, ended;
};

// Runs training jobs. Safe for many threads, for one job one at a time.
class Launcher {
 public:
  virtual ~Launcher() = default;

  // Whether the job could be run here at all: an environment for its image, a program in it.
  // kInvalid says what is missing, before anything is kept of the job.
  virtual Status Check(const TrainingJob& job) = 0;
  // Fetches code and data, and makes the folders and files that the program finds. May take long.
  // What is there already from an earlier try is used or made anew.
  virtual Status Prepare(const TrainingJob& job) = 0;
  // Starts every host. A host that was started already, by whichever service, is not started again.
  virtual Status Start(const TrainingJob& job) = 0;
  // One for each host of the job.
  virtual std::vector<HostState> Look(const TrainingJob& job) = 0;
  // Asks all hosts to end; those that have not after grace are killed, children and all. Returns at
  // once; may be called again.
  virtual void Stop(const TrainingJob& job, std::chrono::seconds grace) = 0;
  // The job's configuration has changed: tells the running program and the monitor.
  virtual Status Reconfigure(const TrainingJob& job) = 0;
  // All hosts have ended: packs the model and other outputs, and marks the ends of its files, so
  // that whoever reads them knows. Can be done again.
  virtual Status Collect(const TrainingJob& job) = 0;
  // Removes what is kept of a job that was deleted, but not its outputs.
  virtual Status Remove(const TrainingJob& job) = 0;
};

// On this machine: each host is a process with all that it starts (see agent/agent.h).
// kInvalid if the registry of environments is not understood, naming file and entry.
Result<std::unique_ptr<Launcher>> MakeLocalLauncher(const service::ServiceOptions& options);

// What `warden agent host FOLDER` does: runs one host's program to its end. The exit code.
int RunHostAgent(const std::string& folder);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_LAUNCHER_H_
