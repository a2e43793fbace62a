// Records a run with every type and shape that tensors come in. The values are simple functions of
// index and step; tests/conformance/runs.py makes the same ones.
//   record_dtypes RUN [--original-types-only] [--tensorboard DIR]
#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "warden/capture/capture_hook.h"

namespace {

using warden::DType;
using warden::Mode;
using warden::Reduction;
using warden::ReductionOp;
using warden::Step;
using warden::capture::Hook;
using warden::capture::HookOptions;

struct FloatLayout {
  int exponent_bits, fraction_bits;
  uint64_t bias() const { return (uint64_t{1} << (exponent_bits - 1)) - 1; }
  uint64_t sign() const { return uint64_t{1} << (exponent_bits + fraction_bits); }
  uint64_t infinity() const { return ((uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
};

FloatLayout LayoutOf(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return {5, 10};
    case DType::kBFloat16: return {8, 7};
    case DType::kFloat64:
    case DType::kComplex128: return {11, 52};
    default: return {8, 23};
  }
}

// REQUIRES: value is zero or a normal number of the type, exactly.
uint64_t FloatBits(double value, const FloatLayout& to) {
  const FloatLayout from = LayoutOf(DType::kFloat64);
  const auto bits = std::bit_cast<uint64_t>(value);
  const uint64_t sign = (bits & from.sign()) != 0 ? to.sign() : 0;
  if (value == 0) return sign;
  const uint64_t exponent = ((bits & from.infinity()) >> from.fraction_bits) - from.bias();
  const uint64_t fraction = bits & ((uint64_t{1} << from.fraction_bits) - 1);
  return sign | (exponent + to.bias()) << to.fraction_bits |
         fraction >> (from.fraction_bits - to.fraction_bits);
}

bool IsSigned(DType dtype) {
  return dtype == DType::kInt8 || dtype == DType::kInt16 || dtype == DType::kInt32 ||
         dtype == DType::kInt64;
}

struct Tensor {
  DType dtype;
  std::vector<int64_t> shape;
  std::string bytes = {};

  void AddBits(uint64_t bits, size_t size) {
    bytes.append(reinterpret_cast<const char*>(&bits), size);
  }
  void Add(double value) {
    const size_t size = DTypeSize(dtype);
    if (warden::IsFloating(dtype)) {
      AddBits(FloatBits(value, LayoutOf(dtype)), size);
    } else if (warden::IsComplex(dtype)) {
      AddBits(FloatBits(value, LayoutOf(dtype)), size / 2);
      AddBits(FloatBits(-2 * value, LayoutOf(dtype)), size / 2);
    } else {
      AddBits(static_cast<uint64_t>(static_cast<int64_t>(value)), size);
    }
  }
  warden::stats::TensorRef ref() const { return {bytes.data(), dtype, shape}; }
};

Tensor Plain(DType dtype, std::vector<int64_t> shape, Step step) {
  Tensor tensor{dtype, std::move(shape)};
  const auto count = static_cast<int64_t>(tensor.ref().count());
  for (int64_t i = 0; i < count; ++i) {
    if (warden::IsFloating(dtype) || warden::IsComplex(dtype)) {
      tensor.Add(static_cast<double>(i - 5 + 3 * step) / 8);
    } else if (dtype == DType::kBool) {
      tensor.Add((i + step) % 3 == 0 ? 1 : 0);
    } else {
      tensor.Add(static_cast<double>(IsSigned(dtype) ? (i - 5) * 7 + step : i * 7 + step));
    }
  }
  return tensor;
}

// The ends of the type and what is no number.
Tensor Special(DType dtype) {
  Tensor tensor{dtype, {}};
  const size_t size = DTypeSize(dtype);
  std::vector<uint64_t> all_bits;
  if (warden::IsFloating(dtype)) {
    const FloatLayout l = LayoutOf(dtype);
    const uint64_t largest = l.infinity() - 1;
    all_bits = {l.infinity() | uint64_t{1} << (l.fraction_bits - 1),
                l.infinity(),
                l.sign() | l.infinity(),
                l.sign(),
                0,
                1,
                largest,
                l.sign() | largest,
                uint64_t{1} << l.fraction_bits};
  } else {
    const uint64_t top = uint64_t{1} << (size * 8 - 1);
    const uint64_t lowest = IsSigned(dtype) ? top : 0;
    all_bits = {lowest, ~lowest, 0, 1};
  }
  tensor.shape = {std::ssize(all_bits)};
  for (const uint64_t bits : all_bits) tensor.AddBits(bits, size);
  return tensor;
}

// No zero among them, so that a product says something.
Tensor OddEighths(DType dtype, Step step) {
  Tensor tensor{dtype, {17}};
  for (int64_t i = 0; i < 17; ++i) {
    const auto odd = static_cast<double>(2 * i - 15 + 2 * step);
    tensor.Add(warden::IsFloating(dtype) ? odd / 8 : odd);
  }
  return tensor;
}

struct CollectionSpec {
  std::string name, regex;
  std::bitset<Reduction::kCount> reductions = {};
  bool raw = true;
  bool shape = false;
  bool histogram = true;
};

std::vector<CollectionSpec> CollectionSpecs() {
  std::bitset<Reduction::kCount> some;
  some.set(static_cast<size_t>(Reduction{ReductionOp::kMean}.index()));
  some.set(static_cast<size_t>(Reduction{ReductionOp::kL2}.index()));
  some.set(static_cast<size_t>(Reduction{ReductionOp::kMax, /*abs=*/true}.index()));
  std::bitset<Reduction::kCount> all;
  all.set();
  return {{"values", "^(plain|special|zero_d|shapes|text|odd)/"},
          {"reduced", "^reduced/", all, /*raw=*/false},
          {"both", "^both/", some, /*raw=*/false, /*shape=*/true},
          {"kept", "^kept/", {}, /*raw=*/true, /*shape=*/true},
          {"outlines", "^outline/", {}, /*raw=*/false, /*shape=*/true, /*histogram=*/false}};
}

HookOptions Options(const std::string& run) {
  HookOptions options;
  options.checksums = false;  // For files that are byte by byte those of the original.
  options.config.out_dir = run;
  options.config.save_config = warden::config::SaveConfig::Same({.save_interval = 1});
  for (const CollectionSpec& spec : CollectionSpecs()) {
    warden::config::Collection& collection = options.config.collections[spec.name];
    collection.include_regex = {spec.regex};
    collection.reduction_config = {spec.reductions, spec.raw, spec.shape};
    collection.save_histogram = spec.histogram;
    options.config.include_collections.push_back(spec.name);
  }
  return options;
}

void SaveValues(Step step, Hook* hook) {
  for (const DType dtype : warden::kAllDTypes) {
    if (dtype == DType::kString || (dtype == DType::kBFloat16 && step % 2 == 0)) continue;
    const std::string name(DTypeName(dtype));
    hook->Save("plain/" + name, Plain(dtype, {3, 4}, step).ref());
    hook->Save("zero_d/" + name, Plain(dtype, {}, step).ref());
    if (warden::IsFloating(dtype) || warden::IsInteger(dtype)) {
      hook->Save("special/" + name, Special(dtype).ref());
    }
  }
  hook->Save("shapes/one", Plain(DType::kFloat32, {1}, step).ref());
  hook->Save("shapes/five", Plain(DType::kFloat32, {2, 1, 3, 1, 2}, step).ref());
  hook->Save("shapes/hollow", Plain(DType::kFloat32, {0, 3}, step).ref());
  const std::vector<std::string> words = {
      "plain", "", "Grüße", "日本語", "🎯", "tab\tline\nend", fmt::format("step {}", step)};
  hook->Save("text/words", words);
  const std::vector<std::string> empty = {""};
  hook->Save("text/empty", empty);
  hook->Save("odd/Grüße \"x\"\\y:0", Plain(DType::kFloat32, {2}, step).ref());
  hook->Save("unasked", Plain(DType::kFloat32, {2}, step).ref());
}

void SaveReduced(Step step, Hook* hook) {
  for (const DType dtype :
       {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64, DType::kInt32}) {
    if (dtype == DType::kBFloat16 && step % 2 == 0) continue;
    hook->Save("reduced/" + std::string(DTypeName(dtype)), OddEighths(dtype, step).ref());
  }
  hook->Save("reduced/colon:0", OddEighths(DType::kFloat32, step).ref());
  hook->Save("both/float32", Plain(DType::kFloat32, {2, 3}, step).ref());
  hook->Save("kept/float32", Plain(DType::kFloat32, {2, 3}, step).ref());
  hook->Save("kept/hollow", Plain(DType::kFloat32, {2, 0}, step).ref());
}

void SaveOutlines(Step step, Hook* hook) {
  hook->Save("outline/float32", Plain(DType::kFloat32, {5, 7 + step}, step).ref());
  hook->Save("outline/zero_d", Plain(DType::kFloat32, {}, step).ref());
  hook->Save("outline/hollow", Plain(DType::kFloat32, {3, 0, 2}, step).ref());
}

void Record(Hook* hook) {
  for (const Mode mode : {Mode::kTrain, Mode::kTrain, Mode::kEval, Mode::kTrain, Mode::kEval,
                          Mode::kGlobal, Mode::kTrain, Mode::kPredict}) {
    hook->SetMode(mode);
    hook->BeginStep();
    const Step step = hook->step();
    if (mode != Mode::kPredict) {
      SaveValues(step, hook);
      SaveReduced(step, hook);
      Tensor loss{DType::kFloat32, {}};
      loss.Add(static_cast<double>(step + 1) / 4);
      hook->Save("Loss_output_0", loss.ref());
      hook->SaveScalar("rate", 0.1 * static_cast<double>(step + 1));
    }
    SaveOutlines(step, hook);
  }
}

int Fail(std::string_view why) {
  fmt::print(stderr, "record_dtypes: {}\n", why);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return Fail("usage: record_dtypes RUN [--original-types-only] [--tensorboard DIR]");
  HookOptions options = Options(argv[1]);
  for (int i = 2; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--original-types-only") {
      options.original_types_only = true;
    } else if (argument == "--tensorboard" && i + 1 < argc) {
      options.config.tensorboard_dir = argv[++i];
    } else {
      return Fail("what is " + std::string(argument) + "?");
    }
  }
  auto hook = Hook::Create(options);
  if (!hook.ok()) return Fail(hook.status().message());
  Record(hook.value().get());
  const warden::Status closed = hook.value()->Close();
  return closed.ok() ? 0 : Fail(closed.message());
}
