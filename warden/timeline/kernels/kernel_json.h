#ifndef WARDEN_TIMELINE_KERNELS_KERNEL_JSON_H_
#define WARDEN_TIMELINE_KERNELS_KERNEL_JSON_H_

#include <cstddef>

#include "warden/base/json_fwd.h"
#include "warden/timeline/kernels/kernel_statistics.h"

namespace warden::timeline {

// What `warden profile kernels --json` prints and the Python package returns, with as many kernels,
// calls and gaps as `top` says. Members may be added, never changed.
Json KernelStatisticsJson(const KernelStatistics& all, size_t top);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_KERNELS_KERNEL_JSON_H_
