#ifndef WARDEN_RULES_DEBUG_NAN_SPREAD_H_
#define WARDEN_RULES_DEBUG_NAN_SPREAD_H_

// For NaNOrigin: the tensors of a step as parts of the model, and how NaN spreads through them.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/types.h"
#include "warden/rules/tensor_view.h"

namespace warden::rules {

enum class TensorPart : uint8_t { kInput, kOutput, kGradient, kOther };  // Other: weights, mostly.

// What the name of a tensor says.
struct TensorPlace {
  TensorPart part = TensorPart::kOther;
  std::string_view module = {};  // Of inputs and outputs.
};
TensorPlace PlaceOfTensor(std::string_view name);

// A tensor of a step.
struct SeenTensor {
  TensorView* view;
  TensorPlace place = {};
  bool bad = false;  // Holds what is not finite.
};

// The places of one worker that NaN went through, in order: "decoder.3 (step 51)", "decoder.4",
// "all gradients", "all weights (step 52)". Each place is told once, with the step if that is not
// the one of the place before. Bounded: of at most 10 steps, and 8 places.
class NanSpread {
 public:
  // It began in this tensor, whether that was saved or not.
  void Begin(Step step, std::string_view tensor);
  // What was saved of a step, in the order of saving.
  void Add(Step step, const std::vector<SeenTensor>& seen);

  // Nothing more will be added.
  bool IsComplete(Step step) const;
  const std::vector<std::string>& places() const { return places_; }

 private:
  void AddModules(const std::vector<std::string>& modules);
  void AddPlace(std::string text);

  Step first_ = -1;
  Step at_ = -1;                              // The step of what is being added.
  Step told_ = -1;                            // The step of the last place.
  std::set<std::string, std::less<>> known_;  // Modules, and the names of groups of tensors.
  std::vector<std::string> places_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_DEBUG_NAN_SPREAD_H_
