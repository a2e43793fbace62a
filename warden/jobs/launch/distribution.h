#ifndef WARDEN_JOBS_LAUNCH_DISTRIBUTION_H_
#define WARDEN_JOBS_LAUNCH_DISTRIBUTION_H_

// Trainings of several processes: what the SageMaker SDK's distribution= asks for, started as
// sagemaker-training-toolkit does it.

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/launch/environments.h"
#include "warden/jobs/launch/host_machine.h"
#include "warden/jobs/launch/hyper_parameters.h"
#include "warden/jobs/launch/job_variables.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// How the processes of a job are started.
struct Distribution {
  enum class Kind : uint8_t {
    kNone,   // One process for each host.
    kTorch,  // torch.distributed.run on each host: torch_distributed and pytorchddp.
    kMpi,    // mpirun on the first host, for all of them.
  };
  Kind kind = Kind::kNone;
  int64_t processes = 0;             // On each host; 0: one for each GPU of the host, or one.
  std::vector<std::string> options;  // More of mpirun's.
};

// What a job's hyperparameters ask for. kInvalid, saying what is accepted, for what cannot be done
// here: Amazon's own libraries (smdistributed), a launcher that is not installed, a program that is
// not a Python script.
Result<Distribution> DistributionOf(const TrainingJob& job, const JobEnvironment& environment);

// A host of a distributed job.
struct DistributedHost {
  Distribution distribution;
  std::vector<std::string> hosts;  // All of the job.
  std::string host;                // This one.
  HostMachine machine;             // That it runs on.
};
// The command that starts the host's processes. words: the command of one of them, Python first.
std::vector<std::string> Distribute(const DistributedHost& host, std::vector<std::string> words);
// Variables that the launcher needs, in place of the job's. Hosts get their share of the GPUs.
void AddDistribution(const DistributedHost& host, Variables* variables);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_DISTRIBUTION_H_
