#ifndef WARDEN_WATCH_LOCAL_PROFILING_CHANGE_H_
#define WARDEN_WATCH_LOCAL_PROFILING_CHANGE_H_

// Changes how a training on this machine is profiled, while it runs: its processes and the monitor
// beside it follow the configuration file of the profiler (config/profiler_config.h).
//
//   auto file = ProfilerConfigOf(pid);
//   if (!file.ok()) return file.status();
//   return ChangeProfiling(file.value(),
//                          {{"ProfilingParameters", config::DetailsOf({.steps = 10})}});

#include <sys/types.h>

#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden::watch {

// The file that a process was told of when it was started ($SMPROFILER_CONFIG_PATH); it need not
// exist. kNotFound if there is no such process, kUnavailable if it was told of none, kIo if it
// belongs to somebody else.
Result<std::string> ProfilerConfigOf(pid_t pid);

// Replaces members of the file: those of `change`, and of the objects in it; null removes one
// (RFC 7386). Keys are compared whatever their case. A training that recorded nothing so far writes
// to the folder of the file. kInvalid if the file is not a JSON object, kIo if it cannot be
// written.
Status ChangeProfiling(const std::string& config_file, const Json& change);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_LOCAL_PROFILING_CHANGE_H_
