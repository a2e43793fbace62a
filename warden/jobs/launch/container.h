#ifndef WARDEN_JOBS_LAUNCH_CONTAINER_H_
#define WARDEN_JOBS_LAUNCH_CONTAINER_H_

// The command lines of podman and docker for jobs whose environment is a container. Runs nothing.

#include <string>
#include <vector>

#include "warden/jobs/launch/environments.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/launch/job_variables.h"
#include "warden/jobs/launch/outputs.h"

namespace warden::jobs {

// One host's program in a container. variables must outlive it.
struct ContainerRun {
  JobEnvironment::Container container;   // From the registry.
  std::string name;                      // "JOB-HOST": unique on this machine.
  std::vector<std::string> entry_point;  // Empty: the image's own.
  std::vector<std::string> arguments;    // Both empty: "train", as SageMaker does.
  const Variables& variables;            // Of the program; not owned.
};

// The command that runs it in the foreground: /opt/ml is the host's folder, outputs are mounted
// where the program expects them, and the network is this machine's. Variables are named only:
// their values are taken from the environment of the command, since anybody can read command lines.
//
//   podman run --rm --name warden-JOB-HOST --network host --workdir /opt/ml/code
//       --mount type=bind,source=...,target=/opt/ml --env SM_HOSTS ... IMAGE train
std::vector<std::string> ContainerWords(const ContainerRun& run, const HostLayout& layout,
                                        const std::vector<OutputFolder>& outputs);
// The command that removes it, whatever its state.
std::vector<std::string> ContainerCleaning(const ContainerRun& run);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_CONTAINER_H_
