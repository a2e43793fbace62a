#ifndef WARDEN_JOBS_SLURM_SLURM_SCRIPT_H_
#define WARDEN_JOBS_SLURM_SLURM_SCRIPT_H_

// What is submitted to Slurm.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "warden/jobs/agent/agent.h"
#include "warden/jobs/slurm/slurm_config.h"

namespace warden::jobs {

// A job to submit.
struct SlurmSubmission {
  std::string name;                // Unique in Slurm.
  std::string folder;              // Gets script and output; that of a job has the folder hosts/.
  std::string program;             // `warden`.
  size_t hosts = 1;                // Each on its own node.
  SlurmQueueOptions queue;         // Where to.
  std::optional<int64_t> minutes;  // Limit of its time.
  bool requeue = false;            // After the failure of a node, or preemption.
};

// The files that a submission has in the job's folder.
std::string ScriptFileOf(const std::string& job_folder);
std::string OutputFileOf(const std::string& job_folder);  // Of the script.
std::string NodesFileOf(const std::string& job_folder);   // ReadNodes; written by the script.

// The batch script: writes the file of nodes, and runs the agent of each host on its node.
std::string ScriptOf(const SlurmSubmission& submission);
// That of a single agent: becomes it, in its environment and with its limit of memory.
std::string AgentScriptOf(const AgentLaunch& launch);
// The command that submits it, and prints the job's ID.
std::vector<std::string> SubmitWords(const SlurmSubmission& submission);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SLURM_SLURM_SCRIPT_H_
