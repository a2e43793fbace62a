#ifndef WARDEN_CAPTURE_KERNELS_KERNEL_FILE_H_
#define WARDEN_CAPTURE_KERNELS_KERNEL_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::capture {

// The file that a process writes its GPU activity to, in the profiler's folder: as
// "framework/<node>_kernels.bin.tmp", then "framework/pevents/<UTC hour>/<end us>_...". What a
// killed process of the same name left gets its name first. For one thread.
class KernelFile {
 public:
  // folder: the profiler's; node: "<rank or pid>-<host>", without '_'.
  KernelFile(std::string folder, std::string node)
      : folder_(std::move(folder)), node_(std::move(node)) {}

  // Appends whole blocks; opens a file if none is open, for which they must be the first. After an
  // error (kIo; kUnavailable: another process writes that file) none is open, and what was in it
  // stays up to the last whole block.
  Status Append(std::string_view blocks);
  // Ends the file, which gets its name. Does nothing if none is open.
  Status Finish(int64_t end_us);

  bool is_open() const { return fd_.ok(); }
  uint64_t size() const { return size_; }

 private:
  Status Open();

  const std::string folder_;
  const std::string node_;
  std::string temporary_;
  os::UniqueFd fd_;
  uint64_t size_ = 0;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_KERNELS_KERNEL_FILE_H_
