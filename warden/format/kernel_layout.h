#ifndef WARDEN_FORMAT_KERNEL_LAYOUT_H_
#define WARDEN_FORMAT_KERNEL_LAYOUT_H_

#include <optional>
#include <string_view>

#include "warden/format/profiler_layout.h"

namespace warden::format {

// Where files of GPU activity (kernel_block.h) are, beside the profiler's other files: they are
// named as timelines are (TimelineFileKey), with this suffix.
inline constexpr std::string_view kKernelTimeline = "kernels.bin";

// What the name of such a file says, finished or not; nothing for any other file.
std::optional<TimelineFileName> ParseKernelFileKey(std::string_view key);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_KERNEL_LAYOUT_H_
