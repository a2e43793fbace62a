#ifndef PYTHON_SRC_SLOTS_H_
#define PYTHON_SRC_SLOTS_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "warden/capture/loan.h"

namespace warden::python {

// Numbers of buffers that the writer has finished with. Thread-safe and independent of Python: the
// writer thread must never wait for the GIL.
class ReturnedSlots {
 public:
  void Push(int slot);
  // Returns all numbers; waits for the first if there are none.
  std::vector<int> Take(std::chrono::milliseconds timeout);

 private:
  std::mutex mutex_;
  std::condition_variable pushed_;
  std::vector<int> slots_;
};

// Lends a buffer of pinned memory that a GPU copies into until the event, a CUDA handle, completes.
// The content is ready then. The number of the buffer is returned when everything has been read.
std::shared_ptr<capture::Lender> LendSlot(std::shared_ptr<ReturnedSlots> returned, int slot,
                                          int device, uint64_t event);

}  // namespace warden::python

#endif  // PYTHON_SRC_SLOTS_H_
