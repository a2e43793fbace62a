#ifndef WARDEN_MONITOR_NODE_NAME_H_
#define WARDEN_MONITOR_NODE_NAME_H_

#include <string>
#include <string_view>

namespace warden::monitor {

// Whether the original's readers see files of a node of that name: "algo-<number>".
bool IsNodeName(std::string_view name);

// What this machine is called in files: what TENSORWARDEN_NODE or SM_CURRENT_HOST says, or the
// "current_host" of SageMaker's resource configuration, the first that is such a name; else
// "algo-1".
std::string NodeName();

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_NODE_NAME_H_
