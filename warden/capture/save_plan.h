#ifndef WARDEN_CAPTURE_SAVE_PLAN_H_
#define WARDEN_CAPTURE_SAVE_PLAN_H_

#include <bitset>
#include <string_view>

#include "warden/base/reduction.h"
#include "warden/base/types.h"

namespace warden::capture {

// What is to be kept of one tensor at one step: the union of what its due collections ask for.
struct SavePlan {
  std::bitset<Reduction::kCount> reductions;
  bool raw = false;
  bool shape = false;
  // For TensorBoard, if there is one: a curve; the collection that names the histogram, which
  // outlives the hook's writer, or empty.
  bool scalar = false;
  std::string_view histogram_collection;
};

struct StepIdentity {
  Step step = 0;
  Mode mode = Mode::kGlobal;
  Step mode_step = 0;
  double wall_time = 0;  // Seconds since 1970, when it began.
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_SAVE_PLAN_H_
