#ifndef WARDEN_JOBS_LAUNCH_ISOLATION_H_
#define WARDEN_JOBS_LAUNCH_ISOLATION_H_

// How strange jobs are to each other and to the service on this machine: whether each gets a box
// (os/box.h), and its own user. Used by the local launcher.

#include <sys/types.h>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/launch/environments.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/launch/outputs.h"
#include "warden/jobs/launch/rule_box.h"
#include "warden/jobs/record/job.h"
#include "warden/os/box.h"
#include "warden/service/options.h"

namespace warden::jobs {

// A host to make a box for. Nothing is owned; all of it outlives the call.
struct HostToIsolate {
  const TrainingJob& job;
  std::string host;                          // One of job.Hosts().
  const HostLayout& layout;                  // Of this host.
  const std::vector<OutputFolder>& outputs;  // As OutputFoldersOf returned them.
  const JobEnvironment& environment;         // Of the job.
};

// Decides it once, when it is made, by trying. Safe for many threads.
class Isolation {
 public:
  // Options are copied.
  explicit Isolation(service::ServiceOptions options);

  // Whether jobs get a box. Containers do not need one.
  bool on() const { return probe_.support != os::BoxSupport::kNone; }
  // What a job's log says at its start about what it does not get; empty: nothing to say.
  std::string Notice(const TrainingJob& job) const;
  // What the operator of the service should know at its start; empty: nothing.
  std::string Warning() const;
  // kInvalid if the job must not run here: isolation is required and not to be had, or the job
  // wants its own network for several hosts.
  Status Check(const TrainingJob& job) const;

  // The user of a job, chosen at the first call and kept in the job's folder. Nothing: that of the
  // service. kIo.
  Result<std::optional<uid_t>> UserOf(const TrainingJob& job);

  // Makes the files that a box needs besides those of /opt/ml, and gives all of the host's to the
  // job's user. Can be repeated until the host is started. kIo.
  Status Prepare(const HostToIsolate& host);
  // The box of a host. kIo. Changes nothing on disk but what UserOf does.
  Result<os::Box> BoxOf(const HostToIsolate& host);
  // The box of a command that a job brings along besides its program, such as an action of a rule:
  // it sees nothing of the job but is the same user. Makes a folder for what it leaves in /tmp.
  Result<os::Box> BoxOfCommand(const TrainingJob& job);
  // The box of a custom rule's code. It sees the runs that the rule checks, and is the same user.
  // Errors as MakeRuleBox.
  Result<RuleBox> BoxOfRule(const TrainingJob& job, const RuleToIsolate& rule);

 private:
  // What all boxes have in common.
  Result<os::Box> CommonBox(const TrainingJob& job);

  const service::ServiceOptions options_;
  const service::DataLayout layout_;
  os::BoxProbe probe_;
  std::mutex mutex_;  // Of the file that counts users.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_ISOLATION_H_
