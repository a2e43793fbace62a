#include <fmt/format.h>

#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

class KeptAlive : public LogRule {
 public:
  explicit KeptAlive(const Params& params) : limit_(params.Number("graphs")) {}

 protected:
  bool Check(Verdicts* verdicts) override {
    const auto alive = log().Last("live_graphs");
    if (!alive) return false;
    if (*alive < limit_) return true;
    verdicts->FireRun("", "",
                      {*alive, limit_,
                       fmt::format("{:g} losses are still in memory with their graphs{}", *alive,
                                   log().Line("backward_line"))});
    return true;
  }

 private:
  const double limit_;
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
