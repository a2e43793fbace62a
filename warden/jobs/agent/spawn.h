#ifndef WARDEN_JOBS_AGENT_SPAWN_H_
#define WARDEN_JOBS_AGENT_SPAWN_H_

// Starts processes that outlive the service: agents (agent.h).

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// A program to start. Its standard input is /dev/null, its output and errors go to one file, which
// only its owner may read if it is new. It writes no core files.
struct DetachedProgram {
  std::vector<std::string> words;        // The first is an absolute path; at least one.
  std::vector<std::string> environment;  // "NAME=value".
  std::string output;         // The file that its output is appended to; created if missing.
  uint64_t memory_bytes = 0;  // Limit of its memory (RLIMIT_DATA); 0: none.
};

// Starts a program that nobody has to wait for: it leads its own session, is not our child,
// inherits neither open files nor our signal handling, and begins in "/". Returns its process ID
// when it is running. kIo if it cannot be started, with the reason. For any thread. The process may
// have ended by the time this returns: what became of it is in its agent's folder. Not RLIMIT_AS is
// limited, since runs map many files.
Result<pid_t> SpawnDetached(const DetachedProgram& program);

// Whether memory_bytes has an effect: not in a program built with a sanitizer, which itself takes
// more memory than any limit allows.
bool MemoryCanBeLimited();

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_AGENT_SPAWN_H_
