#ifndef WARDEN_JOBS_LAUNCH_NODE_H_
#define WARDEN_JOBS_LAUNCH_NODE_H_

// What the agent of a host learns only on its node: addresses of the other hosts, and the devices
// that the node has given it.

#include <map>
#include <string>

#include "warden/base/status.h"
#include "warden/jobs/launch/host_spec.h"

namespace warden::jobs {

// A machine of a cluster that runs a host.
struct Node {
  std::string name;     // "node17".
  std::string address;  // By which the others reach it.
};

// The nodes of a job's hosts, by host ("algo-1"). The file has a line for each: host, name and
// address, separated by spaces. Empty if it cannot be read; lines that are not of this form are
// left out.
std::map<std::string, Node> ReadNodes(const std::string& file);

// Replaces what stands for addresses (AddressOfHost) in the words and variables of the spec, and
// adds the variables of this process that the spec inherits. kNotFound if the file of nodes has no
// host.
Status FillInNode(HostSpec* spec);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_NODE_H_
