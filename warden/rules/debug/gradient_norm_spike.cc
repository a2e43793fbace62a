#include <fmt/format.h>

#include <cmath>
#include <map>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/running_window.h"

namespace warden::rules {
namespace {

// All gradients of one worker at one step as one vector.
struct GlobalNorm {
  double norm = 0;
  double largest = 0;
  std::string_view largest_tensor;

  void Add(double part, std::string_view tensor) {
    norm = std::hypot(norm, part);
    if (part > largest || largest_tensor.empty()) {
      largest = part;
      largest_tensor = tensor;
    }
  }
};

class NormSpike : public Rule {
 public:
  explicit NormSpike(const Params& params)
      : threshold_(params.Number("threshold")),
        window_(static_cast<size_t>(params.Integer("window"))),
        min_steps_(params.Integer("min_steps")) {
    if (params.Has("max_norm")) max_norm_ = params.Number("max_norm");
  }

  std::vector<Selector> inputs() const override { return {{.collections = {"gradients"}}}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    std::map<std::string_view, GlobalNorm> norms;
    StepView::Tensors added;
    for (TensorView* gradient : step.Input(0)) {
      if (const auto norm = Norm(*gradient)) {
        norms[gradient->worker()].Add(norm->value, gradient->name());
        added.push_back(gradient);
      } else {
        verdicts->Skip(*gradient, WhyNoStatistic(*gradient));
      }
    }
    bool evaluated = false;
    for (const auto& [worker, norm] : norms) {
      RunningWindow& usual = usual_[{std::string(worker), step.mode()}];
      evaluated = EvaluateNorm(worker, norm, usual, verdicts) || evaluated;
      if (std::isfinite(norm.norm)) usual.Add(norm.norm, window_);
    }
    if (evaluated) {
      for (TensorView* gradient : added) verdicts->Healthy(*gradient);
    }
    return Status();
  }

 private:
  // False if there was too little to evaluate by.
  bool EvaluateNorm(std::string_view worker, const GlobalNorm& global, const RunningWindow& usual,
                    Verdicts* verdicts) const {
    const auto told = [&](double value, double threshold, std::string_view what) {
      verdicts->FireRun("", worker,
                        {value, threshold,
                         fmt::format("global gradient norm {:.4g} is {}, largest in {} ({:.4g})",
                                     global.norm, what, global.largest_tensor, global.largest)});
      return true;
    };
    const auto healthy = [&] {
      verdicts->HealthyWorker(worker);
      return true;
    };
    if (max_norm_ && global.norm > *max_norm_) {
      return told(global.norm, *max_norm_, fmt::format("above {:g}", *max_norm_));
    }
    if (usual.size() < min_steps_) {
      if (max_norm_) return healthy();
      verdicts->TooLittle(
          fmt::format("needs {} gradient norms, found {}", min_steps_, usual.size()));
      return false;
    }
    const double median = usual.Median();
    // Gradients that were zero so far have no usual size.
    if (median > 0 && global.norm > threshold_ * median) {
      return told(global.norm / median, threshold_,
                  fmt::format("{:.4g} times the median {:.4g} of the last {} norms (threshold "
                              "{:g})",
                              global.norm / median, median, usual.size(), threshold_));
    }
    return healthy();
  }

  const double threshold_;
  const size_t window_;
  const int64_t min_steps_;
  std::optional<double> max_norm_;
  std::map<std::pair<std::string, Mode>, RunningWindow> usual_;
};

Result<std::unique_ptr<Rule>> MakeNormSpike(const Params& params) {
  if (Status status = CheckWindow(params); !status.ok()) return status;
  return Make<NormSpike>(params);
}

}  // namespace

RuleEntry GradientNormSpike() {
  static constexpr Param kParams[] = {
      {"threshold", ParamType::kNumber, "10",
       "Maximum ratio of a norm to the median of the last norms", 1},
      {"max_norm", ParamType::kNumber, "", "Maximum norm, checked from the first step", 0},
      {"window", ParamType::kInteger, "50", "Number of norms in the median", 2, 1e6},
      {"min_steps", ParamType::kInteger, "10", "Number of norms needed before the first comparison",
       2}};
  static constexpr Saves kSaves[] = {{"gradients", ""}};
  static constexpr RuleSpec kSpec{
      "GradientNormSpike", "The global gradient norm is much larger than usual.",
      "Clip gradients by norm, lower the learning rate, or extend the warmup. Inspect the batch of "
      "this step and the named layer.",
      kParams, kSaves};
  return {&kSpec, MakeNormSpike};
}

}  // namespace warden::rules
