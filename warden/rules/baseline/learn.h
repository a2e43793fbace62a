#ifndef WARDEN_RULES_BASELINE_LEARN_H_
#define WARDEN_RULES_BASELINE_LEARN_H_

#include <functional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/baseline/baseline.h"
#include "warden/rules/selector.h"

namespace warden::rules {

// The tensors that have ranges, for a StepTensors or the inputs of a rule: all of them, and then
// those among them that are losses.
std::vector<Selector> BaselineInputs();

// Learns the normal ranges of tensors from the folders of good runs of one script. Reads at most a
// few hundred steps of each phase of a run, of its first worker; of training steps alone. progress,
// which may be null, is called before each run with its position.
//
// kInvalid without a run; the error, with the run's folder in front, of one that cannot be opened;
// kNotFound if no run has training steps with statistics.
Result<Baseline> LearnBaseline(const std::vector<std::string>& runs,
                               const std::function<void(size_t run)>& progress);

}  // namespace warden::rules

#endif  // WARDEN_RULES_BASELINE_LEARN_H_
