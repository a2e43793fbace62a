#ifndef WARDEN_RULES_LOSS_SCALER_H_
#define WARDEN_RULES_LOSS_SCALER_H_

// What the scaler of a training in mixed precision does (PyTorch's GradScaler). It multiplies the
// loss, so that small gradients fit into half precision. If the scale is too large, gradients are
// infinite; the scaler then leaves out that step of the optimizer, and lowers the scale. That is
// how it looks for its scale, and no problem. docs/formats/training.md, loss_scale and
// scaler_skipped. For NaNOrigin, Divergence and GradientFlow.
//
//   scaler_.Read(step.Input(1));
//   if (scaler_.Explains(*gradient)) ...  // Not finite, and the scale may be the reason.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "warden/rules/selector.h"
#include "warden/rules/step_view.h"
#include "warden/rules/tensor_view.h"

namespace warden::rules {

// Belongs to one rule; memory grows with the number of workers. Without a scaler, all is as if
// there were none: scales are 1, and nothing is explained.
class LossScaler {
 public:
  // The tensors that Read expects, among others.
  static Selector Input();

  // Takes in what was saved at a step.
  void Read(const StepView::Tensors& tensors);

  // By what the gradients of a worker at this step are multiplied.
  double ScaleOf(std::string_view worker) const;
  // Whether too large a scale may be why this tensor is not finite, if it is not: it is a gradient
  // of a scaled loss, and the scaler is not stuck.
  bool Explains(const TensorView& tensor) const;
  // Whether the scaler leaves out this step, as far as these gradients show.
  bool LeavesOut(const StepView::Tensors& gradients) const;

  // Whether the scaler of a worker leaves out this step, as far as it has said.
  bool IsSkipping(std::string_view worker) const;

  // A worker whose scaler is stuck: it leaves out steps for another reason than too large a scale.
  struct Stuck {
    std::string_view worker;
    double skipped = 0;  // Steps in a row.
    std::string what;    // "gradients are NaN or infinite at 5 steps in a row, ...".
  };
  std::vector<Stuck> AllStuck() const;

 private:
  struct Worker {
    double scale = 1;
    double skipped = 0;        // In a row.
    bool is_scaled = false;    // At this step.
    bool is_new = false;       // `skipped` is of this step.
    bool has_stepped = false;  // It has found its scale.
  };

  static bool IsSkipping(const Worker& worker);
  static bool IsStuck(const Worker& worker);

  std::map<std::string, Worker, std::less<>> workers_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_LOSS_SCALER_H_
