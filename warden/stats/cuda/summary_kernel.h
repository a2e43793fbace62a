#ifndef WARDEN_STATS_CUDA_SUMMARY_KERNEL_H_
#define WARDEN_STATS_CUDA_SUMMARY_KERNEL_H_

namespace warden::stats::cuda {

// CUDA C++, compiled where it runs. A block sums up its share of the elements in double precision;
// the block that finishes last merges what all have found, in their order, and writes the row. Both
// moments are taken about the first element, which keeps their digits where the spread is small
// beside the mean.
inline constexpr char kSummaryKernel[] = R"cuda(
typedef unsigned long long u64;
constexpr int kThreads = 256;

struct Part {
  double n, nan, pos_inf, neg_inf, zero, negative;
  double min, max, abs_min, abs_max;
  double sum, abs_sum, squares;
  double d1, d2;          // Of x - k: their sum and the sum of their squares.
  double a1, a2;          // Of |x| - |k|.
  double prod;
};

__device__ double Infinity() { return __longlong_as_double(0x7ff0000000000000LL); }

__device__ Part Nothing() {
  Part p;
  p.n = p.nan = p.pos_inf = p.neg_inf = p.zero = p.negative = 0;
  p.min = p.abs_min = Infinity();
  p.max = -Infinity();
  p.abs_max = 0;
  p.sum = p.abs_sum = p.squares = p.d1 = p.d2 = p.a1 = p.a2 = 0;
  p.prod = 1;
  return p;
}

__device__ void Add(Part& p, double x, double k) {
  p.n += 1;
  if (x != x) { p.nan += 1; return; }
  double a = fabs(x);
  if (a == Infinity()) { if (x > 0) p.pos_inf += 1; else p.neg_inf += 1; return; }
  p.zero += x == 0;
  p.negative += x < 0;
  p.min = fmin(p.min, x);
  p.max = fmax(p.max, x);
  p.abs_min = fmin(p.abs_min, a);
  p.abs_max = fmax(p.abs_max, a);
  p.sum += x;
  p.abs_sum += a;
  p.squares += x * x;
  double d = x - k, b = a - fabs(k);
  p.d1 += d;
  p.d2 += d * d;
  p.a1 += b;
  p.a2 += b * b;
  p.prod *= x;
}

__device__ void Merge(Part& p, const Part& q) {
  p.n += q.n; p.nan += q.nan; p.pos_inf += q.pos_inf; p.neg_inf += q.neg_inf;
  p.zero += q.zero; p.negative += q.negative;
  p.min = fmin(p.min, q.min); p.max = fmax(p.max, q.max);
  p.abs_min = fmin(p.abs_min, q.abs_min); p.abs_max = fmax(p.abs_max, q.abs_max);
  p.sum += q.sum; p.abs_sum += q.abs_sum; p.squares += q.squares;
  p.d1 += q.d1; p.d2 += q.d2; p.a1 += q.a1; p.a2 += q.a2;
  p.prod *= q.prod;
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

__device__ void Write(const Part& p, double* row) {
  double finite = p.n - p.nan - p.pos_inf - p.neg_inf;
  bool some = finite > 0;
  row[0] = p.n; row[1] = p.nan; row[2] = p.pos_inf; row[3] = p.neg_inf;
  row[4] = p.zero; row[5] = p.negative;
  row[6] = some ? p.min : 0; row[7] = some ? p.max : 0;
  row[8] = some ? p.abs_min : 0; row[9] = p.abs_max;
  row[10] = p.sum; row[11] = p.abs_sum; row[12] = p.squares; row[13] = sqrt(p.squares);
  row[14] = some ? p.sum / finite : 0;
  row[15] = some ? fmax(p.d2 - p.d1 * p.d1 / finite, 0.0) : 0;
  row[16] = some ? fmax(p.a2 - p.a1 * p.a1 / finite, 0.0) : 0;
  row[17] = p.prod;
}

__device__ double Value(const float* data, u64 i) { return data[i]; }
__device__ double Value(const double* data, u64 i) { return data[i]; }
struct Half { unsigned short bits; };
struct Brain { unsigned short bits; };
__device__ double Value(const Half* data, u64 i) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(data[i].bits));
  return value;
}
__device__ double Value(const Brain* data, u64 i) {
  return __uint_as_float((unsigned)data[i].bits << 16);
}

template <class T>
__device__ void Summarize(const T* data, u64 count, double* row, unsigned* ticket) {
  double k = Value(data, 0);
  if (!(fabs(k) < Infinity())) k = 0;
  Part part = Nothing();
  u64 stride = (u64)gridDim.x * kThreads;
  u64 i = (u64)blockIdx.x * kThreads + threadIdx.x;
  for (; i + 3 * stride < count; i += 4 * stride) {
    double x0 = Value(data, i), x1 = Value(data, i + stride);
    double x2 = Value(data, i + 2 * stride), x3 = Value(data, i + 3 * stride);
    Add(part, x0, k); Add(part, x1, k); Add(part, x2, k); Add(part, x3, k);
  }
  for (; i < count; i += stride) Add(part, Value(data, i), k);
  part = OfBlock(part);
  if (gridDim.x == 1) {
    if (threadIdx.x == 0) Write(part, row);
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
    Write(whole, row);
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
