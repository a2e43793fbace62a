#include "warden/rules/closeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "warden/stats/element.h"

namespace warden::rules {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Blocks have a fixed size so that the loop over one is turned into vector instructions.
constexpr size_t kBlock = 64;

bool IsClose(double a, double b, const Tolerance& tolerance) {
  const double distance = std::abs(a - b);
  const double allowed = tolerance.atol + tolerance.rtol * std::abs(b);
  // Bitwise, since a branch for each value would keep this from being vectorised.
  const bool near = (distance <= allowed) & (std::abs(b) < kInfinity);
  const bool a_is_nan = std::isnan(a);
  const bool b_is_nan = std::isnan(b);
  return near | (a == b) | (tolerance.equal_nan & a_is_nan & b_is_nan);
}

template <class T>
bool BlockClose(const std::byte* a, const std::byte* b, const Tolerance& tolerance) {
  uint64_t apart = 0;
  for (size_t i = 0; i < kBlock; ++i) {
    const double x = stats::ToDouble(stats::ReadElement<T>(a, i));
    const double y = stats::ToDouble(stats::ReadElement<T>(b, i));
    apart |= IsClose(x, y, tolerance) ? uint64_t{0} : uint64_t{1};
  }
  return apart == 0;
}

template <class T>
bool ValuesClose(const std::byte* a, const std::byte* b, size_t count, const Tolerance& tolerance) {
  size_t begin = 0;
  for (; begin + kBlock <= count; begin += kBlock) {
    if (!BlockClose<T>(a + begin * sizeof(T), b + begin * sizeof(T), tolerance)) return false;
  }
  for (; begin < count; ++begin) {
    const double x = stats::ToDouble(stats::ReadElement<T>(a, begin));
    const double y = stats::ToDouble(stats::ReadElement<T>(b, begin));
    if (!IsClose(x, y, tolerance)) return false;
  }
  return true;
}

// Elements from begin on, up to a block of them, whatever their type.
void WidenBlock(const stats::TensorRef& tensor, size_t begin, size_t count, double* out) {
  const Status status = stats::VisitReal(
      tensor.dtype, [&]<class T>() { stats::Widen<T>(tensor.bytes().data(), begin, count, out); });
  if (!status.ok()) std::fill_n(out, count, std::numeric_limits<double>::quiet_NaN());
}

// Calls visit(a, b) with the values of both, block by block, until it returns false.
template <class Visit>
void VisitBlocks(const stats::TensorRef& a, const stats::TensorRef& b, const Visit& visit) {
  double x[kBlock];
  double y[kBlock];
  const size_t count = a.count();
  for (size_t begin = 0; begin < count; begin += kBlock) {
    const size_t size = std::min(kBlock, count - begin);
    WidenBlock(a, begin, size, x);
    WidenBlock(b, begin, size, y);
    if (!visit(std::span(x, size), std::span(y, size))) return;
  }
}

bool SameShape(const stats::TensorRef& a, const stats::TensorRef& b) {
  return std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end());
}

template <class T>
bool HoldsNaN(const std::byte* data, size_t count) {
  // As a float or double, where it is one: that takes half the time.
  const auto is_nan = [&](size_t i) {
    const T value = stats::ReadElement<T>(data, i);
    if constexpr (std::is_floating_point_v<T>) {
      return std::isnan(value);
    } else {
      return std::isnan(stats::ToDouble(value));
    }
  };
  uint32_t found = 0;
  size_t begin = 0;
  for (; begin + kBlock <= count; begin += kBlock) {
    for (size_t i = 0; i < kBlock; ++i) found |= is_nan(begin + i) ? 1 : 0;
  }
  for (; begin < count; ++begin) found |= is_nan(begin) ? 1 : 0;
  return found != 0;
}

// Of the same bytes the values are close, unless a NaN among them is not close to itself.
template <class T>
bool SameBytesClose(const std::byte* a, const std::byte* b, size_t count,
                    const Tolerance& tolerance) {
  if (std::memcmp(a, b, count * sizeof(T)) != 0) return false;
  return tolerance.equal_nan || std::is_integral_v<T> || !HoldsNaN<T>(a, count);
}

void TakeIn(double a, double b, const Tolerance& tolerance, Difference* widest) {
  const double distance = std::abs(a - b);
  const double largest = std::isfinite(distance) ? distance : kInfinity;
  if (largest < widest->largest) return;
  widest->largest = largest;
  widest->allowed = tolerance.atol + tolerance.rtol * std::abs(b);
}

Difference ValuesApart(const stats::TensorRef& a, const stats::TensorRef& b,
                       const Tolerance& tolerance) {
  Difference difference;
  uint64_t apart = 0;
  VisitBlocks(a, b, [&](std::span<const double> x, std::span<const double> y) {
    for (size_t i = 0; i < x.size(); ++i) {
      if (IsClose(x[i], y[i], tolerance)) continue;
      ++apart;
      TakeIn(x[i], y[i], tolerance, &difference);
    }
    return true;
  });
  difference.what =
      fmt::format("by up to {:.3g} ({} of {} values)", difference.largest, apart, a.count());
  return difference;
}

std::string ShapeText(std::span<const int64_t> shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

Comparison CompareValues(const stats::TensorRef& a, const stats::TensorRef& b,
                         const Tolerance& tolerance) {
  if (!IsReal(a.dtype) || !IsReal(b.dtype)) return {{}, kNoRealNumbers};
  if (!SameShape(a, b)) {
    return {Difference{kInfinity, 0,
                       fmt::format("in shape: {} and {}", ShapeText(a.shape), ShapeText(b.shape))},
            ""};
  }
  if (AllClose(a, b, tolerance)) return {};
  return {ValuesApart(a, b, tolerance), ""};
}

}  // namespace

bool IsReal(DType dtype) { return !IsComplex(dtype) && dtype != DType::kString; }

bool AllClose(const stats::TensorRef& a, const stats::TensorRef& b, const Tolerance& tolerance) {
  if (!SameShape(a, b)) return false;
  if (a.count() == 0) return true;
  const std::byte* left = a.bytes().data();
  const std::byte* right = b.bytes().data();
  bool close = true;
  if (a.dtype == b.dtype) {
    const size_t count = a.count();
    const Status status = stats::VisitReal(a.dtype, [&]<class T>() {
      close = SameBytesClose<T>(left, right, count, tolerance) ||
              ValuesClose<T>(left, right, count, tolerance);
    });
    return status.ok() && close;
  }
  VisitBlocks(a, b, [&](std::span<const double> x, std::span<const double> y) {
    for (size_t i = 0; i < x.size() && close; ++i) close = IsClose(x[i], y[i], tolerance);
    return close;
  });
  return close;
}

Comparison Compare(TensorView& a, TensorView& b, const Tolerance& tolerance) {
  const trial::TensorValue* left = a.Raw();
  const trial::TensorValue* right = left == nullptr ? nullptr : b.Raw();
  if (right != nullptr) return CompareValues(left->ref(), right->ref(), tolerance);
  bool compared = false;
  for (int i = 0; i < Reduction::kCount; ++i) {
    const Reduction reduction = Reduction::FromIndex(i);
    const auto x = a.Saved(reduction);
    const auto y = x ? b.Saved(reduction) : std::nullopt;
    if (!y) continue;
    compared = true;
    if (IsClose(*x, *y, tolerance)) continue;
    Difference difference;
    TakeIn(*x, *y, tolerance, &difference);
    difference.what = fmt::format("in {}: {:.6g} and {:.6g}", ReductionName(reduction), *x, *y);
    return {difference, ""};
  }
  return compared ? Comparison{} : Comparison{{}, "no saved values or statistics in common"};
}

}  // namespace warden::rules
