#ifndef WARDEN_JOBS_LAUNCH_HOST_LAYOUT_H_
#define WARDEN_JOBS_LAUNCH_HOST_LAYOUT_H_

#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::jobs {

// Where things of a host are. A training image knows them below /opt/ml; here they are below the
// folder of the host's agent, and programs are told so. Only a container still sees /opt/ml.
class HostLayout {
 public:
  // agent: its folder.
  HostLayout(std::string agent, bool in_container)
      : agent_(std::move(agent)), in_container_(in_container) {}

  const std::string& agent() const { return agent_; }
  bool in_container() const { return in_container_; }

  // Below "/opt/ml": "output/failure". Where it is on this machine,
  std::string Here(std::string_view path) const;
  // and where the program finds it.
  std::string Seen(std::string_view path) const;

  // A folder that a request names, "/opt/ml/output/tensors" or any other path from the root.
  struct Place {
    std::string here;
    std::string seen;
  };
  // kInvalid if it is no path from the root.
  Result<Place> PlaceOf(const std::string& requested) const;

 private:
  const std::string agent_;
  const bool in_container_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HOST_LAYOUT_H_
