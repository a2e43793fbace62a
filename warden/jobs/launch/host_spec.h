#ifndef WARDEN_JOBS_LAUNCH_HOST_SPEC_H_
#define WARDEN_JOBS_LAUNCH_HOST_SPEC_H_

// What the launcher passes to the agent of a host: the spec of agent/agent.h for `warden agent
// host`.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/jobs/launch/instance_limits.h"
#include "warden/jobs/launch/requirements.h"
#include "warden/os/box.h"

namespace warden::jobs {

// What the agent of a host is to do. Other readers of spec.json rely on "environment", "directory",
// "cleaning" and "box" (exec/host_place.h, boxed.h). Contains secrets of the job. Paths are
// absolute. The file is readable for its owner alone.
struct HostSpec {
  std::vector<std::string> words;  // The program, found by the PATH in environment. Not empty.
  std::vector<std::string> environment;  // "NAME=value".
  std::string directory;                 // Its working folder.
  // The command that ends what the program has started elsewhere: a container. Empty: nothing to
  // end.
  std::vector<std::string> cleaning;

  // The box that the program runs in, with directory and environment as they are inside. Nothing:
  // it runs beside its agent.
  std::optional<os::Box> box;
  // What is installed before the program starts; nothing: nothing is.
  std::optional<Requirements> requirements;
  std::vector<std::string> notices;  // Lines of ours at the beginning of the log.

  std::string log;              // A folder for its output; see jobs/logs/log_file.h.
  uint64_t log_file_bytes = 0;  // As LogWriter::Open takes them.
  int log_files = 0;
  // Where the program may write why it failed: "/opt/ml/output/failure", as SageMaker has it. What
  // is in it becomes the job's FailureReason.
  std::string failure_file;
  int64_t grace_seconds = 0;  // Between SIGTERM and SIGKILL, unless stop.json says otherwise.
  // When the agent stops the program by itself, in milliseconds since 1970; 0: never. The service
  // does so too, but may be down.
  int64_t stop_at = 0;
  // The same, in seconds from the start of the agent, for a host that waits in a queue; 0: never.
  int64_t longest_seconds = 0;

  // For a host on a node of a cluster: the file that lists the job's nodes (ReadNodes). Its agent
  // cannot be signaled by the service and looks for the stop file instead. Empty: no such host.
  std::string nodes_file;
  // Beginnings of variables that the program gets from its agent's environment on the node.
  std::vector<std::string> inherited;

  InstanceLimits limits;        // Of its control group, where there is one.
  std::string node;             // The name in machine metrics: "algo-1".
  std::string profiler_config;  // The file that the monitor follows.
  std::string profiler_folder;  // The folder that the monitor writes to.
};

// As spec.json has it, and back. Reading fails with kCorrupt, naming the member.
Json ToJson(const HostSpec& spec);
// All texts and words must be there and not be empty, except for cleaning, environment, box and
// notices.
Result<HostSpec> HostSpecFromJson(const Json& json);

// The file next to spec.json that is written when the host is to be stopped, also before its agent
// has begun: {"grace_seconds": N}.
std::string StopFileOf(const std::string& agent);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HOST_SPEC_H_
