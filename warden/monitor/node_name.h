#ifndef WARDEN_MONITOR_NODE_NAME_H_
#define WARDEN_MONITOR_NODE_NAME_H_

// The name of this machine in metric files; distinguishes the hosts of a distributed training. Used
// by Monitor and by readers of the command line's options.

#include <string>
#include <string_view>

namespace warden::monitor {

// Whether the original's readers find files of a node of that name: "algo-<number>", at most 32
// characters.
bool IsNodeName(std::string_view name);

// The value of TENSORWARDEN_NODE or SM_CURRENT_HOST, or the "current_host" of SageMaker's resource
// configuration: the first that IsNodeName accepts, or else "algo-1". Reads the environment and a
// file on each call; never fails.
std::string NodeName();

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_NODE_NAME_H_
