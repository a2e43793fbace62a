// All 18 reductions of a tensor in one call, beside a pass that only reads the same memory.
//   bench_reductions [--mib N] [--json] [VARIANT...]
#include <CLI/CLI.hpp>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "bench/bench_program.h"
#include "bench/read_pass.h"
#include "warden/base/dtype.h"
#include "warden/stats/histogram.h"
#include "warden/stats/quantile.h"
#include "warden/stats/reductions.h"
#include "warden/stats/summary.h"

namespace warden::bench {
namespace {

using stats::TensorRef;

// Elements that differ; a tensor repeats them. Too many for a branch predictor to learn.
constexpr size_t kDistinct = size_t{1} << 20;

struct Tensor {
  DType dtype;
  std::vector<int64_t> shape;
  std::vector<std::byte> data;

  TensorRef ref() const { return {data.data(), dtype, shape}; }
};

// Good for what a normal distribution gives: nothing large; what is very small becomes zero.
uint16_t Float16Bits(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t exponent = bits >> 23 & 0xFF;
  if (exponent <= 112) return static_cast<uint16_t>(sign);
  return static_cast<uint16_t>(sign | (exponent - 112) << 10 | (bits >> 13 & 0x3FF));
}

uint16_t BFloat16Bits(float value) {
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16);
}

void PutElement(float value, DType dtype, std::byte* out) {
  const auto put = [out](auto element) { std::memcpy(out, &element, sizeof(element)); };
  if (dtype == DType::kFloat32) put(value);
  if (dtype == DType::kFloat64) put(double{value});
  if (dtype == DType::kInt32) put(static_cast<int32_t>(1000 * value));
  if (dtype == DType::kFloat16) put(Float16Bits(value));
  if (dtype == DType::kBFloat16) put(BFloat16Bits(value));
}

// Of normally distributed values.
Tensor MakeTensor(DType dtype, size_t bytes) {
  const size_t element = DTypeSize(dtype);
  const size_t count = bytes / element;
  Tensor tensor{dtype, {static_cast<int64_t>(count)}, std::vector<std::byte>(count * element)};
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  const size_t distinct = std::min(count, kDistinct);
  for (size_t i = 0; i < distinct; ++i) {
    PutElement(normal(random), dtype, tensor.data.data() + i * element);
  }
  for (size_t i = distinct; i < count; i += distinct) {
    std::memcpy(tensor.data.data() + i * element, tensor.data.data(),
                std::min(distinct, count - i) * element);
  }
  return tensor;
}

void ReduceAll(const TensorRef& tensor) {
  const stats::Summary summary = Require(stats::Summarize(tensor));
  std::array<double, Reduction::kCount> reductions;
  for (int i = 0; i < Reduction::kCount; ++i) {
    reductions[static_cast<size_t>(i)] =
        stats::Reduce(summary, Reduction::FromIndex(i), stats::Flavor::kSaved);
  }
  Use(reductions);
}

Measurements Timed(const Tensor& tensor, const std::function<void(const TensorRef&)>& work) {
  const TensorRef ref = tensor.ref();
  return {{"seconds", Seconds([&] { work(ref); })},
          {"bytes", static_cast<double>(tensor.data.size())}};
}

// Many calls on a tensor that stays in the cache.
Measurements Small() {
  constexpr int kCalls = 20000;
  const Tensor tensor = MakeTensor(DType::kFloat32, 4096);
  const TensorRef ref = tensor.ref();
  const double seconds = Seconds([&] {
    for (int i = 0; i < kCalls; ++i) ReduceAll(ref);
  });
  return {{"seconds", seconds}, {"calls", kCalls}};
}

// Tensors are made when they are first asked for.
class Tensors {
 public:
  explicit Tensors(size_t bytes) : bytes_(bytes) {}
  const Tensor& Get(DType dtype) {
    const auto known = made_.find(dtype);
    if (known != made_.end()) return known->second;
    return made_.emplace(dtype, MakeTensor(dtype, bytes_)).first->second;
  }

 private:
  size_t bytes_;
  std::map<DType, Tensor> made_;
};

void AddVariants(Tensors* tensors, Sampler* sampler) {
  constexpr std::pair<const char*, DType> kTypes[] = {{"float32", DType::kFloat32},
                                                      {"float16", DType::kFloat16},
                                                      {"bfloat16", DType::kBFloat16},
                                                      {"float64", DType::kFloat64},
                                                      {"int32", DType::kInt32}};
  const auto add = [&](std::string name, DType dtype, std::function<void(const TensorRef&)> work) {
    sampler->Add(std::move(name), [=] { return Timed(tensors->Get(dtype), work); });
  };
  for (const auto& [name, dtype] : kTypes) {
    add(std::string("reduce_") + name, dtype, ReduceAll);
    const auto add_read = [&, n = name, d = dtype](const char* kind, uint64_t (*read)(Bytes)) {
      add(kind + std::string(n), d, [read](const TensorRef& t) { Use(read(t.bytes())); });
    };
    add_read("read_", ReadInOrder);
    add_read("read_ahead_", ReadAhead);
    add_read("read_streams_", ReadStreams);
  }
  add("median", DType::kFloat32, [](const TensorRef& t) { Use(Require(stats::Median(t))); });
  add("histogram", DType::kFloat32,
      [](const TensorRef& t) { Use(Require(stats::MakeHistogram(t))); });
  sampler->Add("reduce_small", Small);
}

}  // namespace
}  // namespace warden::bench

int main(int argc, char** argv) {
  size_t mib = 256;
  warden::bench::Sampler sampler;
  CLI::App app("All 18 reductions of a tensor, beside a pass that only reads it");
  app.add_option("--mib", mib, "Size of the tensor");
  sampler.AddFlags(&app);
  CLI11_PARSE(app, argc, argv);

  warden::bench::Tensors tensors(mib << 20);
  warden::bench::AddVariants(&tensors, &sampler);
  return sampler.Run();
}
