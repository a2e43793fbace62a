#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

// Layers are frozen on purpose where a model is fine-tuned: then most of it is frozen, it was
// trained or loaded before, or it is the first layers. What remains is a layer in the middle or at
// the end that still has its initial values.
std::vector<std::string> FrozenByMistake(const Json& facts) {
  const Json* frozen = MemberOf(facts, "frozen");
  const Json* parameters = MemberOf(facts, "parameters");
  std::vector<std::string> suspicious;
  if (frozen == nullptr || parameters == nullptr || frozen->empty()) return suspicious;
  if (2 * frozen->size() > parameters->size()) return suspicious;
  bool trainable_before = false;
  for (const Json& row : *parameters) {
    if (!row.is_array() || row.empty() || !row[0].is_string()) continue;
    const std::string name = row[0].get<std::string>();
    const std::string history = TextOf(MemberOf(*frozen, name));
    if (history.empty()) {
      trainable_before = true;
    } else if (history == "initial" && trainable_before) {
      suspicious.push_back(name);
    }
  }
  return suspicious;
}

class Frozen : public LogRule {
 public:
  explicit Frozen(const Params& params) : steps_(params.Number("steps")) {}

 protected:
  void Check(const StepView& /*step*/, Verdicts* verdicts) override {
    if (log().facts_are_new()) frozen_ = FrozenByMistake(log().facts());
    if (frozen_.empty() || log().Last("optimizer_step").value_or(0) < steps_) return;
    verdicts->FireRun("", "",
                      {static_cast<double>(frozen_.size()), 0,
                       fmt::format("{} are frozen (requires_grad is False) with their initial "
                                   "values, while layers before them are trained",
                                   SomeOf(frozen_))});
  }

 private:
  const double steps_;
  std::vector<std::string> frozen_;
};

}  // namespace

RuleEntry FrozenLayer() {
  static constexpr Param kParams[] = {
      {"steps", ParamType::kInteger, "4", "Optimizer steps before layers are checked", 1}};
  static constexpr RuleSpec kSpec{
      "FrozenLayer", "A layer with its initial values is frozen, probably by mistake.",
      "Set requires_grad to True for these layers, or load trained values before freezing them.",
      kParams};
  return {&kSpec, Make<Frozen>};
}

}  // namespace warden::rules
