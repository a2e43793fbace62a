// The kernels of device_summaries.h: statistics of many tensors in one launch. CUDA C++, compiled
// on the machine where it runs (driver.h), and by the tests for the host, with one thread in a
// block.
//
// All tensors are cut into tiles, and each block gets an equal share of all tiles, one after the
// other. It finds its first tensor by binary search and writes a part for every tensor that it
// reaches. The place of a part is the number of its block plus that of its tensor, which no other
// part has. Parts are merged in the order of blocks, so the same tensors give the same bits.
//
// A thread takes 32 elements of a tile at a time (8 of double) and sums them up in float, if float
// can hold their type. Only the results go into double sums: a dozen operations in double for 32
// elements. What float cannot do well is found out afterwards and done again: squared distances
// where the mean is large beside the spread, and everything in double where there are NaN,
// infinities or squares out of range.

#include "warden/stats/cuda/summary_job.h"

using namespace warden::stats::cuda;

#ifndef WARDEN_THREADS
#define WARDEN_THREADS kBlockThreads
#endif
#ifndef WARDEN_BLOCKS
#define WARDEN_BLOCKS 2  // On each multiprocessor, at least.
#endif
#ifndef WARDEN_DOUBLE
#define WARDEN_DOUBLE 0  // 1: everything in double, to compare with.
#endif

namespace {

typedef unsigned long long u64;
constexpr unsigned kThreads = WARDEN_THREADS;
constexpr unsigned kLanes = kThreads < 32 ? kThreads : 32;
constexpr unsigned kWarps = kThreads / kLanes;
// Copies of the bins, so that lanes with the same exponent rarely meet.
constexpr unsigned kBinCopies = kThreads < 8 ? 1 : 8;

// What the tests replace.
#ifndef WARDEN_ON_HOST
#define WARDEN_UNROLL _Pragma("unroll")
#define WARDEN_UNROLL_8 _Pragma("unroll 8")
#define WARDEN_LOOP _Pragma("unroll 1")
__device__ float WideHalf(unsigned short bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
// (a & b) | c: one instruction, of which the compiler makes two.
__device__ unsigned AndOr(unsigned a, unsigned b, unsigned c) {
  unsigned result;
  asm("lop3.b32 %0, %1, %2, %3, 0xEA;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
  return result;
}
// Two elements of 16 bits at a time. NaN is left out by all but the multiplication.
#if __CUDA_ARCH__ >= 800
#define WARDEN_PAIRS(Name, instruction, Wide)                        \
  __device__ unsigned Name(unsigned a, unsigned b) {                 \
    unsigned result;                                                 \
    asm(instruction " %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b)); \
    return result;                                                   \
  }
#else
__device__ float WideBrain(unsigned short bits) { return __uint_as_float((unsigned)bits << 16); }
// Which half of a or b it is, found in float.
#define WARDEN_PAIRS(Name, instruction, Wide)                                   \
  __device__ unsigned Name(unsigned a, unsigned b) {                            \
    unsigned result = 0;                                                        \
    for (int shift = 0; shift < 32; shift += 16) {                              \
      const unsigned short x = a >> shift, y = b >> shift;                      \
      const bool less = Wide(x) < Wide(y);                                      \
      const bool first = (instruction[1] == 'i') == less || Wide(y) != Wide(y); \
      result |= (unsigned)(first ? x : y) << shift;                             \
    }                                                                           \
    return result;                                                              \
  }
#endif
WARDEN_PAIRS(SmallerHalves, "min.f16x2", WideHalf)
WARDEN_PAIRS(LargerHalves, "max.f16x2", WideHalf)
WARDEN_PAIRS(SmallerBrains, "min.bf16x2", WideBrain)
WARDEN_PAIRS(LargerBrains, "max.bf16x2", WideBrain)
__device__ unsigned TimesHalves(unsigned a, unsigned b) {
  unsigned result;
  asm("mul.f16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
// The same vector, of which the compiler knows nothing: it unpacks it again, instead of keeping all
// elements in registers for cases that are rare.
__device__ uint4 Again(uint4 v) {
  asm volatile("" : "+r"(v.x), "+r"(v.y), "+r"(v.z), "+r"(v.w));
  return v;
}
// Of memory that nobody writes meanwhile, and that is read once.
__device__ uint4 LoadVector(u64 address) {
  uint4 v;
  asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
      : "l"(address));
  return v;
}
#endif

__device__ double Infinity() { return __longlong_as_double(0x7ff0000000000000LL); }

// ---- Elements as float or double.

__device__ float WideE4M3(unsigned byte) {
  const float value =
      __uint_as_float((byte & 0x80) << 24 | (byte & 0x7f) << 20) * __uint_as_float(0x7b800000);
  return (byte & 0x7f) == 0x7f ? __uint_as_float(0x7fc00000) : value;
}

// How elements lie in vectors. T: what they are unpacked into.
struct FormatFloat32 {
  typedef float T;
  static constexpr int kVectors = 8, kInVector = 4;
  __device__ static void Unpack(const uint4& v, float* x) {
    x[0] = __uint_as_float(v.x);
    x[1] = __uint_as_float(v.y);
    x[2] = __uint_as_float(v.z);
    x[3] = __uint_as_float(v.w);
  }
};
struct FormatFloat64 {
  typedef double T;
  static constexpr int kVectors = 4, kInVector = 2;
  __device__ static void Unpack(const uint4& v, double* x) {
    x[0] = __hiloint2double((int)v.y, (int)v.x);
    x[1] = __hiloint2double((int)v.w, (int)v.z);
  }
};
// Two elements in a word, of which the smallest and largest are found together.
template <class Pair>
struct FormatPairs {
  typedef float T;
  static constexpr int kVectors = 4, kInVector = 8;
  __device__ static void Unpack(const uint4& v, float* x) {
    Pair::Unpack(v.x, x);
    Pair::Unpack(v.y, x + 2);
    Pair::Unpack(v.z, x + 4);
    Pair::Unpack(v.w, x + 6);
  }
  __device__ static unsigned Smallest(const uint4& v) {
    return Pair::Smaller(Pair::Smaller(v.x, v.y), Pair::Smaller(v.z, v.w));
  }
  __device__ static unsigned Largest(const uint4& v) {
    return Pair::Larger(Pair::Larger(v.x, v.y), Pair::Larger(v.z, v.w));
  }
  __device__ static uint4 Magnitudes(uint4 v) {
    v.x &= 0x7fff7fffu;
    v.y &= 0x7fff7fffu;
    v.z &= 0x7fff7fffu;
    v.w &= 0x7fff7fffu;
    return v;
  }
  __device__ static unsigned Smaller(unsigned a, unsigned b) { return Pair::Smaller(a, b); }
  __device__ static unsigned Larger(unsigned a, unsigned b) { return Pair::Larger(a, b); }
};
struct PairFloat16 {
  __device__ static void Unpack(unsigned pair, float* x) {
    x[0] = WideHalf((unsigned short)pair);
    x[1] = WideHalf((unsigned short)(pair >> 16));
  }
  __device__ static unsigned Smaller(unsigned a, unsigned b) { return SmallerHalves(a, b); }
  __device__ static unsigned Larger(unsigned a, unsigned b) { return LargerHalves(a, b); }
};
struct PairBFloat16 {
  __device__ static void Unpack(unsigned pair, float* x) {
    x[0] = __uint_as_float(pair << 16);
    x[1] = __uint_as_float(pair & 0xffff0000u);
  }
  __device__ static unsigned Smaller(unsigned a, unsigned b) { return SmallerBrains(a, b); }
  __device__ static unsigned Larger(unsigned a, unsigned b) { return LargerBrains(a, b); }
};
typedef FormatPairs<PairFloat16> FormatFloat16;
typedef FormatPairs<PairBFloat16> FormatBFloat16;

// Four elements of 8 bits as two words of float16. NaN of e4m3 becomes kE4M3Nan, which is larger
// than all its values.
constexpr float kE4M3Nan = 480;
__device__ void WidenE4M3(unsigned four, unsigned* low, unsigned* high) {
  const auto widen = [](unsigned bytes) {
    return TimesHalves((bytes & 0x00800080u) << 8 | (bytes & 0x007f007fu) << 7, 0x5c005c00u);
  };
  *low = widen((four & 0xff) | (four << 8 & 0xff0000));
  *high = widen((four >> 16 & 0xff) | (four >> 8 & 0xff0000));
}
// Its bits are the upper half of a float16.
__device__ void WidenE5M2(unsigned four, unsigned* low, unsigned* high) {
  *low = (four << 8 & 0xff00) | (four << 16 & 0xff000000u);
  *high = (four >> 8 & 0xff00) | (four & 0xff000000u);
}

__device__ unsigned SizeOf(unsigned type) {
  switch (type) {
    case kElementFloat64:
    case kElementInt64:
    case kElementUInt64: return 8;
    case kElementFloat32:
    case kElementInt32:
    case kElementUInt32: return 4;
    case kElementFloat16:
    case kElementBFloat16:
    case kElementInt16:
    case kElementUInt16: return 2;
    default: return 1;
  }
}

// Any element, as a double.
__device__ __noinline__ double Element(unsigned type, u64 address, long long i) {
  const unsigned char* data = (const unsigned char*)address;
  switch (type) {
    case kElementFloat32: return ((const float*)data)[i];
    case kElementFloat16: return WideHalf(((const unsigned short*)data)[i]);
    case kElementBFloat16: return __uint_as_float((unsigned)((const unsigned short*)data)[i] << 16);
    case kElementFloat8E4M3: return WideE4M3(data[i]);
    case kElementFloat8E5M2: return WideHalf((unsigned short)(data[i] << 8));
    case kElementFloat64: return ((const double*)data)[i];
    case kElementBool: return data[i] != 0;
    case kElementInt8: return ((const signed char*)data)[i];
    case kElementInt16: return ((const short*)data)[i];
    case kElementInt32: return ((const int*)data)[i];
    case kElementInt64: return (double)((const long long*)data)[i];
    case kElementUInt8: return data[i];
    case kElementUInt16: return ((const unsigned short*)data)[i];
    case kElementUInt32: return ((const unsigned*)data)[i];
    default: return (double)((const u64*)data)[i];
  }
}

// The pivot of squared distances: the first element, so that they keep their digits where the
// spread is small beside the mean.
__device__ double Pivot(const TensorEntry& tensor) {
  const double first = Element(tensor.type, tensor.address, 0);
  return fabs(first) < Infinity() ? first : 0.0;
}

// ---- Bits of float and double. Exponents are biased, with the sign as the bit above them.

constexpr int kDoubleBias = 1023;
__device__ unsigned TopBits(float x) { return __float_as_uint(x) >> 23; }
__device__ unsigned TopBits(double x) { return (unsigned)__double2hiint(x) >> 20; }
__device__ unsigned SignBit(float x) { return __float_as_uint(x) >> 31; }
__device__ unsigned SignBit(double x) { return (unsigned)__double2hiint(x) >> 31; }
__device__ bool IsNegativeZero(float x) { return __float_as_uint(x) == 0x80000000u; }
__device__ bool IsNegativeZero(double x) { return x == 0 && SignBit(x) != 0; }
// The magnitude without its power of two: 1 to 2.
__device__ float Mantissa(float x) {
  return __uint_as_float(AndOr(__float_as_uint(x), 0x7fffff, 0x3f800000));
}
__device__ double Mantissa(double x) {
  return __hiloint2double((__double2hiint(x) & 0xfffff) | 0x3ff00000, __double2loint(x));
}
__device__ float InfinityOf(float) { return __uint_as_float(0x7f800000); }
__device__ double InfinityOf(double) { return Infinity(); }

template <class T>
struct Limits;
template <>
struct Limits<float> {
  static constexpr int kBias = 127;
  static constexpr float kSmallest = 1.17549435e-38f;  // Of those with all digits.
  // Sums of squares between these bounds are good to their last digits.
  static constexpr float kTinySquares = 1e-34f;
  static constexpr float kHugeSquares = 3e38f;
  // Products of four magnitudes between these bounds fit.
  static constexpr float kSmallFactor = 4.65661287e-10f, kLargeFactor = 2147483648.0f;
};
template <>
struct Limits<double> {
  static constexpr int kBias = kDoubleBias;
  static constexpr double kSmallest = 2.2250738585072014e-308;
  static constexpr double kTinySquares = 1e-290;
  static constexpr double kHugeSquares = 1.7e308;
  static constexpr double kSmallFactor = 1e-76, kLargeFactor = 1e76;
};

__device__ float Smaller(float a, float b) { return fminf(a, b); }
__device__ double Smaller(double a, double b) { return fmin(a, b); }
__device__ float Larger(float a, float b) { return fmaxf(a, b); }
__device__ double Larger(double a, double b) { return fmax(a, b); }
__device__ float Magnitude(float x) { return fabsf(x); }
__device__ double Magnitude(double x) { return fabs(x); }

// The bin of an exponent histogram: bin e has the magnitudes from 2^(e - 127) to twice that, bin 0
// everything below and zero, bin 255 everything above, infinities and NaN.
__device__ unsigned BinOf(float x) { return TopBits(x) & 255; }
__device__ unsigned BinOf(double x) {
  const int bin = (int)(TopBits(x) & 2047) - kDoubleBias + 127;
  return bin < 0 ? 0 : bin > 255 ? 255 : bin;
}

// ---- What a thread knows of its elements.

// The smallest and the largest of some elements.
template <class T>
struct Extremes {
  T min = InfinityOf(T()), max = -InfinityOf(T()), abs_min = InfinityOf(T());

  __device__ void Add(T low, T high, T abs_low) {
    min = Smaller(min, low);
    max = Larger(max, high);
    abs_min = Smaller(abs_min, abs_low);
  }
};

template <class Format>
__device__ Extremes<typename Format::T> ExtremesOf(const uint4 (&v)[Format::kVectors]) {
  typedef typename Format::T T;
  Extremes<T> found;
  WARDEN_UNROLL
  for (int i = 0; i < Format::kVectors; ++i) {
    T x[Format::kInVector];
    Format::Unpack(v[i], x);
    WARDEN_UNROLL
    for (int j = 0; j < Format::kInVector; ++j) found.Add(x[j], x[j], Magnitude(x[j]));
  }
  return found;
}
template <class Pairs>
__device__ Extremes<float> ExtremesOfPairs(const uint4 (&v)[Pairs::kVectors]) {
  unsigned low = Pairs::Smallest(v[0]), high = Pairs::Largest(v[0]);
  unsigned abs_low = Pairs::Smallest(Pairs::Magnitudes(v[0]));
  WARDEN_UNROLL
  for (int i = 1; i < Pairs::kVectors; ++i) {
    low = Pairs::Smaller(low, Pairs::Smallest(v[i]));
    high = Pairs::Larger(high, Pairs::Largest(v[i]));
    abs_low = Pairs::Smaller(abs_low, Pairs::Smallest(Pairs::Magnitudes(v[i])));
  }
  const uint4 all = {low, high, abs_low, 0};
  float x[Pairs::kInVector];
  Pairs::Unpack(all, x);
  Extremes<float> found;
  found.Add(Smaller(x[0], x[1]), Larger(x[2], x[3]), Smaller(x[4], x[5]));
  return found;
}
template <>
__device__ Extremes<float> ExtremesOf<FormatFloat16>(const uint4 (&v)[4]) {
  return ExtremesOfPairs<FormatFloat16>(v);
}
template <>
__device__ Extremes<float> ExtremesOf<FormatBFloat16>(const uint4 (&v)[4]) {
  return ExtremesOfPairs<FormatBFloat16>(v);
}

struct Running {
  unsigned nan = 0, pos_inf = 0, neg_inf = 0, zero = 0, negative = 0;
  int exponent = 0;
  double sum = 0, abs_sum = 0, squares = 0, distances = 0, abs_distances = 0, product = 1;
  Extremes<double> extremes;
  const double pivot;
  unsigned* const bins;  // This lane's copy; null: no histogram.

  __device__ Running(double about, unsigned* counts) : pivot(about), bins(counts) {}

  __device__ void TakePowerOfTwo() {
    exponent += (int)(TopBits(product) & 2047) - kDoubleBias;
    product = Mantissa(product);
  }

  template <class T>
  __device__ void CountBin(T x) {
    if (bins != nullptr) atomicAdd(&bins[BinOf(x) * kBinCopies], 1u);
  }

  // One element, at any magnitude.
  __device__ void AddOne(double x) {
    const double magnitude = fabs(x);
    CountBin(x);
    if (!(magnitude < Infinity())) {
      if (x != x)
        ++nan;
      else if (x > 0)
        ++pos_inf;
      else
        ++neg_inf;
      return;
    }
    extremes.Add(x, x, magnitude);
    zero += x == 0;
    negative += x < 0;
    sum += x;
    abs_sum += magnitude;
    squares += x * x;
    const double distance = x - pivot, abs_distance = magnitude - fabs(pivot);
    distances += distance * distance;
    abs_distances += abs_distance * abs_distance;
    if (magnitude != 0) {
      // 2^64 makes all digits of the smallest doubles count.
      const bool small = magnitude < Limits<double>::kSmallest;
      const double factor = small ? magnitude * 18446744073709551616.0 : magnitude;
      exponent += (int)TopBits(factor) - kDoubleBias - (small ? 64 : 0);
      product *= Mantissa(factor);
      TakePowerOfTwo();
    }
  }

  // All elements of some vectors: a power of two. False, and nothing is added, if they need to be
  // added one by one. limit: magnitudes from there on stand for NaN.
  template <class Format, class T>
  __device__ bool Add(const uint4 (&v)[Format::kVectors], T limit, Extremes<T>& range) {
    constexpr int N = Format::kVectors * Format::kInVector;
    if (WARDEN_DOUBLE) {
      ForEach<Format>(v, [&](T x) { AddOne(x); });
      return true;
    }
    T s[2] = {0, 0}, a[2] = {0, 0}, q[2] = {0, 0}, p = 1;
    unsigned top = 0, signs = 0;
    WARDEN_UNROLL
    for (int i = 0; i < Format::kVectors; ++i) {
      T x[Format::kInVector];
      Format::Unpack(v[i], x);
      WARDEN_UNROLL
      for (int j = 0; j < Format::kInVector; ++j) {
        s[j % 2] += x[j];
        a[j % 2] += Magnitude(x[j]);
        q[j % 2] += x[j] * x[j];
        signs += SignBit(x[j]);
      }
      constexpr int kTogether = Format::kInVector < 4 ? Format::kInVector : 4;
      WARDEN_UNROLL
      for (int j = 0; j < Format::kInVector; j += kTogether) {
        T factor = x[j];
        WARDEN_UNROLL
        for (int k = 1; k < kTogether; ++k) factor *= x[j + k];
        factor = Magnitude(factor);
        top += TopBits(factor);
        p *= Mantissa(factor);
      }
    }
    constexpr int kFactors = N / (Format::kInVector < 4 ? Format::kInVector : 4);
    const Extremes<T> found = ExtremesOf<Format>(v);
    const T low = found.min, high = found.max, abs_low = found.abs_min;
    const T abs_high = Larger(-low, high);
    const T total = s[0] + s[1], abs_total = a[0] + a[1], square = q[0] + q[1];
    const bool normal = abs_low >= Limits<T>::kSmallest || abs_low == 0;
    const bool usual = square < Limits<T>::kHugeSquares && abs_high < limit &&
                       (square > Limits<T>::kTinySquares || abs_total == 0) && normal;
    if (!usual) return false;
    range.Add(low, high, abs_low);
    if (bins != nullptr) ForEach<Format>(v, [&](T x) { CountBin(x); });
    negative += signs;
    if (abs_low == 0) {
      // The product is zero, and what is made of the factors does not matter.
      ForEach<Format>(v, [&](T x) { zero += x == 0; });
      if (signs != 0) ForEach<Format>(v, [&](T x) { negative -= IsNegativeZero(x); });
    }
    int factors = kFactors;
    if (abs_low < Limits<T>::kSmallFactor || abs_high > Limits<T>::kLargeFactor) {
      if (abs_low != 0) {
        p = 1;
        top = 0;
        factors = N;
        ForEach<Format>(v, [&](T x) {
          top += TopBits(Magnitude(x));
          p *= Mantissa(x);
        });
      }
    }
    exponent += (int)top - Limits<T>::kBias * factors;
    product *= (double)p;
    TakePowerOfTwo();
    squares += (double)square;

    // Squared distances from the mean, and what is left of the sum beside it. Where the mean is
    // small beside the spread, the square of the one is taken from the other.
    T mean = total / N, rest = 0, spread = square - total * mean;
    if (total * mean > square * T(0.9)) AboutMean<Format, false>(v, mean, &rest, &spread);
    AddMoments(N, mean, rest, spread, pivot, &sum, &distances);
    if (total != abs_total) {
      if (-total == abs_total) {
        mean = -mean;
        rest = -rest;
      } else {
        mean = abs_total / N;
        rest = 0;
        spread = square - abs_total * mean;
        if (abs_total * mean > square * T(0.9)) AboutMean<Format, true>(v, mean, &rest, &spread);
      }
    }
    AddMoments(N, mean, rest, spread, fabs(pivot), &abs_sum, &abs_distances);
    return true;
  }

  template <class Format, class Function>
  __device__ static void ForEach(const uint4 (&v)[Format::kVectors], const Function& function) {
    WARDEN_UNROLL
    for (int i = 0; i < Format::kVectors; ++i) {
      typename Format::T x[Format::kInVector];
      Format::Unpack(Again(v[i]), x);
      WARDEN_UNROLL
      for (int j = 0; j < Format::kInVector; ++j) function(x[j]);
    }
  }

  template <class Format, bool kAbs, class T>
  __device__ static void AboutMean(const uint4 (&v)[Format::kVectors], T mean, T* rest, T* spread) {
    T r = 0, q = 0;
    ForEach<Format>(v, [&](T x) {
      const T distance = (kAbs ? Magnitude(x) : x) - mean;
      r += distance;
      q += distance * distance;
    });
    *rest = r;
    *spread = q;
  }

  // n elements whose sum is n * mean + rest, and the sum of their squared distances from mean.
  __device__ static void AddMoments(int n, double mean, double rest, double spread, double about,
                                    double* total, double* squared) {
    const double distance = mean - about;
    *total += n * mean + rest;
    *squared += spread + distance * (2 * rest + n * distance);
  }
};

// ---- Merging.

__device__ double Merged(unsigned field, double a, double b) {
  if (field < kPartProduct) return a + b;
  if (field == kPartProduct) return a * b;
  return field == kPartMax ? fmax(a, b) : fmin(a, b);
}

__device__ double Neutral(unsigned field) {
  if (field < kPartProduct) return 0;
  if (field == kPartProduct) return 1;
  return field == kPartMax ? -Infinity() : Infinity();
}

struct Shared {
  double fields[kPartFields][kThreads];
  unsigned bins[kExponentBins * kBinCopies];
  bool last;
};

// Writes what all threads of the block have found. Each warp merges some of the fields.
__device__ void WritePart(const Running& r, Shared& shared, double* part) {
  const auto put = [&](unsigned field, double value) { shared.fields[field][threadIdx.x] = value; };
  put(kPartNan, r.nan);
  put(kPartPosInf, r.pos_inf);
  put(kPartNegInf, r.neg_inf);
  put(kPartZero, r.zero);
  put(kPartNegative, r.negative);
  put(kPartSum, r.sum);
  put(kPartAbsSum, r.abs_sum);
  put(kPartSquares, r.squares);
  put(kPartDistances, r.distances);
  put(kPartAbsDistances, r.abs_distances);
  put(kPartExponent, r.exponent);
  put(kPartProduct, r.product);
  put(kPartMin, r.extremes.min);
  put(kPartMax, r.extremes.max);
  put(kPartAbsMin, r.extremes.abs_min);
  __syncthreads();
  const unsigned lane = threadIdx.x % kLanes;
  for (unsigned field = threadIdx.x / kLanes; field < kPartFields; field += kWarps) {
    double value = shared.fields[field][lane];
    for (unsigned i = lane + kLanes; i < kThreads; i += kLanes) {
      value = Merged(field, value, shared.fields[field][i]);
    }
    WARDEN_UNROLL
    for (unsigned distance = kLanes / 2; distance > 0; distance /= 2) {
      value = Merged(field, value, __shfl_xor_sync(0xffffffffu, value, distance));
    }
    if (lane == 0) part[field] = value;
  }
  __syncthreads();
}

__device__ void WriteBins(Shared& shared, u64* histogram) {
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < kExponentBins; bin += kThreads) {
    unsigned count = 0;
    for (unsigned copy = 0; copy < kBinCopies; ++copy) {
      count += shared.bins[bin * kBinCopies + copy];
      shared.bins[bin * kBinCopies + copy] = 0;
    }
    if (count > 0) atomicAdd(&histogram[bin], (u64)count);
  }
  __syncthreads();
}

// ---- A block's share of a tensor: tiles [begin, end) of it.

// Whole tiles of elements side by side. base is aligned to a vector.
template <class Format>
struct Tiles {
  typedef typename Format::T T;
  static constexpr unsigned kElements = Format::kVectors * Format::kInVector;
  static_assert(kElements == (sizeof(T) == 8 ? kDoublesOfThread : kElementsOfThread));

  const unsigned type, size;
  const u64 base;

  __device__ u64 Place(unsigned tile, unsigned vector) const {
    const u64 bytes = (u64)tile * (kThreads * kElements * size);
    return base + bytes + (vector * kThreads + threadIdx.x) * kVectorBytes;
  }

  // The vectors of this thread; elements of 8 bits fill only half of them.
  __device__ void Load(unsigned tile, uint4 (&v)[Format::kVectors]) const {
    WARDEN_UNROLL
    for (int i = 0; i < Format::kVectors; ++i) {
      if (sizeof(T) * 8 > 32 || size > 1 || i < Format::kVectors / 2) {
        v[i] = LoadVector(Place(tile, i));
      }
    }
  }

  // Makes float16 of elements of 8 bits.
  __device__ void Widen(uint4 (&v)[Format::kVectors]) const {
    if (size > 1) return;
    WARDEN_UNROLL
    for (int i = Format::kVectors / 2; i-- > 0;) {
      const uint4 from = v[i];
      uint4 &a = v[2 * i], &b = v[2 * i + 1];
      if (type == kElementFloat8E4M3) {
        WidenE4M3(from.x, &a.x, &a.y);
        WidenE4M3(from.y, &a.z, &a.w);
        WidenE4M3(from.z, &b.x, &b.y);
        WidenE4M3(from.w, &b.z, &b.w);
      } else {
        WidenE5M2(from.x, &a.x, &a.y);
        WidenE5M2(from.y, &a.z, &a.w);
        WidenE5M2(from.z, &b.x, &b.y);
        WidenE5M2(from.w, &b.z, &b.w);
      }
    }
  }

  __device__ void AddTo(Running& r, unsigned begin, unsigned end) const {
    if (begin >= end) return;
    // The next vectors are on their way while these are added, if there are registers for both.
    constexpr bool kAhead = Format::kVectors <= 4;
    const T limit = type == kElementFloat8E4M3 ? T(kE4M3Nan) : InfinityOf(T());
    Extremes<T> range;
    uint4 next[Format::kVectors];
    if (kAhead) Load(begin, next);
    WARDEN_LOOP
    for (unsigned tile = begin; tile < end; ++tile) {
      uint4 v[Format::kVectors];
      if (kAhead) {
        WARDEN_UNROLL
        for (int i = 0; i < Format::kVectors; ++i) v[i] = next[i];
        if (tile + 1 < end) Load(tile + 1, next);
      } else {
        Load(tile, v);
      }
      if (Format::kInVector == 8) Widen(v);
      if (r.Add<Format>(v, limit, range)) continue;
      const unsigned in_vector = kVectorBytes / size;
      WARDEN_LOOP
      for (unsigned i = 0; i < kElements; ++i) {
        r.AddOne(Element(type, Place(tile, i / in_vector), i % in_vector));
      }
    }
    r.extremes.Add(range.min, range.max, range.abs_min);
  }
};

// Elements [begin, stop) of any tensor, one by one.
__device__ void AddOneByOne(Running& r, const TensorEntry& tensor, const StridedLayout* layouts,
                            u64 begin, u64 stop) {
  WARDEN_LOOP
  for (u64 i = begin + threadIdx.x; i < stop; i += kThreads) {
    long long offset = (long long)i;
    if (tensor.layout != 0) {
      const StridedLayout& layout = layouts[tensor.layout - 1];
      u64 rest = i;
      offset = 0;
      for (unsigned dimension = (unsigned)layout.rank; dimension-- > 0;) {
        const u64 size = layout.sizes[dimension];
        // Division of 32 bits is several times faster.
        const u64 above = (rest | size) >> 32 == 0 ? (unsigned)rest / (unsigned)size : rest / size;
        offset += (long long)(rest - above * size) * layout.steps[dimension];
        rest = above;
      }
    }
    r.AddOne(Element(tensor.type, tensor.address, offset));
  }
}

__device__ void AddShare(Running& r, const TensorEntry& tensor, const StridedLayout* layouts,
                         unsigned begin, unsigned end) {
  const unsigned size = SizeOf(tensor.type);
  const u64 share =
      kThreads * (tensor.type == kElementFloat64 ? kDoublesOfThread : kElementsOfThread);
  const bool dense = tensor.layout == 0;
  // Elements of the first vector that belong to somebody else.
  const u64 head = dense ? tensor.address % kVectorBytes / size : 0;
  const u64 positions = head + tensor.count;
  unsigned first = begin, stop = begin;  // Whole tiles.
  if (dense && tensor.type <= kElementFloat64) {
    const unsigned whole = (unsigned)(positions / share);
    first = begin == 0 && head > 0 ? 1 : begin;
    stop = end < whole ? end : whole;
    if (stop < first) stop = first;
    const u64 base = tensor.address - head * size;
    switch (tensor.type) {
      case kElementFloat64:
        Tiles<FormatFloat64>{tensor.type, size, base}.AddTo(r, first, stop);
        break;
      case kElementFloat32:
        Tiles<FormatFloat32>{tensor.type, size, base}.AddTo(r, first, stop);
        break;
      case kElementBFloat16:
        Tiles<FormatBFloat16>{tensor.type, size, base}.AddTo(r, first, stop);
        break;
      default: Tiles<FormatFloat16>{tensor.type, size, base}.AddTo(r, first, stop);
    }
  }
  // What is before and after them.
  WARDEN_LOOP
  for (int side = 0; side < 2; ++side) {
    const u64 from = (side == 0 ? begin : stop) * share, to = (side == 0 ? first : end) * share;
    AddOneByOne(r, tensor, layouts, from < head ? 0 : from - head,
                (to < positions ? to : positions) - (to > head ? head : to));
  }
}

struct Table {
  const TensorEntry* tensors;
  const StridedLayout* layouts;
  const unsigned* first_tiles;

  __device__ Table(const SummaryJob& job) {
    const unsigned char* at = job.table != nullptr ? job.table : job.inline_table;
    tensors = (const TensorEntry*)at;
    layouts = (const StridedLayout*)(tensors + job.tensors);
    first_tiles = (const unsigned*)(layouts + job.layouts);
  }
};

// ---- Rows.

// The first block of which tile is a part: block b has the tiles from tiles * b / blocks on.
__device__ unsigned BlockOf(const SummaryJob& job, unsigned tile) {
  return (unsigned)((((u64)tile + 1) * job.blocks - 1) / job.tiles);
}

__device__ void WriteRow(const double* part, const TensorEntry& tensor, double* row) {
  const double bad = part[kPartNan] + part[kPartPosInf] + part[kPartNegInf];
  const double count = (double)tensor.count, n = count - bad;
  const bool some = n > 0;
  const double k = tensor.count > 0 ? Pivot(tensor) : 0;
  const double distance = part[kPartSum] - n * k, abs_distance = part[kPartAbsSum] - n * fabs(k);
  const double magnitude = some ? fmax(fabs(part[kPartMin]), fabs(part[kPartMax])) : 0;
  double product = 1;
  if (part[kPartZero] > 0) {
    product = 0;
  } else if (some) {
    const double power = fmax(fmin(part[kPartExponent], 5000.0), -5000.0);
    product = scalbn(part[kPartProduct], (int)power);
    if (fmod(part[kPartNegative], 2.0) != 0 && product != 0) product = -product;
  }
  row[0] = count;
  row[1] = part[kPartNan];
  row[2] = part[kPartPosInf];
  row[3] = part[kPartNegInf];
  row[4] = part[kPartZero];
  row[5] = part[kPartNegative];
  row[6] = some ? part[kPartMin] : 0;
  row[7] = some ? part[kPartMax] : 0;
  row[8] = some ? part[kPartAbsMin] : 0;
  row[9] = magnitude;
  row[10] = part[kPartSum];
  row[11] = part[kPartAbsSum];
  row[12] = part[kPartSquares];
  row[13] = sqrt(part[kPartSquares]);
  row[14] = some ? part[kPartSum] / n : 0;
  row[15] = some ? fmax(part[kPartDistances] - distance * (distance / n), 0.0) : 0;
  row[16] = some ? fmax(part[kPartAbsDistances] - abs_distance * (abs_distance / n), 0.0) : 0;
  row[17] = product;
}

// The row of a tensor, from the parts of all blocks. Each group of threads, one for each field,
// merges every so many parts.
constexpr unsigned kGroup = kThreads < 16 ? 1 : 16;
constexpr unsigned kGroups = kThreads / kGroup;
constexpr unsigned kFinishGroups = kFinishThreads / 16 < kGroups ? kFinishThreads / 16 : kGroups;
static_assert(kPartFields <= 16);

template <unsigned kTeams>
__device__ __noinline__ void FinishTensor(const SummaryJob& job, const Table& table, unsigned i,
                                          double (&fields)[kTeams][kPartFields]) {
  const unsigned begin = table.first_tiles[i], end = table.first_tiles[i + 1];
  const unsigned first = begin < end ? BlockOf(job, begin) : 0;
  const unsigned stop = begin < end ? BlockOf(job, end - 1) + 1 : 0;
  const unsigned group = threadIdx.x / kGroup;
  for (unsigned field = threadIdx.x % kGroup; field < kPartFields; field += kGroup) {
    double value = Neutral(field);
    WARDEN_UNROLL_8
    for (unsigned block = first + group; block < stop; block += kTeams) {
      value = Merged(field, value, job.parts[(u64)(block + i) * kPartFields + field]);
    }
    fields[group][field] = value;
  }
  __syncthreads();
  if (threadIdx.x < kTeams) {
    // Products of groups are below 2 to the power of their parts: normalized before they meet.
    double& product = fields[threadIdx.x][kPartProduct];
    fields[threadIdx.x][kPartExponent] += (int)(TopBits(product) & 2047) - kDoubleBias;
    product = Mantissa(product);
  }
  __syncthreads();
  for (unsigned field = threadIdx.x; field < kPartFields; field += kTeams * kGroup) {
    double value = fields[0][field];
    for (unsigned g = 1; g < kTeams; ++g) value = Merged(field, value, fields[g][field]);
    fields[0][field] = value;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const double* part = fields[0];
    WriteRow(part, table.tensors[i], job.rows + (u64)i * kRowFields);
    const bool bad = part[kPartNan] + part[kPartPosInf] + part[kPartNegInf] > 0;
    if (job.first_bad != nullptr && bad) atomicMin(job.first_bad, job.sequence + i);
  }
  __syncthreads();
}

// The last tensor that begins at the tile or before it: the one that has the tile.
__device__ unsigned TensorAt(const unsigned* first_tiles, unsigned tensors, unsigned tile) {
  unsigned low = 0, high = tensors;  // The answer is in [low, high).
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (first_tiles[middle] <= tile)
      low = middle;
    else
      high = middle;
  }
  return low;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(WARDEN_THREADS, WARDEN_BLOCKS)
    WardenSummarize(const __grid_constant__ SummaryJob job) {
  __shared__ Shared shared;
  __shared__ double finished[kGroups][kPartFields];
  const Table table(job);
  unsigned* bins = nullptr;
  if (job.histograms != nullptr) {
    for (unsigned i = threadIdx.x; i < kExponentBins * kBinCopies; i += kThreads) {
      shared.bins[i] = 0;
    }
    bins = shared.bins + threadIdx.x % kBinCopies;
    __syncthreads();
  }
  unsigned tile = (unsigned)((u64)job.tiles * blockIdx.x / job.blocks);
  const unsigned end = (unsigned)((u64)job.tiles * (blockIdx.x + 1) / job.blocks);
  for (unsigned i = TensorAt(table.first_tiles, job.tensors, tile); tile < end; ++i) {
    const unsigned begin = table.first_tiles[i], next = table.first_tiles[i + 1];
    if (next <= tile) continue;
    const unsigned stop = next < end ? next : end;
    double* part = job.parts + (u64)(blockIdx.x + i) * kPartFields;
    const TensorEntry tensor = table.tensors[i];
    Running running(Pivot(tensor), bins);
    AddShare(running, tensor, table.layouts, tile - begin, stop - begin);
    WritePart(running, shared, part);
    if (bins != nullptr) WriteBins(shared, job.histograms + (u64)i * kExponentBins);
    tile = stop;
  }
  if (job.tensors > kMostFinishedAtOnce) return;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) shared.last = atomicAdd(job.ticket, 1u) == job.blocks - 1;
  __syncthreads();
  if (!shared.last) return;
  __threadfence();
  for (unsigned i = 0; i < job.tensors; ++i) FinishTensor<kGroups>(job, table, i, finished);
  if (threadIdx.x == 0) *job.ticket = 0;
}

// kFinishThreads threads.
extern "C" __global__ void WardenFinish(const __grid_constant__ SummaryJob job) {
  __shared__ double finished[kFinishGroups][kPartFields];
  const Table table(job);
  for (unsigned i = blockIdx.x; i < job.tensors; i += gridDim.x) {
    FinishTensor<kFinishGroups>(job, table, i, finished);
  }
}
