#include "warden/view/values/activation_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/view/values/numbers.h"
#include "warden/view/values/slice.h"

namespace warden::view {
namespace {

constexpr std::string_view kAcceptedShapes =
    "expected batch x channels x height x width or channels x height x width";

// The sizes of the map, and checks that the picture is there.
Result<ActivationMap> Measure(const std::vector<int64_t>& shape, int64_t image) {
  if (shape.size() != 3 && shape.size() != 4) {
    return Status(Code::kInvalid, fmt::format("the activation's shape is {}; {}", ShapeText(shape),
                                              kAcceptedShapes));
  }
  const auto sizes = std::span(shape).last(3);
  ActivationMap map{sizes[1], sizes[2], sizes[0], shape.size() == 4 ? shape[0] : 1};
  if (image < 0 || image >= map.images) {
    return Status(Code::kInvalid,
                  fmt::format("image is {}; expected 0 to {}", image, map.images - 1));
  }
  if (map.channels == 0 || map.height == 0 || map.width == 0) {
    return Status(Code::kInvalid, fmt::format("the activation is empty: its shape is {}; {}",
                                              ShapeText(shape), kAcceptedShapes));
  }
  // The values are there, so that their number fits; see format::ParseEvent.
  if (map.height * map.width > kMostMapPoints) {
    return Status(Code::kInvalid, fmt::format("the activation's shape is {}; expected at most {} "
                                              "points per image",
                                              ShapeText(shape), kMostMapPoints));
  }
  return map;
}

double FiniteAt(const Numbers& numbers, size_t place) {
  const double number = numbers.At(place);
  return std::isfinite(number) ? number : 0;
}

double MeanOf(const Numbers& numbers, size_t begin, size_t n) {
  double sum = 0;
  for (size_t i = begin; i < begin + n; ++i) sum += FiniteAt(numbers, i) / static_cast<double>(n);
  return sum;
}

// To 0 ... 1; a map that is the same everywhere is 0.
void Normalise(double low, double high, std::vector<double>* values) {
  for (double& value : *values) {
    const double share = high > low ? (value - low) / (high - low) : 0;
    value = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
  }
}

}  // namespace

Result<ActivationMap> MakeActivationMap(const trial::TensorValue& activation,
                                        const trial::TensorValue* gradient, int64_t image) {
  auto measured = Measure(activation.shape, image);
  if (!measured.ok()) return measured.status();
  ActivationMap map = std::move(measured.value());
  if (gradient != nullptr && gradient->shape != activation.shape) {
    return Status(Code::kInvalid,
                  fmt::format("the gradient's shape is {}; expected the activation's shape, {}",
                              ShapeText(gradient->shape), ShapeText(activation.shape)));
  }
  const auto seen = Numbers::Of(activation);
  if (!seen.ok()) return seen.status();
  const auto slopes = Numbers::Of(gradient != nullptr ? *gradient : activation);
  if (!slopes.ok()) return slopes.status();

  const auto points = static_cast<size_t>(map.height * map.width);
  const auto channels = static_cast<size_t>(map.channels);
  map.values.assign(points, 0);
  for (size_t channel = 0; channel < channels; ++channel) {
    const size_t begin = (static_cast<size_t>(image) * channels + channel) * points;
    const double weight = gradient != nullptr ? MeanOf(slopes.value(), begin, points)
                                              : 1 / static_cast<double>(channels);
    for (size_t i = 0; i < points; ++i) {
      map.values[i] += weight * FiniteAt(seen.value(), begin + i);
    }
  }
  const auto [low, high] = std::minmax_element(map.values.begin(), map.values.end());
  Normalise(gradient != nullptr ? 0 : *low, *high, &map.values);
  return map;
}

}  // namespace warden::view
