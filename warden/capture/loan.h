#ifndef WARDEN_CAPTURE_LOAN_H_
#define WARDEN_CAPTURE_LOAN_H_

#include <memory>

#include "warden/base/status.h"
#include "warden/stats/tensor_ref.h"

namespace warden::capture {

// Saving without a copy: memory that the writer's thread reads later. For callers that have a
// buffer to spare anyway, such as pinned memory that a GPU copies into while training continues.
//
//   class PinnedBuffer : public Lender {
//     Status Wait() override { return driver->Wait(device, copied); }
//     ~PinnedBuffer() override { ... the buffer may be used again ... }
//   };
//   hook->Lend(tensor, {{buffer, dtype, shape}, std::make_shared<PinnedBuffer>(...)});

// Who keeps memory alive and unchanged for the writer, e.g. a pinned buffer that a GPU is still
// copying into. Destroyed, on any thread, when the writer has read all that was lent with it, or
// will not read it: then Wait may not have been called. Its destructor must not wait for the thread
// that trains, nor for the GIL.
class Lender {
 public:
  virtual ~Lender() = default;
  // Returns when the memory may be read; on the writer's thread, at most once for each loan. An
  // error ends capture, as one of the storage does; kNotFound costs only the step.
  virtual Status Wait() = 0;
};

// A tensor that is read later, where it lies, instead of being copied now. The shape of value needs
// to live only until the loan is taken. One lender may stand for many loans; it is never null.
struct Loan {
  stats::TensorRef value;
  std::shared_ptr<Lender> lender;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_LOAN_H_
