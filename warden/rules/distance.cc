#include "warden/rules/distance.h"

#include <cmath>
#include <type_traits>

#include "warden/stats/element.h"

namespace warden::rules {
namespace {

// Sums side by side, so that adding up needs no order and is turned into vector instructions.
constexpr size_t kLanes = 8;

// Squares of doubles may leave the range of double only beyond these.
constexpr double kSmallSum = 1e-280;
constexpr double kLargeSum = 1e300;

template <class Sum>
struct Sums {
  Sum change = 0;
  Sum before = 0;
  uint64_t places = 0;
};

// Without a look at whether all is finite: if something is not, the sums show it.
template <class T>
Sums<double> AddUp(const std::byte* after, const std::byte* before, size_t count) {
  double change[kLanes] = {};
  double old[kLanes] = {};
  const auto add = [&](size_t lane, size_t i) {
    const double value = stats::ToDouble(stats::ReadElement<T>(before, i));
    const double difference = stats::ToDouble(stats::ReadElement<T>(after, i)) - value;
    change[lane] += difference * difference;
    old[lane] += value * value;
  };
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) add(lane, i + lane);
  }
  for (size_t lane = 0; i < count; ++i, ++lane) add(lane, i);
  Sums<double> total;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    total.change += change[lane];
    total.before += old[lane];
  }
  total.places = count;
  return total;
}

// What is not finite in either left out; in a type that holds the square of any double.
template <class T>
Sums<long double> AddUpFinite(const std::byte* after, const std::byte* before, size_t count) {
  Sums<long double> total;
  for (size_t i = 0; i < count; ++i) {
    const long double a = stats::ToDouble(stats::ReadElement<T>(after, i));
    const long double b = stats::ToDouble(stats::ReadElement<T>(before, i));
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    total.change += (a - b) * (a - b);
    total.before += b * b;
    ++total.places;
  }
  return total;
}

// Squares of what a smaller type holds always fit; those of doubles may have left the range.
template <class T>
bool Trustworthy(double sum) {
  if constexpr (std::is_same_v<T, double>) {
    return sum > kSmallSum && sum < kLargeSum;
  } else {
    return std::isfinite(sum);
  }
}

template <class Sum>
Distance Rooted(const Sums<Sum>& sums) {
  return {static_cast<double>(std::sqrt(sums.change)), static_cast<double>(std::sqrt(sums.before)),
          sums.places};
}

}  // namespace

Distance DistanceBetween(const stats::TensorRef& after, const stats::TensorRef& before) {
  Distance distance;
  const size_t count = after.count();
  const std::byte* a = after.bytes().data();
  const std::byte* b = before.bytes().data();
  const Status status = stats::VisitReal(after.dtype, [&]<class T>() {
    const auto sums = AddUp<T>(a, b, count);
    const bool trusted = Trustworthy<T>(sums.change) && Trustworthy<T>(sums.before);
    distance = trusted ? Rooted(sums) : Rooted(AddUpFinite<T>(a, b, count));
  });
  return status.ok() ? distance : Distance();
}

}  // namespace warden::rules
