#include "warden/format/kernel_event.h"

#include <fmt/format.h>

namespace warden::format {

std::string_view GpuWorkName(GpuWork work) {
  switch (work) {
    case GpuWork::kKernel: return "kernel";
    case GpuWork::kCopy: return "copy";
    case GpuWork::kSet: return "set";
    case GpuWork::kCall: return "call";
    case GpuWork::kWait: return "wait";
  }
  return "";
}

std::string CopyName(uint8_t copy) {
  std::string name;
  switch (static_cast<CopyKind>(copy & ~kPageable)) {
    case CopyKind::kHostToDevice: name = "host to device"; break;
    case CopyKind::kDeviceToHost: name = "device to host"; break;
    case CopyKind::kDeviceToDevice: name = "device to device"; break;
    case CopyKind::kHostToHost: name = "host to host"; break;
    case CopyKind::kPeerToPeer: name = "peer to peer"; break;
    default: name = fmt::format("copy of kind {}", copy & ~kPageable); break;
  }
  return (copy & kPageable) != 0 ? name + " (pageable)" : name;
}

}  // namespace warden::format
