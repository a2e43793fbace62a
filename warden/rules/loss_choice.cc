#include "warden/rules/loss_choice.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

#include "warden/base/strings.h"
#include "warden/rules/selector.h"

namespace warden::rules {
namespace {

constexpr std::string_view kNotASingleNumber =
    "not a single number; of tensors outside the collection losses only scalars are checked";
constexpr std::string_view kIsParameter = "a parameter or gradient, not a loss";
constexpr std::string_view kRisesWhenBetter = "higher is better for this metric";
constexpr std::string_view kIsCounter = "a counter or learning rate, not a loss";

// Words of names, in lower case.
constexpr std::string_view kRisingWords[] = {
    "accuracy", "acc", "auc", "aucpr", "precision", "recall", "f1",   "iou",       "miou",
    "bleu",     "r2",  "map", "ndcg",  "pre",       "psnr",   "ssim", "similarity"};
constexpr std::string_view kCounterNames[] = {"batch", "epoch",         "step",     "global_step",
                                              "lr",    "learning_rate", "iteration"};
constexpr std::string_view kScalarPrefix = "scalar/";  // Of save_scalar.

template <class Words>
bool IsAmong(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Whether one of the name's words, which anything but letters and digits separates, says that
// higher values are better.
bool HasRisingWord(std::string_view name) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (auto at = name.begin(); at != name.end();) {
    at = std::find_if(at, name.end(), in_word);
    const auto end = std::find_if_not(at, name.end(), in_word);
    if (IsAmong(kRisingWords, std::string_view(at, end))) return true;
    at = end;
  }
  return false;
}

// Whether the run says that the tensor belongs to one of these collections.
bool BelongsTo(std::vector<std::string> collections, const StepView& step,
               std::string_view tensor) {
  const auto matcher = Matcher::Make({.collections = std::move(collections)}, step.trial());
  return matcher.ok() && matcher.value().Matches(tensor);
}

bool HoldsOneNumber(const trial::TensorValue& value) {
  return std::all_of(value.shape.begin(), value.shape.end(), [](int64_t n) { return n == 1; });
}

}  // namespace

std::string_view WhyNotALoss(std::string_view tensor) {
  const std::string lower = LowerAscii(tensor);
  std::string_view name = lower;
  if (name.starts_with(kScalarPrefix)) name.remove_prefix(kScalarPrefix.size());
  if (name.find("loss") != name.npos || name.find("error") != name.npos) return "";
  if (IsAmong(kCounterNames, name)) return kIsCounter;
  return HasRisingWord(name) ? kRisesWhenBetter : "";
}

std::vector<TensorView*> LossChoice::Of(const StepView& step, const StepView::Tensors& tensors,
                                        Verdicts* verdicts) {
  std::vector<TensorView*> losses;
  for (TensorView* tensor : tensors) {
    Known& known = known_.Of(*tensor, Mode::kGlobal);
    if (known.kind == Kind::kUnknown) known = Classify(step, *tensor);
    if (known.kind == Kind::kOther) {
      verdicts->Skip(*tensor, known.why);
    } else {
      losses.push_back(tensor);
    }
  }
  return losses;
}

LossChoice::Known LossChoice::Classify(const StepView& step, TensorView& tensor) {
  if (BelongsTo({"losses"}, step, tensor.name())) return {Kind::kIsLoss, ""};
  if (const std::string_view why = WhyNotALoss(tensor.name()); !why.empty()) {
    return {Kind::kOther, why};
  }
  if (BelongsTo({"weights", "biases", "gradients", "optimizer_variables"}, step, tensor.name())) {
    return {Kind::kOther, kIsParameter};
  }
  const trial::TensorValue* value = tensor.Raw();
  // Hooks save statistics only of tensors that are not scalars.
  if (value == nullptr || !HoldsOneNumber(*value)) return {Kind::kOther, kNotASingleNumber};
  return {Kind::kIsLoss, ""};
}

}  // namespace warden::rules
