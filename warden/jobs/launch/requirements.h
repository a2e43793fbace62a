#ifndef WARDEN_JOBS_LAUNCH_REQUIREMENTS_H_
#define WARDEN_JOBS_LAUNCH_REQUIREMENTS_H_

// Packages that a job's source folder asks for (requirements.txt). They are installed before the
// program starts, by the host's agent, into a folder that is kept for later jobs with the same
// file. The environment itself is not changed. Kept are those of isolated jobs whose file names
// nothing else of their source folder: another job must get the very same.

#include <optional>
#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/jobs/launch/environments.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/launch/job_variables.h"
#include "warden/os/box.h"

namespace warden::jobs {

// What the agent of a host is to install.
struct Requirements {
  std::string folder;  // Where the packages are once they are installed, as the program sees it.
  // Where they are until then, if other jobs may use them too; else the same.
  std::string draft;
  std::vector<std::string> words;        // The command that installs them.
  std::vector<std::string> environment;  // Of the command.
  std::string directory;                 // Of the command.
  std::optional<os::Box> box;            // Of the command, which runs code of the packages.
};

// What a host's code asks for. Nothing: there is no requirements.txt, or no Python to install for.
// packages: the folder of installed ones (DataLayout::Packages). variables: the program's; pip's
// own and those of proxies are used. box: that of the program.
std::optional<Requirements> RequirementsOf(const HostLayout& layout,
                                           const JobEnvironment& environment,
                                           const Variables& variables,
                                           const std::optional<os::Box>& box,
                                           const std::string& packages);
// Makes the program find the packages: by its variables, and in its box.
void UseRequirements(const Requirements& requirements, Variables* variables,
                     std::optional<os::Box>* box);

// Whether an earlier job has installed them.
bool AreInstalled(const Requirements& requirements);
// Makes an empty draft for the command to fill. kIo.
Status BeginInstalling(const Requirements& requirements);
// The command has ended: keeps what it installed if it succeeded, and nothing otherwise. kIo.
Status EndInstalling(const Requirements& requirements, bool succeeded);

// As spec.json has it ("requirements"), which is also a file for RunBoxed; and back: kCorrupt.
Json ToJson(const Requirements& requirements);
Result<Requirements> RequirementsFromJson(const Json& json);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_REQUIREMENTS_H_
