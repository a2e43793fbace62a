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
      verdicts->TooLittle(
          "needs tensors from 2 workers, found 1; add --workers all, or the hook parameter "
          "include_workers=all");
      return;
    }
    TensorView* reference = replicas[ReferenceOf(replicas)];
    TensorView* furthest = nullptr;
    Difference widest;
    bool any_compared = false;
    for (TensorView* replica : replicas) {
      if (replica == reference) continue;
      Comparison comparison = Compare(*replica, *reference, tolerance_);
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
    if (any_compared) verdicts->Healthy(*reference);
    if (furthest == nullptr) return;
    verdicts->Fire(*furthest, {widest.largest, widest.allowed,
                               fmt::format("{} differs from {} {}", furthest->worker(),
                                           reference->worker(), widest.what)});
  }

  // The replica that the others are compared with: the first, unless the next two agree with each
  // other and not with it.
  size_t ReferenceOf(std::span<TensorView* const> replicas) const {
    const auto differ = [&](size_t a, size_t b) {
      return Compare(*replicas[a], *replicas[b], tolerance_).difference.has_value();
    };
    return replicas.size() > 2 && differ(1, 0) && differ(2, 0) && !differ(2, 1) ? 1 : 0;
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
