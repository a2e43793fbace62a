#ifndef WARDEN_JOBS_SUPERVISE_HOSTS_H_
#define WARDEN_JOBS_SUPERVISE_HOSTS_H_

// From the states of single hosts to that of the job. Used by JobLife.

#include <optional>
#include <string>
#include <vector>

#include "warden/jobs/launch/launcher.h"

namespace warden::jobs {

// What has become of all hosts of a job together.
struct HostsView {
  bool all_started = true;   // Each runs or has ended.
  bool any_running = false;  // At least one runs.
  bool all_ended = true;     // Successfully or not.
  // Why the job has failed, as the API words it ("AlgorithmError: ...", "InternalServerError:
  // ..."), at most 1,024 bytes; nothing if no host did. If several did: the first one, since the
  // others are likely to have failed because of it.
  std::optional<std::string> failure;
};

// hosts: as Launcher::Look returns them.
HostsView ViewOf(const std::vector<HostState>& hosts);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_HOSTS_H_
