// The loops behind block_kernel.h, compiled once for each instruction set.

#if defined(WARDEN_STATS_CPU_BLOCK_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARDEN_STATS_CPU_BLOCK_KERNEL_INL_H_
#undef WARDEN_STATS_CPU_BLOCK_KERNEL_INL_H_
#else
#define WARDEN_STATS_CPU_BLOCK_KERNEL_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "warden/stats/cpu/block_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace warden::stats::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As many lanes as the instruction set has: 4, 8 or 16 floats, or one without any.
template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;
using Doubles = Vector<double>;
using Bits = Vector<uint64_t>;

// Known when the program runs; kMaxLanes, for arrays, when it is compiled.
template <class T>
HWY_INLINE size_t Lanes() {
  return hn::Lanes(Tag<T>());
}
template <class T>
inline constexpr size_t kMaxLanes = hn::MaxLanes(Tag<T>());

// Asks for one line of the block that comes next, in exchange for line number `line` of this one.
// The processor by itself reads ahead on one page at a time and only as far as a loop without any
// arithmetic needs; asking in turn on all pages of the next block keeps more of the memory busy.
template <size_t kBlockBytes>
HWY_INLINE void PrefetchNextBlock(const std::byte* data, size_t line) {
  constexpr size_t kLine = 64;
  constexpr size_t kPage = 4096;
  constexpr size_t kPages = kBlockBytes / kPage;
  hwy::Prefetch(data + kBlockBytes + line % kPages * kPage + line / kPages * kLine);
}

// Element i of data that need not be aligned, and those after it. As ReadElement of element.h,
// which is not compiled for each instruction set.
template <class T>
HWY_INLINE T ReadAt(const std::byte* data, size_t i) {
  T value;
  std::memcpy(&value, data + i * sizeof(T), sizeof(T));
  return value;
}
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadAt(D tag, const std::byte* data, size_t i) {
#if HWY_TARGET == HWY_SCALAR  // Reads through the pointer, which must then be aligned.
  return hn::Set(tag, ReadAt<T>(data, i));
#else
  return hn::LoadU(tag, reinterpret_cast<const T*>(data) + i);
#endif
}

// As doubles, from elements of type T. As many elements as a vector has doubles: fewer than a
// vector of floats holds.
template <class T>
HWY_INLINE Doubles LoadDoubles(const std::byte* data, size_t i) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return LoadAt(Tag<double>(), data, i);
  } else {
    return hn::PromoteTo(Tag<double>(), LoadAt(hn::Rebind<T, Tag<double>>(), data, i));
  }
}

// The bytes of a local array.
template <class T>
HWY_INLINE const std::byte* AsBytes(const T* values) {
  return reinterpret_cast<const std::byte*>(values);
}

// In a fixed order, so that a block has the same sum on each run on the same processor.
HWY_INLINE double SumLanes(Doubles x) { return hn::GetLane(hn::SumOfLanes(Tag<double>(), x)); }

// A sum that may add up a few terms as they are, but is kept in double. Add and AddSquare up to
// kRun times, then Flush; `total` is only complete after Flush.
template <class T>
struct Sum {
  HWY_INLINE Sum() : run(hn::Zero(Tag<T>())), total(hn::Zero(Tag<double>())) {}

  HWY_INLINE void Add(Vector<T> x) { run = hn::Add(run, x); }
  HWY_INLINE void AddSquare(Vector<T> x) { run = hn::MulAdd(x, x, run); }

  // Adds the lanes of `run` to those of `total`, in double, and starts again from zero.
  HWY_INLINE void Flush() {
    HWY_ALIGN T lanes[kMaxLanes<T>];
    hn::Store(run, Tag<T>(), lanes);
    for (size_t i = 0; i < Lanes<T>(); i += Lanes<double>()) {
      total = hn::Add(total, LoadDoubles<T>(AsBytes(lanes), i));
    }
    run = hn::Zero(Tag<T>());
  }

  // Of at most kRun vectors, in the type of the elements: adding floats is twice as fast as
  // doubles.
  Vector<T> run;
  // Of all that was flushed; its lanes are added up at the end.
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
  // Low bits that are shifted out before adding, so that the sum of kBlockSize of them fits a lane.
  static constexpr int kDropped = sizeof(T) == 4 ? 12 : 24;
  // What one unit of the shifted bits is, as a binary logarithm.
  static constexpr double kUnit = 1.0 / (int64_t{1} << ((sizeof(T) == 4 ? 23 : 52) - kDropped));
  static constexpr double kBias = sizeof(T) == 4 ? 127 : 1023;
  static constexpr double kSlack = 0.0861 + kUnit;

  HWY_INLINE LogSum() : sum(hn::Zero(UTag())) {}

  HWY_INLINE void Add(Vector<T> magnitude) {
    sum = hn::Add(sum, hn::ShiftRight<kDropped>(hn::BitCast(UTag(), magnitude)));
  }

  // With the bias of each exponent still in it: Finish subtracts count times kBias.
  HWY_INLINE double Total() const {
    HWY_ALIGN U lanes[kMaxLanes<T>];
    hn::Store(sum, UTag(), lanes);
    uint64_t total = 0;
    for (size_t i = 0; i < Lanes<T>(); ++i) total += lanes[i];
    return static_cast<double>(total) * kUnit;
  }

  hn::Vec<UTag> sum;
};

// One pass over a block for everything in BlockStats. Starts with a vector of the block, from which
// range and shift are taken. NaN and infinities make `squares` not finite, and the rest means
// nothing then.
template <class T>
struct Sweeper {
  HWY_INLINE explicit Sweeper(Vector<T> first)
      : min(first), max(first), abs_min(hn::Abs(first)), shift(GuessShift(first)) {}

  // Near the mean, or zero, with which subtracting rounds nothing, if the signs are mixed.
  HWY_INLINE static Vector<T> GuessShift(Vector<T> first) {
    const Tag<T> tag;
    const auto negative = hn::Lt(first, hn::Zero(tag));
    if (!hn::AllFalse(tag, negative) && !hn::AllTrue(tag, negative)) return hn::Zero(tag);
    const Vector<T> part = hn::Set(tag, T(1) / static_cast<T>(Lanes<T>()));
    return hn::SumOfLanes(tag, hn::Mul(first, part));
  }

  // A full vector.
  HWY_INLINE void Add(Vector<T> x) {
    AddToRange(x);
    AddToSums(x, hn::Sub(x, shift));
  }

  // Only the first n lanes count; the others repeat some element.
  HWY_INLINE void AddFirst(Vector<T> x, size_t n) {
    const auto mask = hn::FirstN(Tag<T>(), n);
    AddToRange(x);
    AddToSums(hn::IfThenElseZero(mask, x), hn::IfThenElseZero(mask, hn::Sub(x, shift)));
  }

  // Lanes that repeat an element do no harm here.
  HWY_INLINE void AddToRange(Vector<T> x) {
    min = hn::Min(min, x);
    max = hn::Max(max, x);
    abs_min = hn::Min(abs_min, hn::Abs(x));
  }

  // Zero in both arguments adds nothing, which is how AddFirst leaves lanes out; zero is not
  // negative.
  HWY_INLINE void AddToSums(Vector<T> x, Vector<T> distance) {
    negative_count += hn::CountTrue(Tag<T>(), hn::Lt(x, hn::Zero(Tag<T>())));
    sum.Add(distance);
    squares.AddSquare(distance);
    abs_sum.Add(hn::Abs(x));
    log_sum.Add(hn::Abs(x));
  }

  HWY_INLINE void Flush() {
    sum.Flush();
    squares.Flush();
    abs_sum.Flush();
  }

  // Puts the lanes together, once for each block.
  HWY_INLINE BlockStats Finish(size_t count) const {
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

  // By lane, but for shift, which is the same in all.
  Vector<T> min, max, abs_min, shift;
  size_t negative_count = 0;
  Sum<T> sum, squares, abs_sum;
  LogSum<T> log_sum;
};

// The sums of SumDistances. kAbs: of absolute values. shift is given by the caller, who knows the
// mean by now.
template <class T, bool kAbs>
struct DistanceSums {
  HWY_INLINE explicit DistanceSums(T from) : shift(hn::Set(Tag<T>(), from)) {}

  HWY_INLINE Vector<T> Distance(Vector<T> x) const { return hn::Sub(kAbs ? hn::Abs(x) : x, shift); }
  HWY_INLINE void AddDistance(Vector<T> distance) {
    sum.Add(distance);
    squares.AddSquare(distance);
  }

  HWY_INLINE void Add(Vector<T> x) { AddDistance(Distance(x)); }
  HWY_INLINE void AddFirst(Vector<T> x, size_t n) {
    AddDistance(hn::IfThenElseZero(hn::FirstN(Tag<T>(), n), Distance(x)));
  }
  HWY_INLINE void Flush() {
    sum.Flush();
    squares.Flush();
  }

  Vector<T> shift;
  Sum<T> sum, squares;
};

// Elements [begin, count), fewer than a vector, and the first of them again to fill it.
template <class T>
HWY_INLINE Vector<T> LoadRest(const std::byte* data, size_t begin, size_t count) {
  HWY_ALIGN T lanes[kMaxLanes<T>];
  std::fill(lanes, lanes + Lanes<T>(), ReadAt<T>(data, begin));
  std::memcpy(lanes, data + begin * sizeof(T), (count - begin) * sizeof(T));
  return hn::Load(Tag<T>(), lanes);
}

// Gives `sums` all elements, vector by vector.
template <class T, class Sums>
HWY_INLINE void AddAll(const std::byte* data, size_t count, Sums* sums) {
  const Tag<T> tag;
  size_t i = 0;
  for (const size_t run = kRun * Lanes<T>(); i + run <= count; i += run) {
    for (size_t j = i; j < i + run; j += Lanes<T>()) {
      PrefetchNextBlock<kBlockSize * sizeof(T)>(data, j * sizeof(T) / 64);
      sums->Add(LoadAt(tag, data, j));
    }
    sums->Flush();
  }
  for (; i + Lanes<T>() <= count; i += Lanes<T>()) sums->Add(LoadAt(tag, data, i));
  if (i < count) sums->AddFirst(LoadRest<T>(data, i, count), count - i);
  sums->Flush();
}

// REQUIRES: 0 < count <= kBlockSize. A block shorter than a vector is filled up with its first
// element.
template <class T>
HWY_INLINE BlockStats SweepBlock(const std::byte* data, size_t count) {
  const bool whole = count >= Lanes<T>();
  Sweeper<T> sweeper(whole ? LoadAt(Tag<T>(), data, 0) : LoadRest<T>(data, 0, count));
  AddAll<T>(data, count, &sweeper);
  return sweeper.Finish(count);
}

// Sum and sum of squares of x - shift, or |x| - shift: the second pass for a variance where the
// shift of the first was not near enough to the mean.
template <class T, bool kAbs>
HWY_INLINE Distances SumBlockDistances(const std::byte* data, size_t count, T shift) {
  DistanceSums<T, kAbs> sums(shift);
  AddAll<T>(data, count, &sums);
  return {SumLanes(sums.sum.total), SumLanes(sums.squares.total)};
}

// Of both signs.
template <class T>
HWY_INLINE uint64_t CountBlockZeros(const std::byte* data, size_t count) {
  const Tag<T> tag;
  uint64_t zeros = 0;
  size_t i = 0;
  for (; i + Lanes<T>() <= count; i += Lanes<T>()) {
    zeros += hn::CountTrue(tag, hn::Eq(LoadAt(tag, data, i), hn::Zero(tag)));
  }
  for (; i < count; ++i) zeros += ReadAt<T>(data, i) == 0;
  return zeros;
}

// The product of lanes of doubles; the exponents are summed apart.
struct LaneProduct {
  HWY_INLINE LaneProduct()
      : mantissa(hn::Set(Tag<double>(), 1.0)), exponent(hn::Zero(Tag<uint64_t>())), splits(0) {}

  // Leaves the mantissa, from 1 to below 2, and adds the biased exponent to the sum. The bias of
  // the exponents is taken off in Finish, by the number of splits.
  HWY_INLINE Doubles Split(Doubles x) {
    const Tag<uint64_t> tag;
    const Bits bits = hn::BitCast(tag, x);
    exponent = hn::Add(exponent, hn::ShiftRight<52>(bits));
    ++splits;
    const Bits fraction = hn::And(bits, hn::Set(tag, 0x000F'FFFF'FFFF'FFFF));
    return hn::BitCast(Tag<double>(), hn::Or(fraction, hn::Set(tag, 0x3FF0'0000'0000'0000)));
  }

  // A float times a mantissa is far inside the range of double, two doubles need not be.
  HWY_INLINE void Multiply(float, Doubles x) { mantissa = Split(hn::Mul(mantissa, hn::Abs(x))); }
  HWY_INLINE void Multiply(double, Doubles x) { Multiply(0.0f, Split(hn::Abs(x))); }

  HWY_INLINE Product Finish() const {
    constexpr int64_t kBias = 1023;
    const size_t lanes = Lanes<double>();
    HWY_ALIGN double mantissas[kMaxLanes<double>];
    HWY_ALIGN uint64_t exponents[kMaxLanes<double>];
    hn::Store(mantissa, Tag<double>(), mantissas);
    hn::Store(exponent, Tag<uint64_t>(), exponents);
    Product product;
    product.exponent = -kBias * splits * static_cast<int64_t>(lanes);
    for (size_t i = 0; i < lanes; ++i) {
      product.mantissa *= mantissas[i];
      product.exponent += static_cast<int64_t>(exponents[i]);
    }
    return product;
  }

  // By lane, from 1 to below 2; the sum of the exponents that were split off; and how often.
  Doubles mantissa;
  Bits exponent;
  int64_t splits;
};

// The product of the absolute values; the sign is the caller's, from the number of negative ones.
// Exponents are read from the bits, so none may be zero, subnormal (as a double) or not finite.
template <class T>
HWY_INLINE Product MultiplyBlock(const std::byte* data, size_t count) {
  const size_t lanes = Lanes<double>();
  LaneProduct product;
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) product.Multiply(T(), LoadDoubles<T>(data, i));
  if (i < count) {
    HWY_ALIGN double rest[kMaxLanes<double>];
    std::fill(rest, rest + lanes, 1.0);
    for (size_t j = 0; i + j < count; ++j) rest[j] = ReadAt<T>(data, i + j);
    product.Multiply(T(), hn::Load(Tag<double>(), rest));
  }
  return product.Finish();
}

// Highway's own conversion takes infinities and NaN for numbers on older instruction sets.
struct FromFloat16 {
  HWY_INLINE Vector<float> operator()(Vector<uint32_t> half) const {
    const Tag<float> tag;
    const Tag<uint32_t> bits_tag;
    const auto magnitude = hn::And(half, hn::Set(bits_tag, 0x7FFF));
    const auto sign = hn::ShiftLeft<16>(hn::Xor(half, magnitude));
    // The fields fit those of a float; multiplying mends the bias of the exponent and subnormals.
    const auto fields = hn::BitCast(tag, hn::ShiftLeft<13>(magnitude));
    const auto finite = hn::Mul(fields, hn::Set(tag, 0x1p112f));
    const auto special = hn::Or(finite, hn::Set(tag, std::numeric_limits<float>::infinity()));
    const auto is_special = hn::Ge(finite, hn::Set(tag, 65536.0f));
    return hn::Or(hn::IfThenElse(is_special, special, finite), hn::BitCast(tag, sign));
  }
};

// A bfloat16 is the upper half of a float.
struct FromBFloat16 {
  HWY_INLINE Vector<float> operator()(Vector<uint32_t> half) const {
    return hn::BitCast(Tag<float>(), hn::ShiftLeft<16>(half));
  }
};

// Exact, NaN and infinities included. out has room for count floats.
template <class Convert>
HWY_INLINE void WidenHalves(const std::byte* data, size_t count, float* out) {
  const Tag<uint32_t> bits_tag;
  const hn::Rebind<uint16_t, Tag<uint32_t>> half_tag;
  const Convert convert;
  const size_t lanes = Lanes<float>();
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    PrefetchNextBlock<kBlockSize * sizeof(uint16_t)>(data, i * sizeof(uint16_t) / 64);
    const auto wide = hn::PromoteTo(bits_tag, LoadAt(half_tag, data, i));
    hn::StoreU(convert(wide), Tag<float>(), out + i);
  }
  for (; i < count; ++i) {
    out[i] = hn::GetLane(convert(hn::Set(bits_tag, ReadAt<uint16_t>(data, i))));
  }
}

// What block_kernel.cc exports: dispatch tables take plain functions only.
BlockStats SweepFloat(const std::byte* data, size_t count) {
  return SweepBlock<float>(data, count);
}
BlockStats SweepDouble(const std::byte* data, size_t count) {
  return SweepBlock<double>(data, count);
}
Distances DistancesFloat(const std::byte* data, size_t count, float shift, bool abs) {
  return abs ? SumBlockDistances<float, true>(data, count, shift)
             : SumBlockDistances<float, false>(data, count, shift);
}
Distances DistancesDouble(const std::byte* data, size_t count, double shift, bool abs) {
  return abs ? SumBlockDistances<double, true>(data, count, shift)
             : SumBlockDistances<double, false>(data, count, shift);
}
Product MultiplyFloat(const std::byte* data, size_t count) {
  return MultiplyBlock<float>(data, count);
}
Product MultiplyDouble(const std::byte* data, size_t count) {
  return MultiplyBlock<double>(data, count);
}
uint64_t ZerosFloat(const std::byte* data, size_t count) {
  return CountBlockZeros<float>(data, count);
}
uint64_t ZerosDouble(const std::byte* data, size_t count) {
  return CountBlockZeros<double>(data, count);
}
void WidenFloat16s(const std::byte* data, size_t count, float* out) {
  WidenHalves<FromFloat16>(data, count, out);
}
void WidenBFloat16s(const std::byte* data, size_t count, float* out) {
  WidenHalves<FromBFloat16>(data, count, out);
}

}  // namespace warden::stats::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // WARDEN_STATS_CPU_BLOCK_KERNEL_INL_H_
