#ifndef WARDEN_JOBS_SUPERVISE_HOSTS_H_
#define WARDEN_JOBS_SUPERVISE_HOSTS_H_

// From the states of single hosts to that of the job. Used by JobLife, several times a second: only
// looks at the values that it is given.

#include <optional>
#include <string>
#include <vector>

#include "warden/jobs/launch/launcher.h"

namespace warden::jobs {

// What has become of all hosts of a job together.
struct HostsView {
  bool all_started = true;   // Each runs, has ended, or is in a queue.
  bool any_running = false;  // At least one runs, or may do so soon: it is in a queue.
  bool all_ended = true;     // Successfully or not.
  // Why the job has failed, as the API words it ("AlgorithmError: ...", "InternalServerError:
  // ..."), at most 1,024 bytes; nothing if no host did. If several did: the first one, since the
  // others are likely to have failed because of it.
  std::optional<std::string> failure;
  bool timed_out = false;  // A host was stopped at the end of the job's time.
  // At least one waits in a queue: for what.
  std::optional<std::string> queued;
  std::optional<Time> started;  // When the first one started, as far as they could report it.
  std::optional<Time> ended;    // When the last one ended, likewise.
};

// hosts: as Launcher::Look returns them. A host has failed if it ended with a code other than 0 or
// by a signal, or if it was lost: the process that supervises its training was killed, or its
// machine failed. A lost host counts before all others; of the rest, the one that ended first. The
// exit code for a signal is that of shells, 128 + number. Without hosts, all have started and
// ended.
HostsView ViewOf(const std::vector<HostState>& hosts);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_HOSTS_H_
