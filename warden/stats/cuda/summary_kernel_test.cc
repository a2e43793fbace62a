// The kernels on the host: summary_kernel.cu compiled as C++, with one thread in a block, blocks
// one after the other. What only a GPU can show is in python/tests/pytorch/cuda_test.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "warden/stats/cuda/device_summaries.h"
#include "warden/stats/cuda/summary_table.h"
#include "warden/stats/tensor_for_test.h"

namespace warden::stats::cuda::on_host {
namespace {

struct uint4 {
  unsigned x, y, z, w;
};
struct {
  unsigned x = 0;
} threadIdx, blockIdx, gridDim;

float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
double __longlong_as_double(long long bits) { return std::bit_cast<double>(bits); }
double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(static_cast<uint64_t>(static_cast<unsigned>(high)) << 32 |
                               static_cast<unsigned>(low));
}
int __double2hiint(double value) { return static_cast<int>(std::bit_cast<uint64_t>(value) >> 32); }
int __double2loint(double value) { return static_cast<int>(std::bit_cast<uint64_t>(value)); }
template <class T>
T __shfl_xor_sync(unsigned, T value, unsigned) {
  return value;
}
template <class T>
T atomicAdd(T* target, T value) {
  const T before = *target;
  *target += value;
  return before;
}
void atomicMin(unsigned long long* target, unsigned long long value) {
  *target = std::min(*target, value);
}
void __syncthreads() {}
void __threadfence() {}
float WideHalf(unsigned short bits) { return static_cast<float>(ToDouble(stats::Float16{bits})); }
unsigned AndOr(unsigned a, unsigned b, unsigned c) { return (a & b) | c; }
uint4 Again(uint4 vector) { return vector; }
// Two elements at a time.
template <class Pair, class Function>
unsigned ForPairs(unsigned a, unsigned b, const Function& function) {
  const auto half = [&](int shift) {
    const Pair x{static_cast<uint16_t>(a >> shift)};
    const Pair y{static_cast<uint16_t>(b >> shift)};
    return static_cast<unsigned>(function(x, y).bits) << shift;
  };
  return half(0) | half(16);
}
template <class Pair>
Pair SmallerOf(Pair x, Pair y) {
  return ToDouble(x) <= ToDouble(y) || std::isnan(ToDouble(y)) ? x : y;
}
template <class Pair>
Pair LargerOf(Pair x, Pair y) {
  return ToDouble(x) >= ToDouble(y) || std::isnan(ToDouble(y)) ? x : y;
}
using HostHalf = stats::Float16;
using HostBrain = stats::BFloat16;
unsigned SmallerHalves(unsigned a, unsigned b) {
  return ForPairs<HostHalf>(a, b, SmallerOf<HostHalf>);
}
unsigned LargerHalves(unsigned a, unsigned b) {
  return ForPairs<HostHalf>(a, b, LargerOf<HostHalf>);
}
unsigned SmallerBrains(unsigned a, unsigned b) {
  return ForPairs<HostBrain>(a, b, SmallerOf<HostBrain>);
}
unsigned LargerBrains(unsigned a, unsigned b) {
  return ForPairs<HostBrain>(a, b, LargerOf<HostBrain>);
}
unsigned TimesHalves(unsigned a, unsigned b) {
  return ForPairs<HostHalf>(
      a, b, [](HostHalf x, HostHalf y) { return FromDouble<HostHalf>(ToDouble(x) * ToDouble(y)); });
}
uint4 LoadVector(unsigned long long address) {
  EXPECT_EQ(address % sizeof(uint4), 0U);
  uint4 vector;
  std::memcpy(&vector, reinterpret_cast<const void*>(address), sizeof(vector));
  return vector;
}

}  // namespace

// NOLINTBEGIN: the language is CUDA's.
#define WARDEN_ON_HOST
#define WARDEN_UNROLL
#define WARDEN_UNROLL_8
#define WARDEN_LOOP
#define WARDEN_THREADS 1
#define __device__
#define __global__
#define __shared__ static
#define __noinline__
#define __grid_constant__
#define __launch_bounds__(...)
#include "warden/stats/cuda/summary_kernel.cu"
#undef WARDEN_UNROLL
#undef WARDEN_UNROLL_8
#undef WARDEN_LOOP
#undef __device__
#undef __global__
#undef __shared__
#undef __noinline__
#undef __grid_constant__
#undef __launch_bounds__
// NOLINTEND

namespace {

struct Results {
  std::vector<Summary> summaries;
  std::vector<Exponents> exponents;
  uint64_t first_bad = ~uint64_t{0};
};

// As DeviceSummaries::Launch does it.
Results RunOnHost(const std::vector<DeviceTensor>& tensors, unsigned most_blocks) {
  SummaryTable table(1);
  for (const DeviceTensor& tensor : tensors) EXPECT_TRUE(table.Add(tensor).ok());
  std::vector<uint64_t> memory(table.bytes() / sizeof(uint64_t) + 1);
  table.Write(reinterpret_cast<std::byte*>(memory.data()));
  Results results;
  unsigned ticket = 0;
  SummaryJob job = {};
  job.tensors = table.tensors();
  job.layouts = table.layouts();
  job.tiles = table.tiles();
  job.blocks = std::clamp(job.tiles, 1U, most_blocks);
  job.table = reinterpret_cast<const unsigned char*>(memory.data());
  job.ticket = &ticket;
  // What no block has written must not be read.
  std::vector<double> parts((job.blocks + tensors.size()) * kPartFields, kNaN);
  std::vector<double> rows(tensors.size() * kRowDoubles, kNaN);
  std::vector<unsigned long long> histograms(tensors.size() * kExponentBins);
  unsigned long long first_bad = ~0ULL;
  job.parts = parts.data();
  job.rows = rows.data();
  job.histograms = histograms.data();
  job.first_bad = &first_bad;
  job.sequence = 100;
  for (blockIdx.x = 0; blockIdx.x < job.blocks; ++blockIdx.x) WardenSummarize(job);
  blockIdx.x = 0;
  gridDim.x = 1;
  if (job.tensors > kMostFinishedAtOnce) WardenFinish(job);
  EXPECT_EQ(ticket, 0U);
  for (size_t i = 0; i < tensors.size(); ++i) {
    results.summaries.push_back(SummaryFromRow(&rows[i * kRowDoubles]));
    const std::vector<uint64_t> bins(&histograms[i * kExponentBins],
                                     &histograms[i * kExponentBins] + kExponentBins);
    results.exponents.push_back(ExponentsFromHistogram(bins.data()));
  }
  results.first_bad = first_bad;
  return results;
}

void ExpectNear(double found, double expected, double tolerance, const char* what) {
  if (std::isnan(expected) || std::isinf(expected) || expected == found) {
    EXPECT_EQ(std::bit_cast<uint64_t>(found), std::bit_cast<uint64_t>(expected)) << what;
    return;
  }
  EXPECT_LE(std::abs(found - expected), tolerance) << what << ": " << found << ", " << expected;
}

void ExpectSame(const Summary& found, const Summary& expected) {
  EXPECT_EQ(found.count, expected.count);
  EXPECT_EQ(found.nan_count, expected.nan_count);
  EXPECT_EQ(found.pos_inf_count, expected.pos_inf_count);
  EXPECT_EQ(found.neg_inf_count, expected.neg_inf_count);
  EXPECT_EQ(found.zero_count, expected.zero_count);
  EXPECT_EQ(found.negative_count, expected.negative_count);
  EXPECT_EQ(found.min, expected.min);
  EXPECT_EQ(found.max, expected.max);
  EXPECT_EQ(found.abs_min, expected.abs_min);
  EXPECT_EQ(found.abs_max, expected.abs_max);
  constexpr double kDigits = 2e-6;
  ExpectNear(found.sum, expected.sum, kDigits * expected.abs_sum, "sum");
  ExpectNear(found.abs_sum, expected.abs_sum, kDigits * expected.abs_sum, "abs_sum");
  ExpectNear(found.sum_squares, expected.sum_squares, kDigits * expected.sum_squares, "squares");
  ExpectNear(found.l2, expected.l2, kDigits * expected.l2, "l2");
  ExpectNear(found.mean, expected.mean, kDigits * expected.abs_max, "mean");
  ExpectNear(found.m2, expected.m2, kDigits * expected.m2, "m2");
  ExpectNear(found.abs_m2, expected.abs_m2, kDigits * expected.abs_m2, "abs_m2");
  ExpectNear(found.prod, expected.prod, 1e-5 * std::abs(expected.prod), "prod");
}

// Elements in memory that is aligned as a GPU's is, so many elements off.
class Aligned {
 public:
  Aligned(DType dtype, const std::vector<double>& values, size_t elements_off = 0) {
    const TestTensor tensor(dtype, values);
    const TensorRef ref = tensor.ref();
    const size_t off = elements_off * DTypeSize(dtype);
    memory_.resize((off + ref.byte_size()) / 16 + 2);
    void* place = reinterpret_cast<std::byte*>(memory_.data()) + off;
    if (ref.byte_size() > 0) std::memcpy(place, ref.data, ref.byte_size());
    shape_ = static_cast<int64_t>(values.size());
    host = {place, dtype, std::span(&shape_, 1)};
    device = {reinterpret_cast<Address>(place), values.size(), *ElementTypeOf(dtype), {}, {}};
  }
  Aligned(const Aligned&) = delete;
  Aligned& operator=(const Aligned&) = delete;

  TensorRef host;
  DeviceTensor device;

 private:
  struct alignas(16) Vector {
    std::byte bytes[16];
  };
  std::vector<Vector> memory_;
  int64_t shape_ = 0;
};

std::vector<double> Normal(size_t count, double mean, double deviation, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(mean, deviation);
  std::vector<double> values(count);
  for (double& value : values) value = normal(random);
  return values;
}

void ExpectAsOnTheHost(const Aligned& tensor, unsigned blocks) {
  const Results results = RunOnHost({tensor.device}, blocks);
  ExpectSame(results.summaries[0], Summarize(tensor.host).value());
  EXPECT_EQ(results.exponents[0].bins, CountExponents(tensor.host).value().bins);
}

TEST(SummaryKernel, FloatsOfAllSizesAndStarts) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat16, DType::kBFloat16, DType::kFloat64}) {
    SCOPED_TRACE(DTypeName(dtype));
    for (const size_t count : {1, 2, 7, 31, 32, 33, 100, 1000, 4099}) {
      for (const size_t off : {0, 1, 3, 7}) {
        SCOPED_TRACE(testing::Message() << count << " elements, " << off << " off");
        ExpectAsOnTheHost({dtype, Normal(count, 0.01, 1, 1), off}, 1);
        ExpectAsOnTheHost({dtype, Normal(count, 0.01, 1, 2), off}, 5);
      }
    }
  }
}

TEST(SummaryKernel, TheMeanMayBeLargeBesideTheSpread) {
  ExpectAsOnTheHost({DType::kFloat32, Normal(5000, 100, 3, 1)}, 3);
  ExpectAsOnTheHost({DType::kFloat32, Normal(5000, -100, 0.01, 2)}, 3);
  ExpectAsOnTheHost({DType::kFloat64, Normal(5000, 1e6, 1e-3, 3)}, 3);
  std::vector<double> mixed = Normal(5000, 100, 3, 4);
  for (size_t i = 0; i < mixed.size(); i += 3) mixed[i] = -mixed[i];
  ExpectAsOnTheHost({DType::kFloat32, mixed}, 3);
  ExpectAsOnTheHost({DType::kFloat32, std::vector<double>(5000, 0.1)}, 3);
  // The pivot is far from all others.
  std::vector<double> outlier = Normal(5000, 1, 1e-3, 5);
  outlier[0] = 0;
  ExpectAsOnTheHost({DType::kFloat32, outlier}, 3);
}

TEST(SummaryKernel, ZerosAndSigns) {
  std::vector<double> values = Normal(3000, 0, 1, 1);
  for (double& value : values) value = std::max(value, 0.0);
  ExpectAsOnTheHost({DType::kBFloat16, values}, 2);
  for (size_t i = 0; i < values.size(); i += 2) values[i] = -0.0;
  ExpectAsOnTheHost({DType::kFloat32, values}, 2);
  ExpectAsOnTheHost({DType::kFloat32, std::vector<double>(100, 0.0)}, 2);
  ExpectAsOnTheHost({DType::kFloat32, std::vector<double>(100, -0.0)}, 2);
}

TEST(SummaryKernel, ProductsThatFit) {
  ExpectAsOnTheHost({DType::kFloat32, std::vector<double>(10'000, 1.0)}, 4);
  ExpectAsOnTheHost({DType::kFloat32, Normal(2000, 1, 0.01, 1)}, 4);
  ExpectAsOnTheHost({DType::kFloat64, Normal(2000, -1, 0.01, 2)}, 4);
  ExpectAsOnTheHost({DType::kFloat32, {-2, 3, -0.5, -7}}, 4);
}

TEST(SummaryKernel, NotFinite) {
  std::vector<double> values = Normal(2000, 0, 1, 1);
  values[7] = kNaN;
  values[800] = kInf;
  values[801] = -kInf;
  values[1999] = kNaN;
  for (const DType dtype : {DType::kFloat32, DType::kFloat16, DType::kFloat64}) {
    ExpectAsOnTheHost({dtype, values}, 3);
  }
  ExpectAsOnTheHost({DType::kFloat32, std::vector<double>(70, kNaN)}, 3);
}

TEST(SummaryKernel, SquaresOutOfRange) {
  for (const double scale : {1e30, 1e-30, 1e-42}) {
    ExpectAsOnTheHost({DType::kFloat32, Normal(500, 0, scale, 1)}, 3);
  }
  std::vector<double> mixed = Normal(500, 0, 1, 2);
  for (size_t i = 0; i < 100; ++i) mixed[i] *= 1e-41;
  ExpectAsOnTheHost({DType::kFloat32, mixed}, 3);
  // Subnormals of float16.
  ExpectAsOnTheHost({DType::kFloat16, Normal(500, 0, 1e-6, 3)}, 3);
}

TEST(SummaryKernel, Integers) {
  for (const DType dtype : {DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64,
                            DType::kUInt8, DType::kUInt16, DType::kUInt32, DType::kUInt64}) {
    SCOPED_TRACE(DTypeName(dtype));
    std::vector<double> values;
    for (int i = 0; i < 777; ++i) values.push_back(i % 101);
    ExpectAsOnTheHost({dtype, values, 1}, 3);
  }
  ExpectAsOnTheHost({DType::kBool, {1, 0, 1, 1, 0}}, 3);
  ExpectAsOnTheHost({DType::kInt64, {-1e15, 3, 1e18}}, 3);
}

TEST(SummaryKernel, Float8) {
  // Every value of the types: 7 exponents below 1, 3 digits; 15 below 1, 2 digits.
  std::vector<uint8_t> bytes(256 + 16);
  uint8_t* data = bytes.data() + (16 - reinterpret_cast<Address>(bytes.data()) % 16) % 16;
  for (int i = 0; i < 256; ++i) data[i] = static_cast<uint8_t>(i);
  const auto address = reinterpret_cast<Address>(data);
  const Results results = RunOnHost({{address, 256, kElementFloat8E4M3, {}, {}},
                                     {address, 256, kElementFloat8E5M2, {}, {}},
                                     {address + 0x38, 1, kElementFloat8E4M3, {}, {}},
                                     {address + 0x01, 1, kElementFloat8E4M3, {}, {}},
                                     {address + 0xc1, 1, kElementFloat8E5M2, {}, {}}},
                                    2);
  const Summary& e4m3 = results.summaries[0];
  EXPECT_EQ(e4m3.nan_count, 2U);
  EXPECT_EQ(e4m3.inf_count(), 0U);
  EXPECT_EQ(e4m3.zero_count, 2U);
  EXPECT_EQ(e4m3.negative_count, 126U);
  EXPECT_EQ(e4m3.max, 448);
  EXPECT_EQ(e4m3.sum, 0);
  const Summary& e5m2 = results.summaries[1];
  EXPECT_EQ(e5m2.nan_count, 6U);
  EXPECT_EQ(e5m2.inf_count(), 2U);
  EXPECT_EQ(e5m2.max, 57344);
  EXPECT_EQ(results.summaries[2].sum, 1);
  EXPECT_EQ(results.summaries[3].sum, 0x1p-9);
  EXPECT_EQ(results.summaries[4].sum, -2.5);
}

TEST(SummaryKernel, ManyTensorsOfAllSizesInOneLaunch) {
  std::deque<Aligned> tensors;
  std::vector<DeviceTensor> devices;
  for (unsigned i = 0; i < 60; ++i) {
    const size_t count = i % 7 == 3 ? 0 : (i * 37) % 400;
    const DType dtype = i % 3 == 0   ? DType::kBFloat16
                        : i % 3 == 1 ? DType::kFloat32
                                     : DType::kInt32;
    devices.push_back(tensors.emplace_back(dtype, Normal(count, 3, 2, i), i % 5).device);
  }
  for (const unsigned blocks : {1U, 2U, 7U, 64U, 1000U}) {
    const Results results = RunOnHost(devices, blocks);
    for (size_t i = 0; i < tensors.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "tensor " << i << ", blocks " << blocks);
      ExpectSame(results.summaries[i], Summarize(tensors[i].host).value());
    }
    EXPECT_EQ(results.first_bad, ~uint64_t{0});
  }
}

TEST(SummaryKernel, TheFirstTensorThatIsNotFinite) {
  const Aligned fine(DType::kFloat32, {1, 2, 3});
  const Aligned bad(DType::kFloat32, {1, kInf, 3});
  const Aligned worse(DType::kBFloat16, {kNaN});
  EXPECT_EQ(RunOnHost({fine.device, bad.device, worse.device}, 4).first_bad, 101U);
  EXPECT_EQ(RunOnHost(std::vector<DeviceTensor>(20, worse.device), 4).first_bad, 100U);
}

TEST(SummaryKernel, EmptyTensors) {
  const Results results =
      RunOnHost({{0, 0, kElementFloat32, {}, {}}, {0, 0, kElementInt8, {}, {}}}, 4);
  for (const Summary& summary : results.summaries) {
    EXPECT_EQ(summary.count, 0U);
    EXPECT_EQ(summary.prod, 1);
    EXPECT_EQ(summary.max, 0);
  }
}

TEST(SummaryKernel, Strided) {
  // Columns 1 to 3 of 40 rows of 8, every second row, and each thrice.
  const Aligned all(DType::kFloat32, Normal(40 * 8, 1, 1, 1));
  std::vector<double> chosen;
  const auto* values = static_cast<const float*>(all.host.data);
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (size_t row = 0; row < 40; row += 2) {
      for (size_t column = 1; column < 4; ++column) chosen.push_back(values[row * 8 + column]);
    }
  }
  const Aligned expected(DType::kFloat32, chosen);
  const std::vector<int64_t> sizes = {3, 20, 3};
  const std::vector<int64_t> steps = {0, 16, 1};
  const DeviceTensor strided{all.device.data + sizeof(float), 180, kElementFloat32, sizes, steps};
  const Results results = RunOnHost({strided, all.device, strided}, 3);
  ExpectSame(results.summaries[0], Summarize(expected.host).value());
  ExpectSame(results.summaries[1], Summarize(all.host).value());
  ExpectSame(results.summaries[2], Summarize(expected.host).value());
}

}  // namespace
}  // namespace warden::stats::cuda::on_host
