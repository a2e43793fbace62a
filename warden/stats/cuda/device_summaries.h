#ifndef WARDEN_STATS_CUDA_DEVICE_SUMMARIES_H_
#define WARDEN_STATS_CUDA_DEVICE_SUMMARIES_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/stats/cuda/driver.h"
#include "warden/stats/cuda/summary_job.h"
#include "warden/stats/cuda/summary_table.h"
#include "warden/stats/exponents.h"
#include "warden/stats/summary.h"

namespace warden::stats::cuda {

// Statistics of tensors that are in a GPU's memory: only a row of 144 bytes for each travels to the
// host. The Python package launches these on the training's stream; capture reads the rows later
// (capture::Hook::LendSummary).
//
//   const auto gpu = DeviceSummaries::Make(0, "");  // Once for each device: compiles.
//   gpu.value()->Launch(tensors, {rows, scratch}, stream);
//   ... copy the rows to the host, wait for the copy ...
//   const Summary summary = SummaryFromRow(host_rows);

// A Summary as the GPU writes it: its members in their order, each as a double. Counts are exact up
// to 2^53. SummaryFromRow reads kRowDoubles numbers in host memory.
inline constexpr size_t kRowDoubles = kRowFields;
inline constexpr size_t kRowBytes = kRowDoubles * sizeof(double);
Summary SummaryFromRow(const double* row);

// Exponents as the GPU writes them: a count of 64 bits for each bin.
inline constexpr size_t kHistogramBytes = kExponentBins * sizeof(uint64_t);
Exponents ExponentsFromHistogram(const uint64_t* histogram);

// Where the results of a launch go: memory on the device, which must stay until the stream has come
// so far.
struct SummaryTarget {
  Address rows = 0;  // kRowBytes for each tensor, in their order.
  // ScratchBytes() of the number of tensors, whose first kTicketBytes are zeroed before the first
  // launch; each launch leaves them so. Used by one stream at a time.
  Address scratch = 0;
  Address histograms = 0;  // kHistogramBytes for each tensor; 0: none are wanted.
  // A number of 64 bits that becomes the smallest number of a tensor with a NaN or an infinity, if
  // there is one and it is smaller than what is there: the first one in the order of execution, if
  // the caller counts on from launch to launch. 0: not wanted.
  Address first_bad = 0;
  uint64_t sequence = 0;  // The number of the first tensor; the others follow it.
};
inline constexpr size_t kTicketBytes = 16;

// Summarizes tensors where they are, any number of them in one pass and at most two launches. The
// result is that of stats::Summarize up to rounding: sums of float types are good to a few parts in
// ten million, the product of n elements to 1e-7 times the root of n; squares of float64 must fit a
// double. The same tensors give the same bits on one kind of GPU. Safe for many threads.
class DeviceSummaries {
 public:
  struct Options {
    bool all_double = false;  // Slower, and no float is used: to compare with.
  };
  // For one device, by its CUDA number. kUnavailable (no driver, NVRTC too old, a GPU before
  // Volta), kNotFound (no NVRTC), kIo (a CUDA error) or kInvalid (no such device number) say why it
  // cannot be had; the caller then copies tensors to the host instead. compiler: see
  // Driver::Compile.
  static Result<std::unique_ptr<DeviceSummaries>> Make(int device, const std::string& compiler,
                                                       const Options& options);
  static Result<std::unique_ptr<DeviceSummaries>> Make(int device, const std::string& compiler) {
    return Make(device, compiler, Options());
  }

  // Everything that was launched must have ended.
  ~DeviceSummaries();

  // Memory that a launch of so many tensors works in.
  size_t ScratchBytes(size_t tensors) const;
  // Writes the summaries in the order of the stream; returns at once. The tensors are not empty
  // lists, but may be without elements. A list that does not fit the arguments of a kernel (more
  // than 130 tensors) travels through pinned memory of this object: such a launch must not be
  // captured into a graph. kInvalid as SummaryTable::Add has it, kIo with the number of the CUDA
  // error.
  Status Launch(std::span<const DeviceTensor> tensors, const SummaryTarget& target,
                Stream stream) const;

 private:
  // Pinned memory that a list travels through, and when it may be used again.
  struct Upload {
    std::byte* memory = nullptr;
    size_t bytes = 0;
    Event done = 0;
  };

  DeviceSummaries(const Driver* driver, int device) : driver_(driver), device_(device) {}

  Status Prepare(const std::string& compiler, const Options& options);
  unsigned BlocksFor(unsigned tiles) const;
  Status SendTable(Address target, Stream stream) const;
  Result<Upload*> TakeUpload(size_t bytes) const;

  const Driver* const driver_;
  const int device_;
  Function summarize_ = nullptr;
  Function finish_ = nullptr;
  unsigned most_blocks_ = 1;

  mutable std::mutex mutex_;  // Guards the next.
  mutable SummaryTable table_{kBlockThreads};
  mutable std::vector<Upload> uploads_;
};

}  // namespace warden::stats::cuda

#endif  // WARDEN_STATS_CUDA_DEVICE_SUMMARIES_H_
