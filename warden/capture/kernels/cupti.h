#ifndef WARDEN_CAPTURE_KERNELS_CUPTI_H_
#define WARDEN_CAPTURE_KERNELS_CUPTI_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/capture/kernels/cupti_records.h"

namespace warden::capture::cupti {

// NVIDIA's library that records what GPUs do, opened at run time: the same binary works with and
// without it, and nothing of CUDA is needed to build it. Its functions work on the whole process.
// Used by KernelRecorder, and by `warden doctor`.

// CUPTI's versions whose records are laid out as cupti_records.h has them: of CUDA 12.0 to 13.4.
// Before CUDA 13 the version counts up; from then on it is major, minor, update, two digits each.
struct KnownVersions {
  uint32_t first, last;
};
inline constexpr KnownVersions kKnownCupti[] = {{18, 28}, {130000, 130499}};

using RequestBuffer = void (*)(uint8_t** buffer, size_t* size, size_t* most_records);
using CompleteBuffer = void (*)(void* context, uint32_t stream, uint8_t* buffer, size_t size,
                                size_t valid);
using Callback = void (*)(void* user, int domain, uint32_t function, const void* data);

// The functions that are used, with CUPTI's names without "cupti" and "Activity". Those of the
// second block are null where the library is older.
struct Functions {
  int (*get_version)(uint32_t*) = nullptr;
  int (*register_callbacks)(RequestBuffer, CompleteBuffer) = nullptr;
  int (*enable)(uint32_t kind) = nullptr;
  int (*disable)(uint32_t kind) = nullptr;
  int (*flush_all)(uint32_t flag) = nullptr;
  int (*get_next_record)(uint8_t* buffer, size_t valid, Record** record) = nullptr;
  int (*get_dropped)(void* context, uint32_t stream, size_t* dropped) = nullptr;
  int (*get_timestamp)(uint64_t*) = nullptr;
  int (*get_callback_name)(uint32_t domain, uint32_t function, const char** name) = nullptr;
  int (*subscribe)(void** subscriber, Callback, void* user) = nullptr;
  int (*unsubscribe)(void* subscriber) = nullptr;

  int (*get_result_string)(int result, const char** text) = nullptr;
  int (*enable_runtime_call)(uint32_t function, uint8_t enable) = nullptr;
};

// The library of this process. Safe for many threads. It is never unloaded: CUPTI has threads and
// exit handlers of its own.
class Library {
 public:
  // Opens the library that the process has already loaded, as PyTorch does; otherwise that at
  // `path`, unless it is empty; otherwise the first in the usual places (UsualPlaces).
  // kNotFound if there is none; kUnavailable, with the version, for one that is not known; kCorrupt
  // if functions are missing.
  static Result<std::unique_ptr<Library>> Open(const std::string& path = "");

  const Functions& call() const { return functions_; }
  uint32_t version() const { return version_; }
  // "CUDA 13.0", "CUDA 12".
  std::string VersionText() const;
  // What a result that is not kSuccess means: "CUPTI_ERROR_NOT_INITIALIZED (error 15)".
  std::string ErrorText(int result) const;

 private:
  Library() = default;

  Functions functions_;
  uint32_t version_ = 0;
};

// Where CUPTI may be, in the order in which it is looked for: names for the dynamic loader, then
// files in CUDA_HOME, CUDA_PATH and /usr/local/cuda. NVIDIA's Python packages have it too; the
// Python package finds those and gives their path.
std::vector<std::string> UsualPlaces();

}  // namespace warden::capture::cupti

#endif  // WARDEN_CAPTURE_KERNELS_CUPTI_H_
