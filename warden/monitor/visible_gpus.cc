#include "warden/monitor/visible_gpus.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>

#include "warden/base/strings.h"

namespace warden::monitor {
namespace {

using GpuNumbers = std::set<unsigned>;

constexpr std::string_view kUuidStart = "GPU-";
constexpr std::string_view kPartStart = "MIG-";

std::vector<std::string_view> NamesIn(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    names.push_back(Trim(list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

// The one GPU whose UUID begins so.
std::optional<unsigned> WithUuid(const std::vector<GpuIdentity>& gpus, std::string_view start) {
  std::optional<unsigned> found;
  for (unsigned i = 0; i < gpus.size(); ++i) {
    if (!gpus[i].uuid.starts_with(start)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

// Whether CUDA's numbers are the driver's.
bool HasCommonOrder(const std::vector<GpuIdentity>& gpus, const GpuEnvironment& environment) {
  const char* const order = environment.cuda_device_order;
  if (order != nullptr && std::string_view(order) == "PCI_BUS_ID") return true;
  return std::all_of(gpus.begin(), gpus.end(),
                     [&](const GpuIdentity& gpu) { return gpu.model == gpus.front().model; });
}

// Nothing: all of them.
std::optional<GpuNumbers> NamedByCuda(const std::vector<GpuIdentity>& gpus,
                                      const GpuEnvironment& environment) {
  if (environment.cuda_visible_devices == nullptr) return std::nullopt;
  GpuNumbers numbers;
  for (const std::string_view name : NamesIn(environment.cuda_visible_devices)) {
    if (name.starts_with(kPartStart)) return std::nullopt;
    if (name.starts_with(kUuidStart)) {
      const auto gpu = WithUuid(gpus, name);
      if (!gpu) return numbers.empty() ? std::nullopt : std::optional(numbers);
      numbers.insert(*gpu);
      continue;
    }
    const auto number = ParseInt(name);
    if (!number || *number < 0) break;
    if (static_cast<uint64_t>(*number) >= gpus.size()) return std::nullopt;
    if (!HasCommonOrder(gpus, environment)) return std::nullopt;
    numbers.insert(static_cast<unsigned>(*number));
  }
  return numbers;
}

std::optional<GpuNumbers> NamedByContainer(const std::vector<GpuIdentity>& gpus,
                                           const GpuEnvironment& environment) {
  if (environment.nvidia_visible_devices == nullptr) return std::nullopt;
  GpuNumbers numbers;
  for (const std::string_view name : NamesIn(environment.nvidia_visible_devices)) {
    const auto gpu = name.starts_with(kUuidStart) ? WithUuid(gpus, name) : std::nullopt;
    if (!gpu) return std::nullopt;
    numbers.insert(*gpu);
  }
  return numbers.empty() ? std::nullopt : std::optional(numbers);
}

}  // namespace

GpuEnvironment GpuEnvironment::Current() {
  return {std::getenv("CUDA_VISIBLE_DEVICES"), std::getenv("NVIDIA_VISIBLE_DEVICES"),
          std::getenv("CUDA_DEVICE_ORDER")};
}

std::vector<unsigned> VisibleGpus(const std::vector<GpuIdentity>& gpus,
                                  const GpuEnvironment& environment) {
  const auto by_cuda = NamedByCuda(gpus, environment);
  const auto by_container = NamedByContainer(gpus, environment);
  std::vector<unsigned> visible;
  for (unsigned i = 0; i < gpus.size(); ++i) {
    const bool named =
        (!by_cuda || by_cuda->contains(i)) && (!by_container || by_container->contains(i));
    if (gpus[i].opens && named) visible.push_back(i);
  }
  return visible;
}

}  // namespace warden::monitor
