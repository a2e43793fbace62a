#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/rules/loss_scaler.h"
#include "warden/rules/training/training_rules.h"
#include "warden/stats/element.h"
#include "warden/stats/exponents.h"

namespace warden::rules {
namespace {

using stats::Exponents;

constexpr std::string_view kExponents = "exponents/";
constexpr std::string_view kGradients = "gradient/";
constexpr uint64_t kLeastTallied = 256;  // Fewer say little about a layer.
constexpr double kLeftLow = 1;  // Percentage of the values that a good scale leaves too small.
constexpr int kSpare = 2;       // Powers of two that it leaves free above the largest value.

// A type with fewer exponents than float32: those of its smallest value, of its smallest normal one
// and of its largest.
struct Narrow {
  std::string_view name;
  int smallest;
  int least;
  int most;
};
constexpr Narrow kNarrow[] = {{"float16", -24, -14, 15},
                              {"bfloat16", -133, -126, 127},
                              {"float8_e4m3fn", -9, -6, 8},
                              {"float8_e5m2", -16, -14, 15}};
// Averages over workers are that many powers of two smaller.
constexpr int kAveraged = 8;

// Counts of values by powers of two, of the last checks of a tensor together.
struct RangeTally {
  const Narrow* type = nullptr;
  std::string tensor;
  std::string worker;
  Exponents recent;
  int64_t checks = 0;             // That are in `recent`.
  std::optional<Evidence> wrong;  // What the last full window has shown.

  bool IsFull(int64_t most) const { return checks >= most; }
  uint64_t nonzero() const { return recent.count() - recent.bins[0]; }
  // Of some layers, autocast computes gradients in float32: they have values that the type lacks.
  bool IsWide() const { return Below(type->smallest - kAveraged) > kLeftLow; }
  bool IsGradient() const { return std::string_view(tensor).starts_with(kGradients); }

  // The percentage of the values that are not zero below 2^exponent.
  double Below(int exponent) const {
    const auto first = recent.bins.begin() + 1;
    const auto end = recent.bins.begin() + std::max(1, exponent + Exponents::kBias);
    const uint64_t below = std::accumulate(first, end, uint64_t{0});
    return nonzero() == 0 ? 0 : 100 * static_cast<double>(below) / static_cast<double>(nonzero());
  }
  // The exponent of the largest value.
  int Largest() const {
    int exponent = type->most;
    while (exponent > -Exponents::kBias && recent.ShareFrom(exponent) <= 0) --exponent;
    return exponent;
  }
  // By which power of two the values must grow so that few of them are below the normal range.
  int Missing() const {
    int power = 0;
    while (power < 2 * Exponents::kBias && Below(type->least - power) > kLeftLow) ++power;
    return power;
  }
};

class HalfRange : public Rule {
 public:
  explicit HalfRange(const Params& params)
      : underflow_(params.Number("underflow")),
        overflow_(params.Number("overflow")),
        unused_(params.Integer("unused_powers")),
        checks_(params.Integer("checks")) {}

  std::vector<Selector> inputs() const override {
    return {{.patterns = {"^exponents/"}}, LossScaler::Input()};
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    scaler_.Read(step.Input(1));
    for (TensorView* tensor : step.Input(1)) {
      if (scaler_.ScaleOf(tensor->worker()) != 1) scaled_.emplace(tensor->worker());
    }
    bool any = false;
    for (TensorView* tensor : step.Input(0)) any = Add(*tensor, verdicts) || any;
    if (!any) return Status();
    JudgeFullOnes();
    for (const auto& [name, counted] : tensors_) {
      if (counted.wrong) verdicts->FireRun(counted.tensor, counted.worker, *counted.wrong);
    }
    verdicts->HealthyRun();
    return Status();
  }

 private:
  // Returns whether these are counts of a tensor.
  bool Add(TensorView& tensor, Verdicts* verdicts) {
    const std::string_view rest = tensor.name().substr(kExponents.size());
    const size_t slash = rest.find('/');
    const auto* type = std::ranges::find(kNarrow, rest.substr(0, slash), &Narrow::name);
    if (slash == rest.npos || type == std::end(kNarrow)) return false;
    const auto exponents = Read(tensor);
    if (!exponents) {
      verdicts->Skip(tensor, "expected 256 counts");
      return false;
    }
    RangeTally& counted = tensors_[{std::string(tensor.worker()), std::string(tensor.name())}];
    if (counted.type == nullptr) {
      counted.type = type;
      counted.tensor = rest.substr(slash + 1);
      counted.worker = tensor.worker();
    }
    // A scaler that looks for its scale overflows on purpose, and what it leaves out is not used.
    const bool scaled = IsScaled(counted);
    if (scaled && exponents->bins.back() > 0) return true;
    counted.recent.Merge(*exponents);
    ++counted.checks;
    return true;
  }

  static std::optional<Exponents> Read(TensorView& tensor) {
    const trial::TensorValue* value = tensor.Raw();
    Exponents exponents;
    const bool is_count =
        value != nullptr && (value->dtype == DType::kInt64 || value->dtype == DType::kUInt64);
    if (!is_count || value->ref().count() != exponents.bins.size()) return std::nullopt;
    for (size_t i = 0; i < exponents.bins.size(); ++i) {
      const auto count = stats::ReadElement<int64_t>(value->data.data(), i);
      // More would not add up in 64 bits.
      if (count < 0 || count > int64_t{1} << 48) return std::nullopt;
      exponents.bins[i] = static_cast<uint64_t>(count);
    }
    return exponents;
  }

  bool IsScaled(const RangeTally& counted) const {
    return counted.IsGradient() && scaled_.contains(counted.worker);
  }

  void JudgeFullOnes() {
    largest_.clear();
    for (const auto& [name, counted] : tensors_) {
      if (!counted.IsGradient() || counted.nonzero() == 0) continue;
      int& largest = largest_.try_emplace(counted.worker, -Exponents::kBias).first->second;
      largest = std::max(largest, counted.Largest());
    }
    for (auto& [name, counted] : tensors_) {
      if (counted.IsFull(checks_)) counted.wrong = Judge(counted);
    }
    for (auto& [name, counted] : tensors_) {
      if (counted.IsFull(checks_) && counted.nonzero() == 0) counted.wrong = Lost(counted);
    }
    for (auto& [name, counted] : tensors_) {
      if (!counted.IsFull(checks_)) continue;
      counted.recent = Exponents();
      counted.checks = 0;
    }
  }

  std::optional<Evidence> Judge(const RangeTally& counted) const {
    if (auto found = Overflow(counted)) return found;
    const bool is_small = counted.type->name.starts_with("float8");
    // Small activations and weights do no harm where gradients would; biases before a normalization
    // have gradients that are nothing but rounding.
    const bool matters = counted.IsGradient() && counted.tensor.find("bias") == std::string::npos;
    return is_small || matters ? Underflow(counted) : std::nullopt;
  }

  std::optional<Evidence> Overflow(const RangeTally& counted) const {
    const bool scaled = IsScaled(counted);
    const double share = 100 * counted.recent.ShareFrom(counted.type->most);
    if (scaled || counted.recent.count() < kLeastTallied || share <= overflow_) return std::nullopt;
    return Evidence{
        share, overflow_,
        fmt::format("overflow risk: {:.3g} % of the values are at 2^{} or above, where {} ends",
                    share, counted.type->most, counted.type->name),
        fmt::format("Compute this layer in bfloat16 or float32, normalize its inputs, or scale "
                    "its values by 2^-{}.",
                    kSpare + 2)};
  }

  std::optional<Evidence> Underflow(const RangeTally& counted) const {
    const Narrow& type = *counted.type;
    if (counted.nonzero() < kLeastTallied || counted.IsWide()) return std::nullopt;
    const int largest =
        counted.IsGradient() ? largest_.find(counted.worker)->second : counted.Largest();
    const int room = type.most - largest - kSpare;
    const double low = counted.Below(type.least);
    const bool scaled = IsScaled(counted);
    if (scaled && room > 0) return std::nullopt;  // The scaler will raise its scale.
    if (low >= underflow_) {
      return Evidence{
          low, underflow_,
          fmt::format(
              "underflow: {:.3g} % of the values that are not zero are below 2^{}, where {} "
              "loses digits and then the value{}",
              low, type.least, type.name, Unused(counted.Largest(), type)),
          Advice(counted, room, scaled)};
    }
    if (low >= underflow_ / 10 && room >= unused_) {
      return Evidence{
          static_cast<double>(room), static_cast<double>(unused_),
          fmt::format(
              "dead range: {:.3g} % of the values that are not zero are below 2^{}, where {} "
              "loses digits{}",
              low, type.least, type.name, Unused(counted.Largest(), type)),
          Advice(counted, room, scaled)};
    }
    return std::nullopt;
  }

  // Nothing is left, where other gradients are nearly lost.
  std::optional<Evidence> Lost(const RangeTally& counted) const {
    const bool others_are_low = std::ranges::any_of(tensors_, [&](const auto& one) {
      const RangeTally& other = one.second;
      return &other != &counted && other.worker == counted.worker && other.type == counted.type &&
             other.IsGradient() && other.wrong;
    });
    const bool is_large = counted.recent.count() >= kLeastTallied;
    if (!counted.IsGradient() || !is_large || !others_are_low) return std::nullopt;
    return Evidence{100, underflow_,
                    fmt::format("underflow: all values are zero in {}, and those of other layers "
                                "are below its normal range",
                                counted.type->name),
                    Advice(counted, 0, IsScaled(counted))};
  }

  static std::string Unused(int largest, const Narrow& type) {
    const int unused = type.most - largest;
    if (unused < kSpare) return "";
    return fmt::format(", while its upper {} powers of two are not used", unused);
  }

  static std::string Advice(const RangeTally& counted, int room, bool scaled) {
    const int power = std::min(room, counted.Missing());
    const bool is_gradient = counted.IsGradient();
    if (power > 0 && is_gradient && !scaled) {
      return fmt::format(
          "Multiply the loss by 2^{} = {:g}, or use torch.amp.GradScaler, or train "
          "in bfloat16.",
          power, std::ldexp(1.0, power));
    }
    if (power > 0) {
      return fmt::format("Multiply these values by 2^{} = {:g} before they are converted to {}.",
                         power, std::ldexp(1.0, power), counted.type->name);
    }
    return is_gradient && !scaled
               ? "Use torch.amp.GradScaler, or train in bfloat16."
               : "No scale fits all values: compute in bfloat16 or float32, or give each "
                 "layer its own scale.";
  }

  const double underflow_;
  const double overflow_;
  const int64_t unused_;
  const int64_t checks_;
  LossScaler scaler_;
  std::set<std::string, std::less<>> scaled_;  // Workers whose losses a scaler multiplies.
  std::map<std::pair<std::string, std::string>, RangeTally> tensors_;  // By worker and name.
  std::map<std::string, int> largest_;  // By worker: the exponent of its largest gradient.
};

}  // namespace

RuleEntry HalfPrecisionRange() {
  static constexpr Param kParams[] = {
      {"underflow", ParamType::kNumber, "50",
       "Percentage of the values of a gradient that may be below the normal range of their type; "
       "zeros do not count",
       0, 100},
      {"overflow", ParamType::kNumber, "0.1",
       "Percentage of values that may be within a factor of two of the largest one, or above", 0,
       100},
      {"unused_powers", ParamType::kInteger, "8",
       "Powers of two that may be unused above the values while a tenth of `underflow` is below "
       "the "
       "normal range",
       1},
      {"checks", ParamType::kInteger, "5", "Saved steps that are looked at together", 1}};
  static constexpr Saves kSaves[] = {{"gradients", ""}};
  static constexpr RuleSpec kSpec{
      "HalfPrecisionRange",
      "Values of a layer do not fit the range of float16 or an 8-bit type: they underflow or are "
      "about to overflow.",
      "Use a loss scale (torch.amp.GradScaler), scale the layer's values, or compute it in "
      "bfloat16.",
      kParams,
      kSaves,
      RuleKind::kDebug,
      Severity::kWarning};
  return {&kSpec, Make<HalfRange>};
}

}  // namespace warden::rules
