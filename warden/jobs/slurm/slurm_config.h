#ifndef WARDEN_JOBS_SLURM_SLURM_CONFIG_H_
#define WARDEN_JOBS_SLURM_SLURM_CONFIG_H_

// Which jobs go to which part of the cluster. The file is DATA/slurm.json; docs/guide/slurm.md
// describes it:
//
//   {"queues": [{"instance_types": ["ml.p4d.*"], "partition": "gpu", "gres": "gpu:a100:8"},
//               {"instance_types": ["ml.t3.*"], "launcher": "local", "jobs_at_once": 2}],
//    "rules": {"partition": "cpu", "cpus": 1}}

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// One entry: how jobs of some instance types are submitted.
struct SlurmQueueOptions {
  std::vector<std::string> instance_types = {"*"};  // Patterns as in shells; at least one.
  bool local = false;                               // Not in Slurm but on the service's machine:
  int64_t jobs_at_once = 16;                        // so many at once. All below is Slurm's.
  std::string partition, account, qos, gres;        // Of sbatch; empty: Slurm's default.
  int64_t cpus = 0;                                 // For each host; 0: Slurm's default.
  std::string memory;                               // Likewise, such as "64G".
  std::string network_interface = "eth0";           // Between nodes, for SM_NETWORK_INTERFACE_NAME.
  std::vector<std::string> options;                 // More of sbatch's.
  std::vector<std::string> srun_options;            // Of the step that runs the hosts.

  // "gpu:a100:8" has 8; 0 if gres names no GPUs.
  int Gpus() const;
};

// Never changes once loaded: safe for many threads.
class SlurmConfig {
 public:
  // Reads the file. kInvalid names the file, the entry and what is accepted. A missing file is an
  // error only if it must exist, else all jobs go to Slurm's default partition.
  static Result<SlurmConfig> Load(const std::string& path, bool must_exist);
  // The same for a text; messages do not name a file.
  static Result<SlurmConfig> Parse(std::string_view text);

  // The first entry that takes the job's instance type. kInvalid if none does, or if its instance
  // groups are not all for the same entry.
  Result<SlurmQueueOptions> QueueOf(const TrainingJob& job) const;
  const std::vector<SlurmQueueOptions>& queues() const { return queues_; }
  // How the rules of jobs in Slurm are submitted; nothing: they run on the service's machine.
  const std::optional<SlurmQueueOptions>& rules() const { return rules_; }

 private:
  std::vector<SlurmQueueOptions> queues_;
  std::optional<SlurmQueueOptions> rules_;
};

// A time of Slurm's ("30:00", "1-12:00:00") in minutes, rounded up; nothing for "infinite" and what
// is not a time.
std::optional<int64_t> MinutesOf(std::string_view slurm_time);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SLURM_SLURM_CONFIG_H_
