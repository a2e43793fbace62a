#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"
#include "warden/stats/element.h"

namespace warden::rules {
namespace {

// Integers are compared as what they are: conversions would be most of the work.
template <class T>
uint64_t CountEqual(const std::byte* data, size_t count, double token) {
  uint64_t equal = 0;
  if constexpr (std::is_integral_v<T>) {
    const bool fits = token >= static_cast<double>(std::numeric_limits<T>::min()) &&
                      token < static_cast<double>(std::numeric_limits<T>::max()) + 1;
    if (!fits || token != std::trunc(token)) return 0;
    const T wanted = static_cast<T>(token);
    for (size_t i = 0; i < count; ++i) equal += stats::ReadElement<T>(data, i) == wanted ? 1 : 0;
  } else {
    for (size_t i = 0; i < count; ++i) {
      equal += stats::ToDouble(stats::ReadElement<T>(data, i)) == token ? 1 : 0;
    }
  }
  return equal;
}

class SequenceRatio : public Rule {
 public:
  explicit SequenceRatio(const Params& params)
      : patterns_(params.List("tensor_regex")),
        tokens_(params.Numbers("token_values")),
        thresholds_(params.Numbers("token_thresholds_percent")) {}

  std::vector<Selector> inputs() const override {
    if (!patterns_.empty()) return {{.patterns = patterns_}};
    return {{.patterns = {".*embedding0_input_0"}, .roles = {"first_embedding_input"}}};
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* tensor : step.Input(0)) {
      const stats::Summary* summary = tensor->Summary();
      if (summary == nullptr) {
        verdicts->Skip(*tensor, kNoRawValues);
      } else if (summary->finite_count() == 0) {
        verdicts->Skip(*tensor, kNothingFinite);
      } else {
        EvaluateSequence(*tensor, static_cast<double>(summary->finite_count()), verdicts);
      }
    }
    return Status();
  }

 private:
  void EvaluateSequence(TensorView& tensor, double size, Verdicts* verdicts) const {
    const stats::TensorRef ref = tensor.Raw()->ref();
    Evidence evidence;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      double count = 0;
      // That they are real numbers is known from the summary.
      (void)stats::VisitReal(ref.dtype, [&]<class T>() {
        count = static_cast<double>(CountEqual<T>(ref.bytes().data(), ref.count(), tokens_[i]));
      });
      const double percent = 100.0 * count / size;
      if (!(percent > thresholds_[i])) continue;
      if (evidence.what.empty()) {
        evidence.value = percent;
        evidence.threshold = thresholds_[i];
      }
      evidence.what +=
          fmt::format("{}token {:g} makes up {:.4g} % of the values, above {:g} %",
                      evidence.what.empty() ? "" : " and ", tokens_[i], percent, thresholds_[i]);
    }
    if (evidence.what.empty()) {
      verdicts->Healthy(tensor);
    } else {
      verdicts->Fire(tensor, evidence);
    }
  }

  const std::vector<std::string> patterns_;
  const std::vector<double> tokens_;
  const std::vector<double> thresholds_;
};

Result<std::unique_ptr<Rule>> MakeSequenceRatio(const Params& params) {
  const size_t tokens = params.Numbers("token_values").size();
  const size_t thresholds = params.Numbers("token_thresholds_percent").size();
  if (tokens != thresholds) {
    return params.Refuse(
        fmt::format("token_values has {} entries and token_thresholds_percent has {}; expected one "
                    "threshold per token",
                    tokens, thresholds));
  }
  return Make<SequenceRatio>(params);
}

}  // namespace

RuleEntry NLPSequenceRatio() {
  static constexpr Param kParams[] = {kTensorRegex,
                                      {"token_values", ParamType::kNumbers, "0",
                                       "Token ids to count, for example the padding "
                                       "token"},
                                      {"token_thresholds_percent", ParamType::kNumbers, "50",
                                       "Maximum percentage of a batch for each token", 0, 100}};
  static constexpr Saves kSaves[] = {{"input_sequence", ".*embedding0_input_0", true}};
  static constexpr RuleSpec kSpec{
      "NLPSequenceRatio",
      "One token, such as padding or the unknown token, makes up too much of the sequences.",
      "Padding: batch sequences of similar length, or pack them. Unknown tokens: check the "
      "tokenizer or enlarge the vocabulary.",
      kParams, kSaves};
  return {&kSpec, MakeSequenceRatio};
}

}  // namespace warden::rules
