#ifndef WARDEN_JOBS_LAUNCH_HOST_SPEC_H_
#define WARDEN_JOBS_LAUNCH_HOST_SPEC_H_

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/status.h"

namespace warden::jobs {

// What the agent of a host is to do. Whoever looks into spec.json may rely on "environment" and
// "directory".
struct HostSpec {
  std::vector<std::string> words;        // The program, found by its own PATH.
  std::vector<std::string> environment;  // "NAME=value".
  std::string directory;                 // That it begins in.
  // Ends what the program has started elsewhere: a container. Empty: there is nothing elsewhere.
  std::vector<std::string> cleaning;

  std::string log;  // A folder for its output; see logs/log_file.h.
  uint64_t log_file_bytes = 0;
  int log_files = 0;
  std::string failure_file;  // Where the program may say why it failed.
  int64_t grace_seconds = 0;

  std::string node;             // Of the monitor: "algo-1".
  std::string profiler_config;  // The file that it follows.
  std::string profiler_folder;  // That it writes to.
};

Json ToJson(const HostSpec& spec);
// kCorrupt names the member.
Result<HostSpec> HostSpecFromJson(const Json& json);

// Beside spec.json: written when the host is to be stopped, also before its agent has begun.
std::string StopFileOf(const std::string& agent);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HOST_SPEC_H_
