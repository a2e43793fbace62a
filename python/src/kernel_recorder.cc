// Binds capture::KernelRecorder.
#include "warden/capture/kernels/kernel_recorder.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <map>
#include <string>
#include <utility>

#include "python/src/status_error.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace warden::python {
namespace {

using capture::KernelRecorder;

void MakeRecorder(KernelRecorder* self, std::string folder, std::string node, std::string library) {
  capture::KernelRecorderOptions options;
  options.folder = std::move(folder);
  options.node = std::move(node);
  options.library = std::move(library);
  new (self) KernelRecorder(std::move(options));
}

void StartRecorder(KernelRecorder* self, bool subscriber_is_idle) {
  Status status;
  {
    const nb::gil_scoped_release released;
    status = self->Start(subscriber_is_idle);
  }
  Check(status);
}

std::map<std::string, uint64_t> RecorderCounters(const KernelRecorder& recorder) {
  const auto counters = recorder.counters();
  return {{"windows", counters.windows}, {"kernels", counters.kernels}, {"events", counters.events},
          {"dropped", counters.dropped}, {"untimed", counters.untimed}, {"lost", counters.lost},
          {"bytes", counters.bytes},     {"buffers", counters.buffers}};
}

}  // namespace

void InitKernelRecorder(nb::module_& module) {
  const auto released = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<KernelRecorder>(module, "KernelRecorder",
                             "Records the GPU activity of this process in windows of time.")
      .def("__init__", &MakeRecorder, "folder"_a, "node"_a, "library"_a = "")
      .def("start", &StartRecorder, "subscriber_is_idle"_a,
           "Begins a window; raises StatusError if nothing can be recorded.")
      .def("mark_step", &KernelRecorder::MarkStep, "step"_a, "Marks the start of a step.")
      .def("stop", &KernelRecorder::Stop, released,
           "Ends the window; a thread writes what was recorded.")
      .def(
          "flush", [](KernelRecorder& recorder) { return recorder.Flush(); }, released,
          "Waits until everything is in the file; False if the disk does not respond.")
      .def(
          "close", [](KernelRecorder& recorder) { return recorder.Close(); }, released,
          "Stops and ends the file; False if the disk does not respond.")
      .def("counters", &RecorderCounters,
           "Returns the counters windows, kernels, events, dropped, untimed, lost, bytes and "
           "buffers.")
      .def_prop_ro("recording", &KernelRecorder::is_recording, "Whether a window is open.");
}

}  // namespace warden::python
