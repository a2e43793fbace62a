#include "warden/stats/exponents.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "warden/stats/element.h"

namespace warden::stats {
namespace {

constexpr int kLastBin = 255;

size_t ExponentBin(double value) {
  if (value == 0) return 0;
  if (!std::isfinite(value)) return kLastBin;
  return static_cast<size_t>(std::clamp(std::ilogb(value) + Exponents::kBias, 0, kLastBin));
}

}  // namespace

void Exponents::Merge(const Exponents& other) {
  for (size_t i = 0; i < bins.size(); ++i) bins[i] += other.bins[i];
}

uint64_t Exponents::count() const { return std::accumulate(bins.begin(), bins.end(), uint64_t{0}); }

double Exponents::ShareBelow(int exponent) const {
  const uint64_t all = count();
  if (all == 0) return 0;
  const int end = std::clamp(exponent + kBias, 0, kLastBin);
  const uint64_t below = std::accumulate(bins.begin(), bins.begin() + end, uint64_t{0});
  return static_cast<double>(below) / static_cast<double>(all);
}

double Exponents::ShareFrom(int exponent) const {
  return count() == 0 ? 0 : 1 - ShareBelow(exponent);
}

Result<Exponents> CountExponents(const TensorRef& tensor) {
  Exponents exponents;
  const auto* data = static_cast<const std::byte*>(tensor.data);
  const size_t count = tensor.count();
  const Status status = VisitReal(tensor.dtype, [&]<class T>() {
    for (size_t i = 0; i < count; ++i) {
      ++exponents.bins[ExponentBin(ToDouble(ReadElement<T>(data, i)))];
    }
  });
  if (!status.ok()) return status;
  return exponents;
}

}  // namespace warden::stats
