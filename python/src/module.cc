// The extension module tensorwarden._core. Each file binds one part and has an Init function.
#include <nanobind/nanobind.h>

#include "python/src/status_error.h"

namespace warden::python {
void InitCapture(nanobind::module_& module);
void InitDevice(nanobind::module_& module);
void InitEventFile(nanobind::module_& module);
void InitKernelRecorder(nanobind::module_& module);
void InitLaunch(nanobind::module_& module);
void InitProfile(nanobind::module_& module);
void InitReductions(nanobind::module_& module);
void InitStepFile(nanobind::module_& module);
void InitStorage(nanobind::module_& module);
void InitTimelineWriter(nanobind::module_& module);
void InitTrial(nanobind::module_& module);
}  // namespace warden::python

NB_MODULE(_core, module) {
  // The hook of a process lives until its end, which is not a leak.
  nanobind::set_leak_warnings(false);
  module.doc() = "The C++ core of Tensorwarden. Use the packages tensorwarden and smdebug instead.";
  module.attr("__version__") = WARDEN_VERSION;
  warden::python::InitStatus(module);
  warden::python::InitStorage(module);
  warden::python::InitEventFile(module);
  warden::python::InitReductions(module);
  warden::python::InitCapture(module);
  warden::python::InitStepFile(module);
  warden::python::InitDevice(module);
  warden::python::InitLaunch(module);
  warden::python::InitTimelineWriter(module);
  warden::python::InitKernelRecorder(module);
  warden::python::InitTrial(module);
  warden::python::InitProfile(module);
}
