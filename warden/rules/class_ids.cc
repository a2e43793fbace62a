#include "warden/rules/class_ids.h"

#include <algorithm>
#include <cmath>

#include "warden/rules/finite_statistics.h"
#include "warden/stats/element.h"

namespace warden::rules {
namespace {

// Doubles tell whole numbers apart up to here.
constexpr double kLargest = 0x1p53;

std::optional<std::vector<double>> ToDoubles(const trial::TensorValue& value) {
  std::vector<double> numbers(value.ref().count());
  const Status status = stats::VisitReal(value.dtype, [&]<class T>() {
    stats::Widen<T>(value.data.data(), 0, numbers.size(), numbers.data());
  });
  return status.ok() ? std::optional(std::move(numbers)) : std::nullopt;
}

bool IsClass(double number) { return std::abs(number) < kLargest; }

int64_t RoundedId(double number) {
  return IsClass(number) ? static_cast<int64_t>(std::round(number)) : kNoClass;
}

bool AllWhole(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](double x) { return !IsClass(x) || x == std::floor(x); });
}

std::vector<int64_t> RoundedIds(std::span<const double> numbers) {
  std::vector<int64_t> ids(numbers.size());
  std::transform(numbers.begin(), numbers.end(), ids.begin(), RoundedId);
  return ids;
}

// The place of the largest finite one, the first of equals.
int64_t Largest(std::span<const double> row) {
  int64_t best = kNoClass;
  for (int64_t i = 0; i < std::ssize(row); ++i) {
    if (!std::isfinite(row[i])) continue;
    if (best == kNoClass || row[i] > row[best]) best = i;
  }
  return best;
}

// Of each row along the last axis.
std::vector<int64_t> LargestOfRows(std::span<const double> numbers, const trial::TensorValue& of) {
  if (of.shape.empty() || of.shape.back() == 0) return {};
  const auto width = static_cast<size_t>(of.shape.back());
  std::vector<int64_t> ids;
  for (size_t begin = 0; begin < numbers.size(); begin += width) {
    ids.push_back(Largest(numbers.subspan(begin, width)));
  }
  return ids;
}

// Whether there can be no doubt that a row of scores belongs to each label.
bool IsRowForEach(const trial::TensorValue& value, size_t labels) {
  if (value.shape.size() < 2 || value.shape.back() < 2) return false;
  return value.ref().count() == labels * static_cast<size_t>(value.shape.back());
}

std::vector<int64_t> CutAtHalf(std::span<const double> numbers) {
  std::vector<int64_t> ids(numbers.size());
  std::transform(numbers.begin(), numbers.end(), ids.begin(), [](double number) -> int64_t {
    return std::isfinite(number) ? number > 0.5 : kNoClass;
  });
  return ids;
}

}  // namespace

ClassIds LabelIds(const trial::TensorValue* value, bool one_hot) {
  if (value == nullptr) return {{}, kNoRawValues};
  const auto numbers = ToDoubles(*value);
  if (!numbers) return {{}, "labels are not real numbers"};
  if (one_hot) return {LargestOfRows(*numbers, *value), ""};
  if (!AllWhole(*numbers)) return {{}, "labels are not whole numbers"};
  return {RoundedIds(*numbers), ""};
}

ClassIds PredictedIds(const trial::TensorValue* value, std::span<const int64_t> labels,
                      const PredictionOptions& options) {
  if (value == nullptr) return {{}, kNoRawValues};
  const auto numbers = ToDoubles(*value);
  if (!numbers) return {{}, "predictions are not real numbers"};
  ClassIds result;
  if (options.arg_max || IsRowForEach(*value, labels.size())) {
    result.ids = LargestOfRows(*numbers, *value);
  } else if (AllWhole(*numbers)) {
    result.ids = RoundedIds(*numbers);
  } else {
    const auto largest = std::max_element(labels.begin(), labels.end());
    const int64_t told = largest == labels.end() ? 0 : *largest + 1;
    result.ids =
        options.categories.value_or(told) <= 2 ? CutAtHalf(*numbers) : RoundedIds(*numbers);
  }
  if (result.ids.size() != labels.size()) {
    return {{}, "the number of predictions differs from the number of labels"};
  }
  return result;
}

std::vector<LabelPair> PairLabels(const StepView::Tensors& labels,
                                  const StepView::Tensors& predictions, Verdicts* verdicts) {
  std::vector<LabelPair> pairs;
  for (TensorView* tensor : labels) pairs.push_back({tensor, nullptr});
  const auto count = [](const StepView::Tensors& tensors, std::string_view worker) {
    return std::count_if(tensors.begin(), tensors.end(),
                         [&](const TensorView* tensor) { return tensor->worker() == worker; });
  };
  for (TensorView* tensor : predictions) {
    const bool told = count(labels, tensor->worker()) == count(predictions, tensor->worker());
    const auto next = std::find_if(pairs.begin(), pairs.end(), [&](const LabelPair& pair) {
      return pair.labels->worker() == tensor->worker() && pair.predictions == nullptr;
    });
    if (told && next != pairs.end()) {
      next->predictions = tensor;
    } else {
      verdicts->Skip(*tensor, "predictions without matching labels");
    }
  }
  return pairs;
}

}  // namespace warden::rules
