// Binds warden/stats/cuda: work on a GPU, in streams created by PyTorch.
#include "python/src/device.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>

#include "python/src/status_error.h"
#include "warden/stats/cuda/driver.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace warden::python {
namespace {

using Sizes = std::vector<int64_t>;

// Address, type, shape, and the steps between elements if they do not lie side by side.
using GivenTensor = std::tuple<uint64_t, std::string_view, Sizes, std::optional<Sizes>>;

uint64_t CountOf(const Sizes& shape) {
  uint64_t count = 1;
  for (const int64_t size : shape) {
    if (size < 0) throw nb::value_error("a size is negative");
    count *= static_cast<uint64_t>(size);
  }
  return count;
}

void CheckSteps(const Sizes& shape, const std::optional<Sizes>& steps) {
  if (steps && steps->size() != shape.size()) {
    throw nb::value_error("shape and strides differ in length");
  }
}

void LaunchSummaries(const PyDeviceSummaries& self, const std::vector<GivenTensor>& given,
                     uint64_t rows, uint64_t scratch, uint64_t stream, uint64_t histograms,
                     uint64_t first_bad, uint64_t sequence) {
  std::vector<stats::cuda::DeviceTensor> tensors;
  tensors.reserve(given.size());
  for (const auto& [address, type, shape, steps] : given) {
    CheckSteps(shape, steps);
    stats::cuda::DeviceTensor tensor{
        address, CountOf(shape), ElementTypeNamed(type).element, {}, {}};
    if (steps) {
      tensor.sizes = shape;
      tensor.steps = *steps;
    }
    tensors.push_back(tensor);
  }
  Check(self.summaries().Launch(tensors, {rows, scratch, histograms, first_bad, sequence}, stream));
}

DeviceGroup MakeGroup(const std::vector<size_t>& numbers, const std::vector<std::string>& types,
                      const std::vector<Sizes>& shapes,
                      const std::vector<std::optional<Sizes>>& steps) {
  if (types.size() != numbers.size() || shapes.size() != numbers.size() ||
      steps.size() != numbers.size()) {
    throw nb::value_error("numbers, types, shapes and strides differ in length");
  }
  auto items = std::make_shared<std::vector<DeviceGroup::Item>>();
  for (size_t i = 0; i < numbers.size(); ++i) {
    CheckSteps(shapes[i], steps[i]);
    items->push_back({numbers[i], ElementTypeNamed(types[i]), CountOf(shapes[i]), shapes[i],
                      steps[i].value_or(Sizes())});
  }
  return {std::move(items)};
}

void CopyOnDevice(int device, uint64_t target, uint64_t source, size_t bytes, uint64_t stream) {
  const auto* driver = stats::cuda::Driver::Get();
  if (driver == nullptr) Raise(Status(Code::kUnavailable, "no CUDA driver found"));
  Check(driver->CopyOnDevice(device, target, source, bytes, stream));
}

}  // namespace

NamedType ElementTypeNamed(std::string_view name) {
  // Saved as float16: a file of a run cannot hold the values, only what was computed from them.
  if (name == "float8_e4m3fn") return {stats::cuda::kElementFloat8E4M3, DType::kFloat16};
  if (name == "float8_e5m2") return {stats::cuda::kElementFloat8E5M2, DType::kFloat16};
  const auto dtype = ParseDType(name);
  const auto element = dtype ? stats::cuda::ElementTypeOf(*dtype) : std::nullopt;
  if (!element) {
    throw nb::value_error(("type is '" + std::string(name) + "'; expected a real type").c_str());
  }
  return {*element, *dtype};
}

PyDeviceSummaries::PyDeviceSummaries(int device, const std::string& compiler, bool all_double)
    : summaries_(Unwrap(stats::cuda::DeviceSummaries::Make(device, compiler, {all_double}))) {}

void InitDevice(nb::module_& module) {
  nb::class_<PyDeviceSummaries>(module, "DeviceSummaries",
                                "Summarizes tensors on a GPU, all of them in one launch or two.")
      .def(nb::init<int, const std::string&, bool>(), "device"_a, "compiler"_a = "",
           "all_double"_a = false)
      .def(
          "scratch_bytes",
          [](const PyDeviceSummaries& self, size_t tensors) {
            return self.summaries().ScratchBytes(tensors);
          },
          "tensors"_a, "Returns the size of scratch for a launch of so many tensors.")
      .def(
          "launch", &LaunchSummaries, "tensors"_a, "rows"_a, "scratch"_a, "stream"_a,
          "histograms"_a = 0, "first_bad"_a = 0, "sequence"_a = 0,
          "Summarizes tensors (address, type, shape, strides or None) into rows. All are addresses "
          "on the GPU; scratch begins with 16 zero bytes before its first use.");
  nb::class_<DeviceGroup>(module, "DeviceGroup", "Tensors that are saved together.")
      .def(
          "__init__",
          [](DeviceGroup* self, const std::vector<size_t>& numbers,
             const std::vector<std::string>& types, const std::vector<Sizes>& shapes,
             const std::vector<std::optional<Sizes>>& strides) {
            new (self) DeviceGroup(MakeGroup(numbers, types, shapes, strides));
          },
          "numbers"_a, "types"_a, "shapes"_a, "strides"_a);
  nb::class_<DeviceRows>(module, "DeviceRows", "Rows of summaries on their way from a GPU.")
      .def(
          "__init__",
          [](DeviceRows* self, uint64_t on_device, uint64_t on_host, size_t capacity) {
            new (self) DeviceRows{on_device, on_host, capacity};
          },
          "on_device"_a, "on_host"_a, "capacity"_a)
      .def_prop_ro("room", &DeviceRows::room)
      .def("__len__", [](const DeviceRows& self) { return self.rows.size(); });
  module.attr("SUMMARY_ROW_BYTES") = stats::cuda::kRowBytes;
  module.attr("SUMMARY_FIELDS") =
      nb::make_tuple("count", "nan_count", "pos_inf_count", "neg_inf_count", "zero_count",
                     "negative_count", "min", "max", "abs_min", "abs_max", "sum", "abs_sum",
                     "sum_squares", "l2", "mean", "m2", "abs_m2", "prod");
  module.attr("EXPONENT_BINS") = stats::cuda::kExponentBins;
  module.def("copy_on_device", &CopyOnDevice, "device"_a, "target"_a, "source"_a, "bytes"_a,
             "stream"_a);
}

}  // namespace warden::python
