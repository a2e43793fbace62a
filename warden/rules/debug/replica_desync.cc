#include <fmt/format.h>

#include "warden/rules/closeness.h"
#include "warden/rules/debug/rules.h"

namespace warden::rules {
namespace {

class Desync : public Rule {
 public:
  explicit Desync(const Params& params)
      : selector_(SelectorFrom(params, {.collections = {"weights", "biases"}})),
        tolerance_{params.Number("rtol"), params.Number("atol"), /*equal_nan=*/true} {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Judge(const StepView& step, Verdicts* verdicts) override {
    // A tensor's workers stand side by side.
    const std::span<TensorView* const> tensors(step.Input(0));
    for (size_t begin = 0; begin < tensors.size();) {
      size_t end = begin + 1;
      while (end < tensors.size() && tensors[end]->name() == tensors[begin]->name()) ++end;
      JudgeReplicas(tensors.subspan(begin, end - begin), verdicts);
      begin = end;
    }
    return Status();
  }

 private:
  void JudgeReplicas(std::span<TensorView* const> replicas, Verdicts* verdicts) const {
    if (replicas.size() < 2) {
      verdicts->TooLittle("only 1 of 2 workers");
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
      {"rtol", ParamType::kNumber, "1e-5", "Difference that is none, relative to the value", 0},
      {"atol", ParamType::kNumber, "1e-8", "Difference that is none, absolute", 0}};
  static constexpr Saves kSaves[] = {{"weights", ""}, {"biases", ""}};
  static constexpr RuleSpec kSpec{
      "ReplicaDesync", "Replicas of a data-parallel model no longer hold the same parameters.",
      "Check that every parameter takes part in the exchange of gradients, that all workers start "
      "from the same weights and use the same optimizer settings, and that nothing random, such as "
      "dropout on weights, differs between them.",
      kParams, kSaves};
  return {&kSpec, Make<Desync>};
}

}  // namespace warden::rules
