#ifndef WARDEN_JOBS_SLURM_SLURM_RULE_AGENTS_H_
#define WARDEN_JOBS_SLURM_SLURM_RULE_AGENTS_H_

// Agents of rules as Slurm jobs, one for each rule.

#include <memory>
#include <optional>

#include "warden/jobs/launch/rule_agents.h"
#include "warden/jobs/slurm/slurm_config.h"
#include "warden/jobs/slurm/slurm_jobs.h"

namespace warden::jobs {

// queue: how they are submitted; nothing: new ones run on this machine. Those that were started
// before the configuration was changed stay where they are. jobs outlives it.
std::unique_ptr<RuleAgents> MakeSlurmRuleAgents(std::optional<SlurmQueueOptions> queue,
                                                SlurmJobs* jobs);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SLURM_SLURM_RULE_AGENTS_H_
