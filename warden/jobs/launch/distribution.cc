#include "warden/jobs/launch/distribution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/jobs/launch/script_mode.h"
#include "warden/jobs/launch/start_program.h"

namespace warden::jobs {
namespace {

using Kind = Distribution::Kind;

constexpr char kAcceptedDistributions[] = "expected torch_distributed, pytorchddp or mpi";
constexpr int64_t kMostProcessesOfHost = 1024;

// Those that need several machines of Amazon's, or a library that exists only there.
struct NotHere {
  const char* parameter;
  const char* name;
};
constexpr NotHere kNowhereElse[] = {
    {"sagemaker_distributed_dataparallel_enabled", "smdistributed dataparallel"}};
// Those that change nothing for one host.
constexpr NotHere kNotForMany[] = {
    {"sagemaker_parameter_server_enabled", "parameter_server"},
    {"sagemaker_multi_worker_mirrored_strategy_enabled", "multi_worker_mirrored_strategy"},
    {"sagemaker_pytorch_xla_multi_worker_enabled", "pytorchxla"}};

Status Unsupported(std::string_view name, std::string_view why) {
  return Status(Code::kInvalid, fmt::format("distribution {} is not supported: {}; {}", name, why,
                                            kAcceptedDistributions));
}

// Clients send JSON; some send it as a text once more.
bool IsOn(const HyperParameters& parameters, const char* name) {
  const Json* value = MemberOf(parameters.platforms, name);
  if (value == nullptr) return false;
  return IsTrue(value) || LowerAscii(TextOf(value)) == "true";
}

int64_t ProcessesOf(const DistributedHost& host) {
  if (host.distribution.processes > 0) return host.distribution.processes;
  const auto sharers = host.machine.shared ? static_cast<int64_t>(host.hosts.size()) : 1;
  return std::max<int64_t>(1, host.machine.gpus / sharers);
}

size_t NumberOf(const DistributedHost& host) {
  return static_cast<size_t>(std::find(host.hosts.begin(), host.hosts.end(), host.host) -
                             host.hosts.begin());
}

Status CheckLaunched(const char* name, const TrainingJob& job, const JobEnvironment& environment) {
  const auto script = ScriptOf(job);
  if (!script.ok()) return script.status();
  if (environment.container) return Unsupported(name, "the job runs in a container");
  if (environment.python.empty() || !script.value().program.ends_with(".py")) {
    return Unsupported(name, "the job does not run a Python script");
  }
  return Status();
}

}  // namespace

Result<Distribution> DistributionOf(const TrainingJob& job, const JobEnvironment& environment) {
  const auto parameters = DecodeHyperParameters(MemberOf(job.request, "HyperParameters"));
  for (const NotHere& each : kNowhereElse) {
    if (!IsOn(parameters, each.parameter)) continue;
    return Unsupported(each.name, "its library runs only on Amazon's machines");
  }
  if (const Json* model = MemberOf(parameters.users, "mp_parameters");
      model != nullptr && model->is_object() && !model->empty()) {
    return Unsupported("smdistributed modelparallel", "its library runs only on Amazon's machines");
  }
  for (const NotHere& each : kNotForMany) {
    if (IsOn(parameters, each.parameter) && job.Hosts().size() > 1) {
      return Unsupported(each.name, fmt::format("the job has {} hosts", job.Hosts().size()));
    }
  }
  Distribution distribution;
  const char* name = "torch_distributed";
  if (IsOn(parameters, "sagemaker_mpi_enabled")) {
    distribution.kind = Kind::kMpi;
    name = "mpi";
    distribution.processes =
        IntegerOf(MemberOf(parameters.platforms, "sagemaker_mpi_num_of_processes_per_host"));
    if (distribution.processes < 0 || distribution.processes > kMostProcessesOfHost) {
      return Status(Code::kInvalid,
                    fmt::format("processes_per_host is {}; expected an integer from 1 to {}",
                                distribution.processes, kMostProcessesOfHost));
    }
    distribution.options =
        SplitTrimmed(parameters.Platform("sagemaker_mpi_custom_mpi_options"), ' ');
  } else if (IsOn(parameters, "sagemaker_torch_distributed_enabled")) {
    distribution.kind = Kind::kTorch;
  } else if (IsOn(parameters, "sagemaker_pytorch_ddp_enabled")) {
    distribution.kind = Kind::kTorch;
    name = "pytorchddp";
  }
  if (distribution.kind == Kind::kNone) return distribution;
  if (Status status = CheckLaunched(name, job, environment); !status.ok()) return status;
  if (distribution.kind == Kind::kMpi && ProgramOnPath("mpirun").empty()) {
    return Unsupported("mpi", "mpirun is not installed on this machine (Debian: openmpi-bin)");
  }
  return distribution;
}

std::vector<std::string> Distribute(const DistributedHost& host, std::vector<std::string> words) {
  const int64_t processes = ProcessesOf(host);
  const auto hosts = static_cast<int64_t>(host.hosts.size());
  std::vector<std::string> launcher;
  if (host.distribution.kind == Kind::kTorch) {
    launcher = {words.front(),
                "-m",
                "torch.distributed.run",
                "--nnodes",
                std::to_string(hosts),
                "--nproc_per_node",
                std::to_string(processes),
                "--node_rank",
                std::to_string(NumberOf(host)),
                "--master_addr",
                host.machine.master,
                "--master_port",
                std::to_string(host.machine.port)};
    words.erase(words.begin());  // The launcher starts it with its own Python.
  } else if (NumberOf(host) > 0) {
    // mpirun needs no help to reach the hosts: they are this machine, or it asks Slurm.
    return {"/bin/sh", "-c", "echo \"MPI: the processes of $0 run in $1\"", host.host,
            host.hosts.front()};
  } else {
    launcher = {"mpirun", "-np", std::to_string(hosts * processes)};
    launcher.insert(launcher.end(), host.distribution.options.begin(),
                    host.distribution.options.end());
  }
  launcher.insert(launcher.end(), words.begin(), words.end());
  return launcher;
}

void AddDistribution(const DistributedHost& host, Variables* variables) {
  (*variables)["MASTER_ADDR"] = host.machine.master;
  if (host.distribution.kind == Kind::kMpi) {
    // More processes than cores, by whichever user, as in Amazon's containers.
    (*variables)["OMPI_ALLOW_RUN_AS_ROOT"] = "1";
    (*variables)["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1";
    (*variables)["OMPI_MCA_rmaps_base_oversubscribe"] = "1";
    (*variables)["PRTE_MCA_rmaps_default_mapping_policy"] = ":oversubscribe";
    return;
  }
  const auto hosts = static_cast<int>(host.hosts.size());
  const int share = host.machine.gpus / hosts;
  if (!host.machine.shared || hosts == 1 || share == 0 ||
      variables->contains("CUDA_VISIBLE_DEVICES"))
    return;
  std::vector<int> own(static_cast<size_t>(share));
  for (int i = 0; i < share; ++i) {
    own[static_cast<size_t>(i)] = static_cast<int>(NumberOf(host)) * share + i;
  }
  (*variables)["CUDA_VISIBLE_DEVICES"] = fmt::format("{}", fmt::join(own, ","));
}

}  // namespace warden::jobs
