#include "warden/stats/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "warden/stats/accumulator.h"
#include "warden/stats/cpu/block_kernel.h"
#include "warden/stats/element.h"
#include "warden/stats/moments.h"

namespace warden::stats {
namespace {

template <class T>
constexpr bool kIsHalf = std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

template <class T>
void WidenBlock(const std::byte* data, size_t count, double* out) {
  Widen<T>(data, 0, count, out);
}
template <class T>
void WidenBlock(const std::byte* data, size_t count, float* out) {
  if constexpr (std::is_same_v<T, Float16>) {
    cpu::WidenFloat16(data, count, out);
  } else {
    cpu::WidenBFloat16(data, count, out);
  }
}

template <class T>
void AddBlock(const std::byte* data, size_t count, Accumulator* accumulator) {
  if constexpr (std::is_floating_point_v<T>) {
    accumulator->Add<T>(data, count);
  } else {
    // Sums of floats are good to a few parts in ten million. That suits what floats hold, while
    // statistics of integers should be exact as long as doubles are.
    using Wide = std::conditional_t<kIsHalf<T>, float, double>;
    std::array<Wide, cpu::kBlockSize> block;
    WidenBlock<T>(data, count, block.data());
    accumulator->Add<Wide>(reinterpret_cast<const std::byte*>(block.data()), count);
  }
}

Status AddAll(const TensorRef& tensor, Accumulator* accumulator) {
  const auto* data = static_cast<const std::byte*>(tensor.data);
  const size_t count = tensor.count();
  return VisitReal(tensor.dtype, [&]<class T>() {
    for (size_t begin = 0; begin < count; begin += cpu::kBlockSize) {
      const size_t size = std::min(cpu::kBlockSize, count - begin);
      AddBlock<T>(data + begin * sizeof(T), size, accumulator);
    }
  });
}

Moments ValueMoments(const Summary& summary) {
  const auto n = static_cast<long double>(summary.finite_count());
  return {n, summary.mean * n, summary.m2};
}
Moments MagnitudeMoments(const Summary& summary) {
  return {static_cast<long double>(summary.finite_count()), summary.abs_sum, summary.abs_m2};
}

void MergeCounts(const Summary& other, Summary* out) {
  out->count += other.count;
  out->nan_count += other.nan_count;
  out->pos_inf_count += other.pos_inf_count;
  out->neg_inf_count += other.neg_inf_count;
  out->zero_count += other.zero_count;
  out->negative_count += other.negative_count;
}

// Of two summaries that both have finite elements.
void MergeValues(const Summary& other, Summary* out) {
  Moments values = ValueMoments(*out);
  Moments magnitudes = MagnitudeMoments(*out);
  values.Merge(ValueMoments(other));
  magnitudes.Merge(MagnitudeMoments(other));
  out->min = std::min(out->min, other.min);
  out->max = std::max(out->max, other.max);
  out->abs_min = std::min(out->abs_min, other.abs_min);
  out->abs_max = std::max(out->abs_max, other.abs_max);
  out->sum += other.sum;
  out->abs_sum += other.abs_sum;
  out->sum_squares += other.sum_squares;
  out->l2 = std::hypot(out->l2, other.l2);
  out->mean = static_cast<double>(values.sum / values.count);
  out->m2 = static_cast<double>(values.m2);
  out->abs_m2 = static_cast<double>(magnitudes.m2);
  const bool has_zero = out->zero_count + other.zero_count != 0;
  out->prod = has_zero ? 0 : out->prod * other.prod;
}

}  // namespace

Result<Summary> Summarize(const TensorRef& tensor) {
  Accumulator accumulator(Accumulator::ProductMode::kSkipIfOutOfRange);
  if (Status status = AddAll(tensor, &accumulator); !status.ok()) return status;
  if (accumulator.product_known()) return accumulator.Finish();
  // The tensor begins with a product far out of range and ends with one back inside it. So few do
  // that one more pass is better than making every other pass slower.
  Accumulator exact(Accumulator::ProductMode::kExact);
  if (Status status = AddAll(tensor, &exact); !status.ok()) return status;
  return exact.Finish();
}

Summary Merge(const Summary& a, const Summary& b) {
  const bool take_b = a.finite_count() == 0;
  Summary out = take_b ? b : a;
  const Summary& other = take_b ? a : b;
  if (other.finite_count() != 0) MergeValues(other, &out);
  MergeCounts(other, &out);
  return out;
}

}  // namespace warden::stats
