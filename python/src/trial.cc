// Binds warden/trial: reading a run.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace warden::python {

void InitTrial(nb::module_&) {}

}  // namespace warden::python
