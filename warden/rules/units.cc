#include "warden/rules/units.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "warden/stats/element.h"

namespace warden::rules {
namespace {

template <class T>
double ValueAt(const std::byte* data, size_t i) {
  return stats::ToDouble(stats::ReadElement<T>(data, i));
}

// Counting in the values' own type, where that is float, takes half the time.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, float, double>;

template <class W>
struct Limits {
  W low;
  W high;
};
// Limits between which the same floats lie.
Limits<float> NarrowLimits(double low, double high) {
  auto down = static_cast<float>(low);
  if (down > low) down = std::nextafter(down, -std::numeric_limits<float>::infinity());
  auto up = static_cast<float>(high);
  if (up < high) up = std::nextafter(up, std::numeric_limits<float>::infinity());
  return {down, up};
}
template <class T>
Limits<Wide<T>> LimitsOf(double low, double high) {
  if constexpr (std::is_same_v<T, float>) {
    return NarrowLimits(low, high);
  } else {
    return {low, high};
  }
}

// Some values side by side. Their number is fixed so that loops over them become vector
// instructions; where there are fewer, NaN, which is neither finite nor inside, fills up.
template <class T, size_t kSize>
struct Block {
  Wide<T> values[kSize];

  Block(const std::byte* data, size_t count) {
    if (count >= kSize) {
      for (size_t i = 0; i < kSize; ++i) values[i] = static_cast<Wide<T>>(ValueAt<T>(data, i));
      return;
    }
    std::fill_n(values, kSize, std::numeric_limits<Wide<T>>::quiet_NaN());
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<Wide<T>>(ValueAt<T>(data, i));
  }
};

template <class W>
uint32_t IsFinite(W value) {
  return std::abs(value) < std::numeric_limits<W>::infinity() ? 1 : 0;
}
template <class W>
uint32_t IsInside(W value, const Limits<W>& limits) {
  return ((value > limits.low) & (value < limits.high)) ? 1 : 0;
}

// Values that lie side by side are of one unit.
template <class T>
void CountRun(const std::byte* data, size_t count, const Limits<Wide<T>>& limits,
              InsideCount* unit) {
  constexpr size_t kSize = 16;
  for (size_t begin = 0; begin < count; begin += kSize) {
    const Block<T, kSize> block(data + begin * sizeof(T), count - begin);
    uint32_t finite = 0;
    uint32_t inside = 0;
    for (size_t i = 0; i < kSize; ++i) {
      finite += IsFinite(block.values[i]);
      inside += IsInside(block.values[i], limits);
    }
    unit->finite += finite;
    unit->inside += inside;
  }
}

// Values that lie side by side are of neighbouring units: some units are counted over the whole
// batch before the next ones.
template <class T>
void CountColumns(const std::byte* data, const Units& layout, const Limits<Wide<T>>& limits,
                  std::vector<InsideCount>* units) {
  constexpr size_t kSize = 64;
  for (size_t first = 0; first < layout.units; first += kSize) {
    const size_t width = std::min(kSize, layout.units - first);
    uint32_t finite[kSize] = {};
    uint32_t inside[kSize] = {};
    for (size_t row = 0; row < layout.outer; ++row) {
      const Block<T, kSize> block(data + (row * layout.units + first) * sizeof(T), width);
      for (size_t i = 0; i < kSize; ++i) finite[i] += IsFinite(block.values[i]);
      for (size_t i = 0; i < kSize; ++i) inside[i] += IsInside(block.values[i], limits);
    }
    for (size_t i = 0; i < width; ++i) (*units)[first + i] = {finite[i], inside[i]};
  }
}

template <class T>
stats::Moments MomentsOf(const std::byte* data, const Units& layout, size_t unit) {
  double count = 0;
  double sum = 0;
  double squares = 0;
  for (size_t outer = 0; outer < layout.outer; ++outer) {
    const size_t begin = (outer * layout.units + unit) * layout.inner;
    for (size_t i = begin; i < begin + layout.inner; ++i) {
      const double value = ValueAt<T>(data, i);
      if (!(std::abs(value) < std::numeric_limits<double>::infinity())) continue;
      count += 1;
      sum += value;
      squares += value * value;
    }
  }
  if (count == 0) return {};
  // Inputs of a model are of moderate size: that this may cancel shows only in the last digits.
  return {count, sum, std::max<long double>(0, squares - sum / count * sum)};
}

}  // namespace

Units UnitsOf(std::span<const int64_t> shape, size_t axis) {
  Units units;
  for (size_t i = 0; i < shape.size(); ++i) {
    size_t* part = i < axis ? &units.outer : i == axis ? &units.units : &units.inner;
    *part *= static_cast<size_t>(shape[i]);
  }
  return units;
}

Units UnitsOfActivation(std::span<const int64_t> shape) {
  return shape.empty() ? Units{} : UnitsOf(shape, shape.size() == 1 ? 0 : 1);
}

std::vector<InsideCount> CountInside(const stats::TensorRef& tensor, const Units& units, double low,
                                     double high) {
  const std::byte* data = tensor.bytes().data();
  std::vector<InsideCount> counts(units.units);
  const Status status = stats::VisitReal(tensor.dtype, [&]<class T>() {
    const auto limits = LimitsOf<T>(low, high);
    if (units.inner == 1) {
      CountColumns<T>(data, units, limits, &counts);
      return;
    }
    for (size_t run = 0; run < units.outer * units.units; ++run) {
      CountRun<T>(data + run * units.inner * sizeof(T), units.inner, limits,
                  &counts[run % units.units]);
    }
  });
  return status.ok() ? counts : std::vector<InsideCount>();
}

std::vector<stats::Moments> UnitMoments(const stats::TensorRef& tensor, const Units& units) {
  const std::byte* data = tensor.bytes().data();
  std::vector<stats::Moments> moments(units.units);
  const Status status = stats::VisitReal(tensor.dtype, [&]<class T>() {
    for (size_t unit = 0; unit < units.units; ++unit) {
      moments[unit] = MomentsOf<T>(data, units, unit);
    }
  });
  return status.ok() ? moments : std::vector<stats::Moments>();
}

}  // namespace warden::rules
