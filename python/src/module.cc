// The extension module tensorwarden._core. One file binds one part; each has an Init function here.
#include <nanobind/nanobind.h>

#include "python/src/status.h"

namespace warden::python {
void InitTrial(nanobind::module_& module);
}  // namespace warden::python

NB_MODULE(_core, module) {
  module.doc() = "The C++ core of Tensorwarden. Use the packages tensorwarden and smdebug instead.";
  module.attr("__version__") = WARDEN_VERSION;
  warden::python::InitStatus(module);
  warden::python::InitTrial(module);
}
