#ifndef WARDEN_STATS_CUDA_SUMMARY_KERNEL_H_
#define WARDEN_STATS_CUDA_SUMMARY_KERNEL_H_

namespace warden::stats::cuda {

// The source of DeviceSummary's kernels: one for each type of element, all with the arguments data,
// count, row and scratch. A separate header, so that the code that launches stays readable.
//
// CUDA C++, compiled where it runs. A block sums up its share of the elements in double precision;
// the block that finishes last merges what all have found, in their order, and writes the row. Both
// moments are taken about the first element, which keeps their digits where the spread is small
// beside the mean.
inline constexpr char kSummaryKernel[] = R"cuda(
typedef unsigned long long u64;
constexpr int kThreads = 256;

// What is known of some elements. Differences are those from k, and from |k| for absolute values.
struct Part {
  double n, nan, pos_inf, neg_inf, zero, negative;
  double min, max, abs_min, abs_max;
  double sum, abs_sum, squared_differences, squared_abs_differences;
  double prod, exponent;  // The product of all but zeros, as prod times a power of two.
};

__device__ double Infinity() { return __longlong_as_double(0x7ff0000000000000LL); }
__device__ float FloatInfinity() { return __int_as_float(0x7f800000); }

// Takes the power of two out of a product, so that it neither overflows nor vanishes on the way.
__device__ void Normalize(double& prod, double& exponent) {
  int high = __double2hiint(prod), power = (high >> 20) & 0x7ff;
  if (power == 0) return;
  exponent += power - 1023;
  prod = __hiloint2double((high & 0x800fffff) | 0x3ff00000, __double2loint(prod));
}

// The same while a thread goes through its elements: T is float unless they are double, and counts
// are whole numbers, for these cost less.
template <class T>
struct Running {
  unsigned n = 0, nan = 0, pos_inf = 0, neg_inf = 0, zero = 0, negative = 0;
  T min, max, abs_min, abs_max;
  double sum = 0, abs_sum = 0, squared = 0, abs_squared = 0, prod = 1, exponent = 0;

  __device__ Running(T infinity) : min(infinity), max(-infinity), abs_min(infinity), abs_max(0) {}

  __device__ void Add(T x, T infinity, double k, double abs_k) {
    ++n;
    T a = x < 0 ? -x : x;
    if (!(a < infinity)) {
      if (x != x) ++nan; else if (x > 0) ++pos_inf; else ++neg_inf;
      return;
    }
    zero += x == 0;
    negative += x < 0;
    min = x < min ? x : min;
    max = x > max ? x : max;
    abs_min = a < abs_min ? a : abs_min;
    abs_max = a > abs_max ? a : abs_max;
    double wide = x, abs_wide = a, d = wide - k, b = abs_wide - abs_k;
    sum += wide;
    abs_sum += abs_wide;
    squared += d * d;
    abs_squared += b * b;
    if (x != 0) prod *= wide;
    // Four floats fit, two doubles may not.
    if (sizeof(T) == sizeof(double)) Normalize(prod, exponent);
  }

  __device__ Part Whole() const {
    Part p;
    p.n = n; p.nan = nan; p.pos_inf = pos_inf; p.neg_inf = neg_inf;
    p.zero = zero; p.negative = negative;
    p.min = min; p.max = max; p.abs_min = abs_min; p.abs_max = abs_max;
    p.sum = sum; p.abs_sum = abs_sum;
    p.squared_differences = squared; p.squared_abs_differences = abs_squared;
    p.prod = prod; p.exponent = exponent;
    return p;
  }
};

__device__ Part Nothing() { return Running<double>(Infinity()).Whole(); }

__device__ void Merge(Part& p, const Part& q) {
  p.n += q.n; p.nan += q.nan; p.pos_inf += q.pos_inf; p.neg_inf += q.neg_inf;
  p.zero += q.zero; p.negative += q.negative;
  p.min = fmin(p.min, q.min); p.max = fmax(p.max, q.max);
  p.abs_min = fmin(p.abs_min, q.abs_min); p.abs_max = fmax(p.abs_max, q.abs_max);
  p.sum += q.sum; p.abs_sum += q.abs_sum;
  p.squared_differences += q.squared_differences;
  p.squared_abs_differences += q.squared_abs_differences;
  p.prod *= q.prod;
  p.exponent += q.exponent;
  Normalize(p.prod, p.exponent);
}

__device__ Part Shuffled(const Part& p, int distance) {
  Part q;
  const double* from = (const double*)&p;
  double* to = (double*)&q;
  for (int i = 0; i < (int)(sizeof(Part) / sizeof(double)); ++i) {
    to[i] = __shfl_down_sync(0xffffffffu, from[i], distance);
  }
  return q;
}

// The first thread gets what all threads of the block have.
__device__ Part OfBlock(Part p) {
  __shared__ Part parts[kThreads / 32];
  for (int distance = 16; distance > 0; distance /= 2) Merge(p, Shuffled(p, distance));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = p;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < kThreads / 32; ++i) Merge(p, parts[i]);
  }
  return p;
}

__device__ void Write(const Part& p, double k, double* row) {
  double n = p.n - p.nan - p.pos_inf - p.neg_inf;
  bool some = n > 0;
  double d = p.sum - n * k, b = p.abs_sum - n * fabs(k);
  double squares = some ? p.squared_differences + 2 * k * d + n * k * k : 0;
  row[0] = p.n; row[1] = p.nan; row[2] = p.pos_inf; row[3] = p.neg_inf;
  row[4] = p.zero; row[5] = p.negative;
  row[6] = some ? p.min : 0; row[7] = some ? p.max : 0;
  row[8] = some ? p.abs_min : 0; row[9] = p.abs_max;
  row[10] = p.sum; row[11] = p.abs_sum; row[12] = squares; row[13] = sqrt(fmax(squares, 0.0));
  row[14] = some ? p.sum / n : 0;
  row[15] = some ? fmax(p.squared_differences - d * d / n, 0.0) : 0;
  row[16] = some ? fmax(p.squared_abs_differences - b * b / n, 0.0) : 0;
  row[17] = p.zero > 0 ? 0 : scalbn(p.prod, (int)fmax(fmin(p.exponent, 5000.0), -5000.0));
}

__device__ float Value(const float* data, u64 i) { return data[i]; }
__device__ double Value(const double* data, u64 i) { return data[i]; }
struct Half { unsigned short bits; };
struct Brain { unsigned short bits; };
__device__ float Value(const Half* data, u64 i) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(data[i].bits));
  return value;
}
__device__ float Value(const Brain* data, u64 i) {
  return __uint_as_float((unsigned)data[i].bits << 16);
}

__device__ float InfinityOf(float) { return FloatInfinity(); }
__device__ double InfinityOf(double) { return Infinity(); }

template <class T>
__device__ void Summarize(const T* data, u64 count, double* row, unsigned* ticket) {
  const auto first = Value(data, 0);
  const auto infinity = InfinityOf(first);
  double k = first < infinity && -first < infinity ? (double)first : 0.0, abs_k = fabs(k);
  auto running = Running<decltype(Value(data, 0))>(infinity);
  u64 stride = (u64)gridDim.x * kThreads;
  u64 i = (u64)blockIdx.x * kThreads + threadIdx.x;
  for (; i + 3 * stride < count; i += 4 * stride) {
    auto x0 = Value(data, i), x1 = Value(data, i + stride);
    auto x2 = Value(data, i + 2 * stride), x3 = Value(data, i + 3 * stride);
    running.Add(x0, infinity, k, abs_k);
    running.Add(x1, infinity, k, abs_k);
    running.Add(x2, infinity, k, abs_k);
    running.Add(x3, infinity, k, abs_k);
    Normalize(running.prod, running.exponent);
  }
  for (; i < count; i += stride) running.Add(Value(data, i), infinity, k, abs_k);
  Normalize(running.prod, running.exponent);
  Part part = running.Whole();
  part = OfBlock(part);
  if (gridDim.x == 1) {
    if (threadIdx.x == 0) Write(part, k, row);
    return;
  }
  Part* parts = (Part*)(ticket + 4);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = part;
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  Part whole = Nothing();
  for (unsigned block = threadIdx.x; block < gridDim.x; block += kThreads) {
    Merge(whole, parts[block]);
  }
  __syncthreads();
  whole = OfBlock(whole);
  if (threadIdx.x == 0) {
    Write(whole, k, row);
    *ticket = 0;
  }
}

extern "C" __global__ void SummarizeFloat32(const float* d, u64 n, double* r, unsigned* t) {
  Summarize(d, n, r, t);
}
extern "C" __global__ void SummarizeFloat64(const double* d, u64 n, double* r, unsigned* t) {
  Summarize(d, n, r, t);
}
extern "C" __global__ void SummarizeFloat16(const Half* d, u64 n, double* r, unsigned* t) {
  Summarize(d, n, r, t);
}
extern "C" __global__ void SummarizeBFloat16(const Brain* d, u64 n, double* r, unsigned* t) {
  Summarize(d, n, r, t);
}
)cuda";

}  // namespace warden::stats::cuda

#endif  // WARDEN_STATS_CUDA_SUMMARY_KERNEL_H_
