#ifndef WARDEN_RULES_FIRINGS_H_
#define WARDEN_RULES_FIRINGS_H_

// Findings in a stable order. The engine shows a step's tensors by name and worker; a rule that
// follows the order of computation instead would report in an order that changes from run to run.

#include <algorithm>
#include <utility>
#include <vector>

#include "warden/rules/tensor_view.h"
#include "warden/rules/verdicts.h"

namespace warden::rules {

// Collects findings of one step and reports them by name, then worker. For rules that come upon the
// tensors of a step in another order: NaNOrigin and PoorWeightInitialization. Belongs to one rule;
// empty between steps.
class Firings {
 public:
  // `tensor` must live until TellTo, that is, within the same Rule::Evaluate.
  void Add(TensorView& tensor, Evidence evidence) {
    firings_.emplace_back(&tensor, std::move(evidence));
  }

  // Fires all of them, sorted, and clears the list. A tensor that was added twice is fired twice,
  // in the order of Add.
  void TellTo(Verdicts* verdicts) {
    std::sort(firings_.begin(), firings_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.first->name(), a.first->worker()) <
             std::pair(b.first->name(), b.first->worker());
    });
    for (const auto& [tensor, evidence] : firings_) verdicts->Fire(*tensor, evidence);
    firings_.clear();
  }

 private:
  std::vector<std::pair<TensorView*, Evidence>> firings_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_FIRINGS_H_
