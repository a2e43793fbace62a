// Binds writing of single files: the events of a step, records for TensorBoard.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "python/src/status_error.h"
#include "python/src/tensor.h"
#include "warden/capture/host.h"
#include "warden/capture/step_recorder.h"
#include "warden/format/event_message.h"
#include "warden/format/layout.h"
#include "warden/stats/histogram.h"
#include "warden/storage/store.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace warden::python {
namespace {

class StepFile {
 public:
  StepFile(std::string_view folder, std::string worker, Step step, int mode, Step mode_step,
           double wall_time)
      : options_{std::move(worker), false, false, false},
        store_(Unwrap(storage::OpenStore(folder))),
        recorder_({step, static_cast<Mode>(mode), mode_step, wall_time}, options_, store_.get()) {}

  bool WriteTensor(std::string_view name, nb::handle value) {
    const auto borrowed = BorrowedTensor::From(value, /*as_bool=*/false);
    if (!borrowed) return false;
    capture::SavePlan plan;
    plan.raw = true;
    Check(recorder_.Save(name, borrowed->ref(), plan));
    return true;
  }

  void WriteShape(std::string_view name, const std::vector<int64_t>& shape) {
    capture::SavePlan plan;
    plan.shape = true;
    Check(recorder_.Save(name, {nullptr, DType::kFloat32, shape}, plan));
  }

  void WriteStrings(std::string_view name, const std::vector<std::string>& values) {
    Check(recorder_.SaveStrings(name, values));
  }

  void Close() {
    Check(recorder_.Finish());
    const std::string index = recorder_.IndexText();
    if (index.empty()) return;
    Check(store_->Put(format::IndexFileKey(recorder_.identity().step, options_.worker),
                      AsBytes(index)));
  }

 private:
  const capture::StepRecorder::Options options_;
  const std::unique_ptr<storage::Store> store_;
  capture::StepRecorder recorder_;
};

nb::bytes ToBytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

nb::bytes ScalarRecord(double wall_time, Step step, std::string_view tag, float value) {
  std::string record;
  format::EncodeScalarRecord(wall_time, step, tag, value, &record);
  return ToBytes(record);
}

std::optional<nb::bytes> HistogramRecord(double wall_time, Step step, std::string_view tag,
                                         nb::handle value) {
  const auto borrowed = BorrowedTensor::From(value, /*as_bool=*/false);
  if (!borrowed) throw nb::type_error("expected an array of numbers");
  const auto histogram = stats::MakeHistogram(borrowed->ref());
  if (!histogram.ok()) return std::nullopt;
  const stats::Histogram& h = histogram.value();
  std::string record;
  format::EncodeHistogramRecord(wall_time, step, tag,
                                {h.min, h.max, h.num, h.sum, h.sum_squares, h.limits, h.counts},
                                &record);
  return ToBytes(record);
}

}  // namespace

void InitStepFile(nb::module_& module) {
  nb::class_<StepFile>(module, "StepFile", "The event and index file of one step.")
      .def(nb::init<std::string_view, std::string, Step, int, Step, double>(), "folder"_a,
           "worker"_a, "step"_a, "mode"_a, "mode_step"_a, "wall_time"_a)
      .def("write_tensor", &StepFile::WriteTensor, "name"_a, "value"_a,
           "Returns False if the value is not an array in C order of a supported type.")
      .def("write_shape", &StepFile::WriteShape, "name"_a, "shape"_a)
      .def("write_strings", &StepFile::WriteStrings, "name"_a, "values"_a)
      .def("close", &StepFile::Close, "Writes the files to their final names.");
  module.def("scalar_record", &ScalarRecord, "wall_time"_a, "step"_a, "tag"_a, "value"_a);
  module.def("histogram_record", &HistogramRecord, "wall_time"_a, "step"_a, "tag"_a, "value"_a);
  module.def(
      "event_file_key",
      [](Step step, std::string_view worker) { return format::EventFileKey(step, worker); },
      "step"_a, "worker"_a);
  module.def(
      "tensorboard_key",
      [](int mode, Step step) {
        return format::TensorBoardKey(static_cast<Mode>(mode), step, getpid(), capture::HostName());
      },
      "mode"_a, "step"_a);
}

}  // namespace warden::python
