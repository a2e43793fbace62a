#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

bool Learns(std::string_view module) {
  return module == "Linear" || module.find("Conv") != module.npos || module == "LSTM" ||
         module == "GRU" || module == "RNN" || module == "Bilinear" || module.ends_with("Dense") ||
         module == "SimpleRNN";
}

// Layers are frozen on purpose where a model is fine-tuned: then they were trained or loaded
// before. What remains are layers that keep their random initial values.
std::vector<std::string> FrozenByMistake(const TrainingLog& log) {
  const Json* frozen = MemberOf(log.facts(), "frozen");
  const Json* parameters = MemberOf(log.facts(), "parameters");
  std::vector<std::string> suspicious;
  if (frozen == nullptr || parameters == nullptr || !frozen->is_object()) return suspicious;
  for (const auto& [name, history] : frozen->items()) {
    if (TextOf(&history) == "initial" && Learns(log.ModuleOf(name))) suspicious.push_back(name);
  }
  return suspicious;
}

class Frozen : public LogRule {
 public:
  explicit Frozen(const Params& params) : steps_(params.Number("steps")) {}

 protected:
  bool Check(Verdicts* verdicts) override {
    if (log().facts_are_new()) frozen_ = FrozenByMistake(log());
    if (log().Last("optimizer_step").value_or(0) < steps_) return false;
    if (frozen_.empty()) return true;
    verdicts->FireRun(
        "", "",
        {static_cast<double>(frozen_.size()), 0,
         fmt::format("{} are frozen ({} is False) with their initial random values",
                     SomeOf(frozen_),
                     log().Text("framework") == "keras" ? "trainable" : "requires_grad")});
    return true;
  }

 private:
  const double steps_;
  std::vector<std::string> frozen_;
};

}  // namespace

RuleEntry FrozenLayer() {
  static constexpr Param kParams[] = {
      {"steps", ParamType::kInteger, "4", "Optimizer steps before layers are checked", 1}};
  static constexpr RuleSpec kSpec{"FrozenLayer",
                                  "A layer with its initial values is frozen, probably by mistake.",
                                  "Set requires_grad (Keras: trainable) to True for these layers, "
                                  "or load trained values before freezing them.",
                                  kParams};
  return {&kSpec, Make<Frozen>};
}

}  // namespace warden::rules
