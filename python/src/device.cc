// Binds warden/stats/cuda: work on a GPU, in streams created by PyTorch.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <string>

#include "python/src/status_error.h"
#include "warden/stats/cuda/device_summary.h"
#include "warden/stats/cuda/driver.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace warden::python {
namespace {

class PyDeviceSummary {
 public:
  PyDeviceSummary(int device, const std::string& compiler)
      : summary_(Unwrap(stats::cuda::DeviceSummary::Make(device, compiler))) {}

  void Launch(uint64_t data, uint64_t count, std::string_view dtype, uint64_t row, uint64_t scratch,
              uint64_t stream) {
    const auto type = ParseDType(dtype);
    if (!type) throw nb::value_error("unknown tensor type");
    Check(summary_->Launch(data, count, *type, row, scratch, stream));
  }

 private:
  const std::unique_ptr<stats::cuda::DeviceSummary> summary_;
};

void CopyOnDevice(int device, uint64_t target, uint64_t source, size_t bytes, uint64_t stream) {
  const auto* driver = stats::cuda::Driver::Get();
  if (driver == nullptr) Raise(Status(Code::kUnavailable, "no CUDA driver found"));
  Check(driver->CopyOnDevice(device, target, source, bytes, stream));
}

}  // namespace

void InitDevice(nb::module_& module) {
  nb::class_<PyDeviceSummary>(module, "DeviceSummary",
                              "Summarizes tensors on a GPU, one launch each.")
      .def(nb::init<int, const std::string&>(), "device"_a, "compiler"_a = "")
      .def("launch", &PyDeviceSummary::Launch, "data"_a, "count"_a, "dtype"_a, "row"_a, "scratch"_a,
           "stream"_a);
  module.attr("SUMMARY_ROW_BYTES") = stats::cuda::kRowBytes;
  module.attr("SUMMARY_SCRATCH_BYTES") = stats::cuda::kScratchBytes;
  module.def("copy_on_device", &CopyOnDevice, "device"_a, "target"_a, "source"_a, "bytes"_a,
             "stream"_a);
}

}  // namespace warden::python
