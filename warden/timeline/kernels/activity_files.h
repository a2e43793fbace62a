#ifndef WARDEN_TIMELINE_KERNELS_ACTIVITY_FILES_H_
#define WARDEN_TIMELINE_KERNELS_ACTIVITY_FILES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "warden/timeline/file_text.h"

namespace warden::timeline {

// A file of GPU activity (format/kernel_block.h). Its path is that of the folder and the key.
struct ActivityFile : FilePlace {
  std::string node;      // As TraceFile has it.
  bool finished = true;  // False: still being written, under a temporary name.
  int64_t ahead_us = 0;  // As TraceFile has it.
};

// All files of GPU activity below the folder, by node, then name. There are few of them, and each
// may be of hours.
std::vector<ActivityFile> ActivityFiles(const std::string& folder, bool unfinished);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_KERNELS_ACTIVITY_FILES_H_
