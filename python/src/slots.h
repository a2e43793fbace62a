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

// Numbers of buffers that the writer has done with. Safe for all threads and free of Python, so
// that the writer's thread never waits for the GIL.
class ReturnedSlots {
 public:
  void Push(int slot);
  // All there are; waits for the first if there is none.
  std::vector<int> Take(std::chrono::milliseconds timeout);

 private:
  std::mutex mutex_;
  std::condition_variable pushed_;
  std::vector<int> slots_;
};

// Lends a buffer of pinned memory that a GPU copies into until the event, CUDA's own handle of it,
// has come. What it lends is ready then; the number of the buffer comes back when all is read.
std::shared_ptr<capture::Lender> LendSlot(std::shared_ptr<ReturnedSlots> returned, int slot,
                                          int device, uint64_t event);

}  // namespace warden::python

#endif  // PYTHON_SRC_SLOTS_H_
