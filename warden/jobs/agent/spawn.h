#ifndef WARDEN_JOBS_AGENT_SPAWN_H_
#define WARDEN_JOBS_AGENT_SPAWN_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

struct DetachedProgram {
  std::vector<std::string> words;        // The first is a path.
  std::vector<std::string> environment;  // "NAME=value".
  std::string output;                    // The file that its output is added to.
  uint64_t memory_bytes = 0;             // Of data that it may have; 0: any.
};

// Starts a program that nobody has to wait for: it leads a session of its own, is no child of ours,
// and inherits neither open files nor what we do with signals. Returns its number when it is
// running. kIo if it cannot be. For any thread.
Result<pid_t> SpawnDetached(const DetachedProgram& program);

// Whether memory_bytes has an effect: not in a program built with a sanitizer, which takes more
// memory for itself than any limit allows.
bool MemoryCanBeLimited();

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_AGENT_SPAWN_H_
