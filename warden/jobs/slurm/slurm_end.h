#ifndef WARDEN_JOBS_SLURM_SLURM_END_H_
#define WARDEN_JOBS_SLURM_SLURM_END_H_

// Why a host, or the agent of a rule, was lost, from how its Slurm job ended.

#include <string>
#include <vector>

namespace warden::jobs {

// The end of a Slurm job in which a host has not reported its own.
struct SlurmEnd {
  std::string id;                         // Of the Slurm job.
  std::string state;                      // "NODE_FAIL"; empty: Slurm has forgotten the job.
  std::vector<std::string> failed_nodes;  // That are down.
  std::string output;                     // The last line of its script's output; may be empty.
};

// Whether its time was over.
bool IsTimeOver(const SlurmEnd& end);

// For FailureReason of the API: "InternalServerError: node node2 failed: ...". host: "algo-2";
// node: its name, or empty if it never had one.
std::string WhyLost(const SlurmEnd& end, const std::string& host, const std::string& node);

// The same for a job that ran the agent of a rule, for the rule's StatusDetails.
std::string WhyRuleLost(const SlurmEnd& end);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SLURM_SLURM_END_H_
