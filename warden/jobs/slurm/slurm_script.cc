#include "warden/jobs/slurm/slurm_script.h"

#include <fmt/format.h>

namespace warden::jobs {
namespace {

// For a shell.
std::string Quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// hosts, nodes, options of srun, number of nodes, program.
constexpr char kScript[] = R"script(#!/bin/bash
# Runs the hosts of a training job, one on each node. Written by `warden serve`.
hosts={0}
nodes={1}
if [ "${{SLURM_RESTART_COUNT:-0}}" -gt 0 ]; then
  # The job was requeued: its hosts start again, in the same folders.
  rm -f "$hosts"/*/claimed "$hosts"/*/state.json "$hosts"/*/lock
fi
# Names of nodes need not resolve; Slurm knows the addresses.
declare -A addresses
while read -r name address; do addresses[$name]=$address; done \
  < <(sinfo --noheader --Node --nodes="$SLURM_JOB_NODELIST" --format='%N %o')
number=0
for name in $(scontrol show hostnames "$SLURM_JOB_NODELIST"); do
  number=$((number + 1))
  echo "algo-$number $name ${{addresses[$name]:-$name}}"
done > "$nodes.new" && mv "$nodes.new" "$nodes"
# A host that ends does not end the others: the service decides that.
exec srun --overlap --nodes={3} --ntasks={3} --ntasks-per-node=1 --kill-on-bad-exit=0 --wait=0 \
  --cpu-bind=none{2} \
  /bin/sh -c 'exec "$0" agent host "$1/algo-$((SLURM_PROCID + 1))"' {4} "$hosts"
)script";

}  // namespace

std::string ScriptFileOf(const std::string& job_folder) { return job_folder + "/slurm.sh"; }
std::string OutputFileOf(const std::string& job_folder) { return job_folder + "/slurm.out"; }
std::string NodesFileOf(const std::string& job_folder) { return job_folder + "/nodes"; }

std::string ScriptOf(const SlurmSubmission& submission) {
  // Steps do not inherit it.
  std::string options =
      submission.queue.cpus == 0 ? "" : fmt::format(" --cpus-per-task={}", submission.queue.cpus);
  for (const std::string& option : submission.queue.srun_options) options += " " + Quoted(option);
  return fmt::format(kScript, Quoted(submission.folder + "/hosts"),
                     Quoted(NodesFileOf(submission.folder)), options, submission.hosts,
                     Quoted(submission.program));
}

std::string AgentScriptOf(const AgentLaunch& launch) {
  std::string script =
      "#!/bin/bash\n# Runs an agent of a training job. Written by `warden serve`.\nulimit -c 0\n";
  if (launch.memory_bytes != 0) script += fmt::format("ulimit -d {}\n", launch.memory_bytes >> 10);
  script += "exec env -i";
  for (const std::string& variable : launch.environment) script += " " + Quoted(variable);
  for (const std::string& word : launch.words) script += " " + Quoted(word);
  return script + " " + Quoted(launch.folder) + "\n";
}

std::vector<std::string> SubmitWords(const SlurmSubmission& submission) {
  const SlurmQueueOptions& queue = submission.queue;
  std::vector<std::string> words = {"sbatch",
                                    "--parsable",
                                    "--job-name=" + submission.name,
                                    fmt::format("--nodes={}", submission.hosts),
                                    fmt::format("--ntasks={}", submission.hosts),
                                    "--ntasks-per-node=1",
                                    "--chdir=" + submission.folder,
                                    "--output=" + OutputFileOf(submission.folder),
                                    "--open-mode=append",
                                    "--export=ALL",
                                    submission.requeue ? "--requeue" : "--no-requeue"};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.push_back(option + value);
  };
  add("--partition=", queue.partition);
  add("--account=", queue.account);
  add("--qos=", queue.qos);
  add("--gres=", queue.gres);
  add("--cpus-per-task=", queue.cpus == 0 ? "" : std::to_string(queue.cpus));
  add("--mem=", queue.memory);
  add("--time=", submission.minutes ? std::to_string(*submission.minutes) : "");
  words.insert(words.end(), queue.options.begin(), queue.options.end());
  words.push_back(ScriptFileOf(submission.folder));
  return words;
}

}  // namespace warden::jobs
