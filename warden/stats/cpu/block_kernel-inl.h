// The loops behind block_kernel.h, compiled once for each instruction set.

#if defined(WARDEN_STATS_CPU_BLOCK_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARDEN_STATS_CPU_BLOCK_KERNEL_INL_H_
#undef WARDEN_STATS_CPU_BLOCK_KERNEL_INL_H_
#else
#define WARDEN_STATS_CPU_BLOCK_KERNEL_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "warden/stats/cpu/block_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace warden::stats::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;
using Doubles = Vector<double>;
using Bits = Vector<uint64_t>;

template <class T>
HWY_INLINE size_t Lanes() {
  return hn::Lanes(Tag<T>());
}
template <class T>
inline constexpr size_t kMaxLanes = hn::MaxLanes(Tag<T>());

HWY_INLINE Doubles LoadDoubles(const double* data) { return hn::LoadU(Tag<double>(), data); }
HWY_INLINE Doubles LoadDoubles(const float* data) {
  return hn::PromoteTo(Tag<double>(), hn::LoadU(hn::Rebind<float, Tag<double>>(), data));
}

HWY_INLINE double SumLanes(Doubles x) { return hn::GetLane(hn::SumOfLanes(Tag<double>(), x)); }

// A sum that may add up a few terms as they are, but is kept in double.
template <class T>
struct Sum {
  HWY_INLINE Sum() : run(hn::Zero(Tag<T>())), total(hn::Zero(Tag<double>())) {}

  HWY_INLINE void Add(Vector<T> x) { run = hn::Add(run, x); }
  HWY_INLINE void AddSquare(Vector<T> x) { run = hn::MulAdd(x, x, run); }

  HWY_INLINE void Flush() {
    HWY_ALIGN T lanes[kMaxLanes<T>];
    hn::Store(run, Tag<T>(), lanes);
    for (size_t i = 0; i < Lanes<T>(); i += Lanes<double>()) {
      total = hn::Add(total, LoadDoubles(lanes + i));
    }
    run = hn::Zero(Tag<T>());
  }

  Vector<T> run;
  Doubles total;
};

// Vectors between two flushes. So few floats lose at most kRun / 2 roundings of 2^-24, which is
// 5e-7, even if all are rounded the same way; of mixed data far less.
inline constexpr size_t kRun = 16;

// The bits of a positive float, taken as a number in units of its exponent and less the bias, are
// at most 0.0861 below its binary logarithm. Lanes drop so many low bits that a whole block fits.
template <class T>
struct LogSum {
  using UTag = hn::RebindToUnsigned<Tag<T>>;
  using U = hn::TFromD<UTag>;
  static constexpr int kDropped = sizeof(T) == 4 ? 12 : 24;
  static constexpr double kUnit = 1.0 / (int64_t{1} << ((sizeof(T) == 4 ? 23 : 52) - kDropped));
  static constexpr double kBias = sizeof(T) == 4 ? 127 : 1023;
  static constexpr double kSlack = 0.0861 + kUnit;

  HWY_INLINE LogSum() : sum(hn::Zero(UTag())) {}

  HWY_INLINE void Add(Vector<T> magnitude) {
    sum = hn::Add(sum, hn::ShiftRight<kDropped>(hn::BitCast(UTag(), magnitude)));
  }

  HWY_INLINE double Total() const {
    HWY_ALIGN U lanes[kMaxLanes<T>];
    hn::Store(sum, UTag(), lanes);
    uint64_t total = 0;
    for (size_t i = 0; i < Lanes<T>(); ++i) total += lanes[i];
    return static_cast<double>(total) * kUnit;
  }

  hn::Vec<UTag> sum;
};

template <class T>
struct Sweeper {
  HWY_INLINE explicit Sweeper(Vector<T> first)
      : min(first), max(first), abs_min(hn::Abs(first)), negative_count(0) {
    const double lanes = static_cast<double>(Lanes<T>());
    shift = hn::Set(Tag<T>(), static_cast<T>(hn::GetLane(hn::SumOfLanes(Tag<T>(), first)) / lanes));
  }

  HWY_INLINE void Add(Vector<T> x) {
    const Vector<T> magnitude = hn::Abs(x);
    const Vector<T> distance = hn::Sub(x, shift);
    min = hn::Min(min, x);
    max = hn::Max(max, x);
    abs_min = hn::Min(abs_min, magnitude);
    negative_count += hn::CountTrue(Tag<T>(), hn::Lt(x, hn::Zero(Tag<T>())));
    sum.Add(distance);
    squares.AddSquare(distance);
    abs_sum.Add(magnitude);
    log_sum.Add(magnitude);
  }

  HWY_INLINE void Flush() {
    sum.Flush();
    squares.Flush();
    abs_sum.Flush();
  }

  HWY_INLINE BlockStats Finish(size_t count, size_t padding, T pad) const {
    const Tag<T> tag;
    BlockStats out;
    out.count = count;
    out.negative_count = negative_count;
    out.min = hn::GetLane(hn::MinOfLanes(tag, min));
    out.max = hn::GetLane(hn::MaxOfLanes(tag, max));
    out.abs_min = hn::GetLane(hn::MinOfLanes(tag, abs_min));
    out.shift = hn::GetLane(shift);
    out.sum = SumLanes(sum.total);
    out.squares = SumLanes(squares.total);
    out.abs_sum = SumLanes(abs_sum.total);
    out.log2_prod_low = log_sum.Total() - LogSum<T>::kBias * static_cast<double>(count);
    out.log2_prod_high = out.log2_prod_low + LogSum<T>::kSlack * static_cast<double>(count);
    return out;
  }

  Vector<T> min, max, abs_min, shift;
  size_t negative_count;
  Sum<T> sum, squares, abs_sum;
  LogSum<T> log_sum;
};

#include "x"
