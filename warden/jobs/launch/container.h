#ifndef WARDEN_JOBS_LAUNCH_CONTAINER_H_
#define WARDEN_JOBS_LAUNCH_CONTAINER_H_

#include <string>
#include <vector>

#include "warden/jobs/launch/environments.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/launch/job_variables.h"
#include "warden/jobs/launch/outputs.h"

namespace warden::jobs {

// One host's program in a container.
struct ContainerRun {
  JobEnvironment::Container container;
  std::string name;
  std::vector<std::string> entry_point;  // Empty: the image's own, with the argument "train".
  std::vector<std::string> arguments;
  const Variables& variables;
};

// The command line that runs it: /opt/ml is the host's folder, and outputs are mounted where the
// program looks for them. Variables are named only: their values are taken from the environment of
// the command, for anybody can read command lines.
std::vector<std::string> ContainerWords(const ContainerRun& run, const HostLayout& layout,
                                        const std::vector<OutputFolder>& outputs);
// The one that removes it, however it is.
std::vector<std::string> ContainerCleaning(const ContainerRun& run);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_CONTAINER_H_
