#ifndef WARDEN_CAPTURE_KERNELS_KERNEL_RECORDER_H_
#define WARDEN_CAPTURE_KERNELS_KERNEL_RECORDER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/os/fork.h"

namespace warden::capture {

// What a KernelRecorder is made with. folder and node are required.
struct KernelRecorderOptions {
  std::string folder;        // The profiler's: files are below its "framework/". Made if missing.
  std::string node;          // "<rank or pid>-<host>", without '_'.
  std::string library = {};  // Where CUPTI is; empty: in one of the usual places.
  // Memory for records on their way to the disk; those for which there is no room are dropped.
  size_t buffer_bytes = size_t{2} << 20;
  size_t most_buffers = 48;
  uint64_t max_file_bytes = uint64_t{64} << 20;  // A larger file is closed, and another begins.
};

// Records every kernel, copy and CUDA call of this process in windows of time, with CUPTI. While
// nothing is recorded nothing of it is turned on, and nothing costs anything. During a window CUPTI
// writes into our memory on the threads that call CUDA, some hundred nanoseconds for each record;
// our own thread brings the records to files (KernelFile).
//
//   KernelRecorder recorder({.folder = "runs/1/profiler-output", .node = "0-algo-1"});
//   if (const Status status = recorder.Start(false); !status.ok()) ... say it once, go on ...
//   recorder.MarkStep(500);
//   Synchronize();  // With the GPU, so that what was started is recorded.
//   recorder.Stop();
//
// One recorder of a process may record at a time, and no other profiler that uses CUPTI. Safe for
// many threads. In a forked child it does nothing. Nothing of it throws.
class KernelRecorder {
 public:
  explicit KernelRecorder(KernelRecorderOptions options);
  // Stops, and closes.
  ~KernelRecorder();
  KernelRecorder(const KernelRecorder&) = delete;
  KernelRecorder& operator=(const KernelRecorder&) = delete;

  // Begins a window. Waits until the last one is written. kNotFound, kCorrupt: there is no CUPTI
  // that can be used; kUnavailable: no driver, another profiler, or the last window is not written
  // after some seconds; kInvalid: already recording. subscriber_is_idle: another user of CUPTI is
  // known that holds on to it and records nothing, as PyTorch does after its profiler has run once.
  Status Start(bool subscriber_is_idle);
  // A step begins now. Does nothing between windows.
  void MarkStep(int64_t step);
  // Ends the window, and returns when nothing is recorded any more; the thread writes the rest.
  // Does nothing between windows.
  void Stop();
  // Returns when all ended windows are in the file, or the time is over: false then.
  bool Flush(std::chrono::milliseconds patience = std::chrono::seconds(10));
  // Stops, writes, and ends the file, which gets its name. False if the time is over.
  bool Close(std::chrono::milliseconds patience = std::chrono::seconds(10));

  struct Counters {
    uint64_t windows = 0;  // That have ended.
    uint64_t kernels = 0;
    uint64_t events = 0;   // Kernels and all others.
    uint64_t dropped = 0;  // For which there was no memory.
    uint64_t untimed = 0;  // Without a time that makes sense.
    uint64_t lost = 0;     // That could not be written.
    uint64_t bytes = 0;    // Written.
    uint64_t buffers = 0;  // That CUPTI has now.
  };
  Counters counters() const;
  bool is_recording() const;

 private:
  class State;

  bool IsCopy() const { return os::ForkGeneration() != born_; }

  const uint64_t born_ = os::ForkGeneration();
  // Shared with the thread, which may outlive us if the disk does not answer.
  std::shared_ptr<State> state_;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_KERNELS_KERNEL_RECORDER_H_
