#ifndef WARDEN_JOBS_SUPERVISE_HOSTS_H_
#define WARDEN_JOBS_SUPERVISE_HOSTS_H_

#include <optional>
#include <string>
#include <vector>

#include "warden/jobs/launch/launcher.h"

namespace warden::jobs {

// What has become of all hosts of a job together.
struct HostsView {
  bool all_started = true;  // Or have been.
  bool any_running = false;
  bool all_ended = true;  // Well or not.
  // Why the job has failed, as the API words it; nothing if no host did. If several did: the first
  // one, for the others are likely to have failed because of it.
  std::optional<std::string> failure;
};

HostsView ViewOf(const std::vector<HostState>& hosts);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_HOSTS_H_
