#include <fmt/format.h>

#include <algorithm>

#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

class KeptAlive : public LogRule {
 public:
  explicit KeptAlive(const Params& params) : limit_(params.Number("graphs")) {}

 protected:
  void Check(const StepView& /*step*/, Verdicts* verdicts) override {
    const auto alive = log().Now("live_graphs");
    if (!alive) return;
    // A list that is emptied each epoch falls back to nothing.
    lowest_ = seen_++ == 0 ? *alive : std::min(lowest_, *alive);
    if (*alive < limit_) return;
    verdicts->FireRun("", "",
                      {*alive, limit_,
                       fmt::format("{:g} losses are still in memory with their graphs{}", *alive,
                                   log().Line("backward_line"))});
  }

 private:
  const double limit_;
  double lowest_ = 0;
  int64_t seen_ = 0;
};

}  // namespace

RuleEntry GraphsKeptAlive() {
  static constexpr Param kParams[] = {
      {"graphs", ParamType::kInteger, "60", "Losses in memory at the same time", 2}};
  static constexpr RuleSpec kSpec{
      "GraphsKeptAlive",
      "The script keeps losses together with their graphs, so memory grows with every step.",
      "Keep numbers instead of tensors: total += loss.item(), losses.append(loss.detach()).",
      kParams};
  return {&kSpec, Make<KeptAlive>};
}

}  // namespace warden::rules
