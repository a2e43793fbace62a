#ifndef WARDEN_CAPTURE_SAVE_PLAN_H_
#define WARDEN_CAPTURE_SAVE_PLAN_H_

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>

#include "warden/base/reduction.h"
#include "warden/base/types.h"

namespace warden::capture {

// What Hook decides and Writer and StepRecorder carry out. Plain values.

// What is to be kept of one tensor at one step: the union of what its due collections ask for. All
// empty: nothing.
struct SavePlan {
  std::bitset<Reduction::kCount> reductions;  // By Reduction::index.
  bool raw = false;                           // The values themselves.
  bool shape = false;                         // Only written where no values are.
  // For TensorBoard, if there is one: a curve; the collection that names the histogram, which
  // outlives the hook's writer, or empty.
  bool scalar = false;
  std::string_view histogram_collection;
  // The tensor's place in the order of what was seen in the step: see NotFinite.
  uint64_t sequence = 0;
};

// The tensor with NaN or infinite values that was seen first, among those whose reductions were
// written. What comes later may only have been spoiled by it.
struct NotFinite {
  Step step = 0;
  std::string tensor;
  uint64_t sequence = 0;  // Its place in the step.
};

// Which step something belongs to: goes into every record and index file of it.
struct StepIdentity {
  Step step = 0;              // Global.
  Mode mode = Mode::kGlobal;  // kGlobal: the training sets no mode.
  Step mode_step = 0;         // Counted in the mode alone.
  double wall_time = 0;       // Seconds since 1970, when it began.
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_SAVE_PLAN_H_
