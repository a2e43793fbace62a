#include <fmt/format.h>

#include <map>

#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

// A mistake in the arguments of a loss function, as the hook noted it: 1 at a call that has it, 0
// at one that has not.
struct Mistake {
  std::string_view number;
  std::string_view what;
  std::string_view advice;
};

// The most specific one first: only one is reported.
constexpr Mistake kMistakes[] = {
    {"loss_input_sums_over_batch",
     "softmax is computed over the batch instead of the classes: the inputs of the loss add up to "
     "1 along dimension 0",
     "Use softmax or log_softmax with dim=1 (or dim=-1), or pass logits to CrossEntropyLoss."},
    {"loss_input_is_probability",
     "the loss function applies softmax or sigmoid itself, but gets probabilities: the activation "
     "is applied twice",
     "Pass the raw outputs (logits) of the last layer to the loss, without softmax or sigmoid."},
    {"loss_shapes_differ",
     "predictions and targets have different shapes, so the loss compares every prediction with "
     "every target (broadcasting)",
     "Give both the same shape: predictions.squeeze(-1), or targets.unsqueeze(-1)."},
    {"loss_gets_logits",
     "the loss expects probabilities, but gets the raw outputs (logits) of the last layer",
     "Create the loss with from_logits=True, or give the last layer a softmax or sigmoid."},
    {"nll_input_is_no_log_probability", "NLLLoss gets values that are not log-probabilities",
     "Apply log_softmax to the outputs, or use CrossEntropyLoss on the logits."},
};

class Inputs : public LogRule {
 public:
  explicit Inputs(const Params& params) : calls_(params.Integer("calls")) {}

 protected:
  bool Check(Verdicts* verdicts) override {
    bool found = false;
    for (const Mistake& mistake : kMistakes) {
      const auto now = log().Now(mistake.number);
      if (!now && !seen_.contains(mistake.number)) continue;
      int64_t& calls = seen_[mistake.number];
      if (now) calls = *now > 0 ? calls + 1 : 0;
      if (calls < calls_ || found) continue;
      found = true;
      verdicts->FireRun(
          "", "",
          {static_cast<double>(calls), static_cast<double>(calls_),
           fmt::format("{}{}{}", mistake.what, Shapes(mistake), log().Line("loss_line")),
           std::string(mistake.advice)});
    }
    return !seen_.empty();
  }

 private:
  std::string Shapes(const Mistake& mistake) const {
    if (mistake.number != "loss_shapes_differ") return "";
    const auto found = log().facts().find("loss_shapes");
    if (found == log().facts().end() || !found->is_array() || found->size() != 2) return "";
    return fmt::format(": {} and {}", (*found)[0].dump(), (*found)[1].dump());
  }

  const int64_t calls_;
  std::map<std::string_view, int64_t> seen_;  // Calls in a row with the mistake.
};

}  // namespace

RuleEntry LossInputs() {
  static constexpr Param kParams[] = {
      {"calls", ParamType::kInteger, "3", "Checked calls in a row that must have the mistake", 1}};
  static constexpr RuleSpec kSpec{
      "LossInputs", "A loss function gets inputs that it does not expect.",
      "Check what the loss function expects: logits, probabilities or log-probabilities, and which "
      "shapes.",
      kParams};
  return {&kSpec, Make<Inputs>};
}

}  // namespace warden::rules
