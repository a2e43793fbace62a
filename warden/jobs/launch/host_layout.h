#ifndef WARDEN_JOBS_LAUNCH_HOST_LAYOUT_H_
#define WARDEN_JOBS_LAUNCH_HOST_LAYOUT_H_

// Paths of a host, on both sides: the service's and the program's.

#include <cstdint>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::jobs {

// Where the files of a host are. A training image expects them below /opt/ml; here they are below
// the folder of the host's agent. In a box (os/box.h) and in a container the program finds them at
// /opt/ml, otherwise at their place here; it gets the paths by variables and configuration files.
// Computes paths and touches no files; safe for many threads.
//
//   HostLayout layout(data.Host("mnist-1", "algo-1"), HostLayout::View::kContainer);
//   layout.Here("model");  // DATA/jobs/mnist-1/hosts/algo-1/opt/ml/model
//   layout.Seen("model");  // /opt/ml/model
class HostLayout {
 public:
  // What the program sees of this machine.
  enum class View : uint8_t {
    kHere,       // Everything, where it is.
    kBox,        // /opt/ml, and the same files where they are here.
    kContainer,  // /opt/ml.
  };

  // agent: the folder of the host's agent.
  HostLayout(std::string agent, View view) : agent_(std::move(agent)), view_(view) {}

  // The folder of the host's agent.
  const std::string& agent() const { return agent_; }
  View view() const { return view_; }
  bool in_container() const { return view_ == View::kContainer; }

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
  const View view_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HOST_LAYOUT_H_
