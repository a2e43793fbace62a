#include "warden/dashboard/tensors/value_answer.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/view/values/numbers.h"
#include "warden/view/values/slice.h"
#include "warden/view/wire/columns.h"

namespace warden::dashboard {
namespace {

constexpr uint64_t kMostElements = 1 << 20;
constexpr uint64_t kMostTextBytes = 16 << 20;
constexpr double kExactIntegers = 0x1p53;

// Shares of all elements, as in series; the rest over the finite ones, null if there are none.
Json SummaryJson(const stats::Summary& summary) {
  const auto share = [&](uint64_t n) {
    return summary.count == 0 ? 0.0 : static_cast<double>(n) / static_cast<double>(summary.count);
  };
  const uint64_t finite = summary.finite_count();
  const auto or_null = [&](double number) { return finite == 0 ? Json() : Json(number); };
  return {{"count", summary.count},
          {"nans", share(summary.nan_count)},
          {"infs", share(summary.inf_count())},
          {"zeros", share(summary.zero_count)},
          {"min", or_null(summary.min)},
          {"max", or_null(summary.max)},
          {"mean", or_null(summary.mean)},
          {"std", or_null(std::sqrt(summary.m2 / static_cast<double>(finite)))}};
}

http::Response TooLarge(const view::ResolvedSlice& slice) {
  return ErrorAnswer(
      413, fmt::format("slice '{}' has {} elements; expected at most {}. Choose a smaller slice",
                       slice.text, view::ShapeText(slice.shape), kMostElements));
}

http::Response StringsAnswer(const trial::TensorValue& value, const view::ResolvedSlice& slice,
                             std::span<const int64_t> shape, Json header) {
  std::vector<std::string> strings;
  uint64_t bytes = 0;
  view::ForEachPlace(slice, shape, [&](uint64_t place) {
    bytes += value.strings[place].size();
    if (bytes <= kMostTextBytes) strings.push_back(value.strings[place]);
  });
  if (bytes > kMostTextBytes) {
    return ErrorAnswer(413, fmt::format("slice '{}' has {} bytes of text; expected at most {}",
                                        slice.text, bytes, kMostTextBytes));
  }
  header["strings"] = std::move(strings);
  header["summary"] = nullptr;
  return ColumnsAnswer(view::Columns().Encode(header));
}

http::Response NumbersAnswer(const trial::TensorValue& value, const view::ResolvedSlice& slice,
                             Json header) {
  const auto numbers = view::Numbers::Of(value);
  if (!numbers.ok()) return ErrorAnswer(numbers.status());
  const auto summary = view::SummarizeNumbers(value);
  if (!summary.ok()) return ErrorAnswer(summary.status());
  std::vector<double> values;
  values.reserve(slice.count);
  view::ForEachPlace(slice, value.shape,
                     [&](uint64_t place) { values.push_back(numbers.value().At(place)); });
  const auto& statistics = summary.value();
  if (IsComplex(value.dtype)) header["note"] = "Complex numbers are shown as their magnitudes.";
  if (IsInteger(value.dtype) && statistics.abs_max > kExactIntegers) {
    header["note"] = "Integers beyond 2^53 are rounded.";
  }
  header["summary"] = SummaryJson(statistics);
  view::Columns columns;
  columns.Add("values", values);
  return ColumnsAnswer(columns.Encode(header));
}

}  // namespace

http::Response ValueAnswer(const trial::TensorValue& value, const std::string& slice, Json header) {
  // Strings are one after another, whatever a damaged file says of their shape.
  const std::vector<int64_t> shape =
      value.dtype == DType::kString
          ? std::vector<int64_t>{static_cast<int64_t>(value.strings.size())}
          : value.shape;
  const auto parts = view::ParseSlice(slice);
  if (!parts.ok()) return ErrorAnswer(parts.status());
  const auto resolved = view::ResolveSlice(parts.value(), shape);
  if (!resolved.ok()) return ErrorAnswer(resolved.status());
  if (resolved.value().count > kMostElements) return TooLarge(resolved.value());
  header["dtype"] = DTypeName(value.dtype);
  header["shape"] = shape;
  header["slice"] = resolved.value().text;
  header["sliced_shape"] = resolved.value().shape;
  return value.dtype == DType::kString
             ? StringsAnswer(value, resolved.value(), shape, std::move(header))
             : NumbersAnswer(value, resolved.value(), std::move(header));
}

}  // namespace warden::dashboard
