#include <fmt/format.h>

#include "warden/rules/closeness.h"
#include "warden/rules/debug/debug_rules.h"

namespace warden::rules {
namespace {

class Desync : public Rule {
 public:
  explicit Desync(const Params& params)
      : selector_(SelectorFrom(params, {.collections = {"weights", "biases"}})),
        tolerance_{params.Number("rtol"), params.Number("atol"), /*equal_nan=*/true} {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    // A tensor's workers stand side by side.
    const std::span<TensorView* const> tensors(step.Input(0));
    for (size_t begin = 0; begin < tensors.size();) {
      size_t end = begin + 1;
      while (end < tensors.size() && tensors[end]->name() == tensors[begin]->name()) ++end;
      EvaluateReplicas(tensors.subspan(begin, end - begin), verdicts);
      begin = end;
    }
    return Status();
  }

 private:
  void EvaluateReplicas(std::span<TensorView* const> replicas, Verdicts* verdicts) const {
    if (replicas.size() < 2) {
      verdicts->TooLittle("needs tensors from 2 workers, found 1; add --workers all");
      return;
    }
    TensorView* first = replicas[0];
    TensorView* furthest = nullptr;
    Difference widest;
    bool any_compared = false;
    for (TensorView* replica : replicas.subspan(1)) {
      Comparison comparison = Compare(*replica, *first, tolerance_);
      if (!comparison.skipped.empty()) {
        verdicts->Skip(*replica, comparison.skipped);
        continue;
      }
      any_compared = true;
      if (!comparison.difference) {
        verdicts->Healthy(*replica);
      } else if (furthest == nullptr || comparison.difference->largest > widest.largest) {
        furthest = replica;
        widest = std::move(*comparison.difference);
      }
    }
    if (any_compared) verdicts->Healthy(*first);
    if (furthest == nullptr) return;
    verdicts->Fire(*furthest, {widest.largest, widest.allowed,
                               fmt::format("{} differs from {} {}", furthest->worker(),
                                           first->worker(), widest.what)});
  }

  const Selector selector_;
  const Tolerance tolerance_;
};

}  // namespace

RuleEntry ReplicaDesync() {
  static constexpr Param kParams[] = {
      kCollectionNames,
      kTensorRegex,
      {"rtol", ParamType::kNumber, "1e-5", "Relative tolerance of the comparison", 0},
      {"atol", ParamType::kNumber, "1e-8", "Absolute tolerance of the comparison", 0}};
  static constexpr Saves kSaves[] = {{"weights", ""}, {"biases", ""}};
  static constexpr RuleSpec kSpec{
      "ReplicaDesync", "Replicas of a data-parallel model no longer have the same parameters.",
      "Check that all workers start from the same weights and use the same optimizer settings, and "
      "that every gradient is synchronized. Look for randomness that differs between workers, such "
      "as dropout on weights.",
      kParams, kSaves};
  return {&kSpec, Make<Desync>};
}

}  // namespace warden::rules
