#ifndef WARDEN_CAPTURE_LOAN_H_
#define WARDEN_CAPTURE_LOAN_H_

#include <memory>

#include "warden/base/status.h"
#include "warden/stats/tensor_ref.h"

namespace warden::capture {

// Who keeps memory alive and unchanged for the writer, e.g. a pinned buffer that a GPU is still
// copying into. Destroyed, on any thread, when the writer has read all that was lent with it.
class Lender {
 public:
  virtual ~Lender() = default;
  // Returns when the memory may be read; on the writer's thread, maybe more than once.
  virtual Status Wait() = 0;
};

// A tensor that is read later, where it lies, instead of being copied now. The shape of value needs
// to live only until the loan is taken.
struct Loan {
  stats::TensorRef value;
  std::shared_ptr<Lender> lender;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_LOAN_H_
