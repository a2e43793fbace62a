#include "warden/monitor/collectors.h"

namespace warden::monitor {

std::vector<std::unique_ptr<Collector>> MakeCollectors(const std::string& root, pid_t training,
                                                       const std::string& folder) {
  std::vector<std::unique_ptr<Collector>> collectors;
  collectors.push_back(MakeCpuCollector(root));
  collectors.push_back(MakeMemoryCollector(root));
  collectors.push_back(MakeDiskCollector(root));
  if (!folder.empty()) collectors.push_back(MakeSpaceCollector(folder));
  collectors.push_back(MakeNetworkCollector(root));
  collectors.push_back(MakeLoadCollector(root));
  collectors.push_back(MakeSwapCollector(root));
  collectors.push_back(MakePressureCollector(root));
  collectors.push_back(MakeContainerCollector(root));
  if (training > 0) collectors.push_back(MakeProcessCollector(root, training));
  collectors.push_back(MakeGpuCollector());  // Last, for it may have to wait.
  return collectors;
}

}  // namespace warden::monitor
