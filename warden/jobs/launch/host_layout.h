#ifndef WARDEN_JOBS_LAUNCH_HOST_LAYOUT_H_
#define WARDEN_JOBS_LAUNCH_HOST_LAYOUT_H_

// Paths of a host, on both sides: the service's and the program's.

#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::jobs {

// Where the files of a host are. A training image expects them below /opt/ml; here they are below
// the folder of the host's agent, and programs get these paths by variables and configuration
// files. Only a container still sees /opt/ml. Computes paths and touches no files; safe for many
// threads.
//
//   HostLayout layout(data.Host("mnist-1", "algo-1"), /*in_container=*/true);
//   layout.Here("model");  // DATA/jobs/mnist-1/hosts/algo-1/opt/ml/model
//   layout.Seen("model");  // /opt/ml/model
class HostLayout {
 public:
  // agent: the folder of the host's agent.
  HostLayout(std::string agent, bool in_container)
      : agent_(std::move(agent)), in_container_(in_container) {}

  // The folder of the host's agent.
  const std::string& agent() const { return agent_; }
  bool in_container() const { return in_container_; }  // Whether Seen differs from Here.

  // path: below "/opt/ml", such as "output/failure". Where it is on this machine,
  std::string Here(std::string_view path) const;
  // and where the program finds it.
  std::string Seen(std::string_view path) const;

  // A folder that a request names: "/opt/ml/output/tensors" or any other absolute path.
  struct Place {
    std::string here;  // On this machine.
    std::string seen;  // For the program.
  };
  // Paths outside of /opt/ml are mapped to a separate folder of the host, so that they cannot meet
  // our own files. kInvalid if it is not an absolute path, or has "..".
  Result<Place> PlaceOf(const std::string& requested) const;

 private:
  const std::string agent_;
  const bool in_container_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HOST_LAYOUT_H_
