#include "python/src/status_error.h"

#include "python/src/conversions.h"

namespace nb = nanobind;

namespace warden::python {
namespace {

PyObject* status_error = nullptr;  // Owned by the module, which lives as long as the process.

}  // namespace

void InitStatus(nb::module_& module) {
  status_error = PyErr_NewExceptionWithDoc(
      "tensorwarden._core.StatusError",
      "An error of the core: args are the name of its code and the message.", PyExc_Exception,
      nullptr);
  if (status_error == nullptr) throw nb::python_error();
  module.attr("StatusError") = nb::borrow(status_error);
}

void Raise(const Status& status) {
  const nb::tuple args = nb::make_tuple(ToText(CodeName(status.code())), ToText(status.message()));
  PyErr_SetObject(status_error, args.ptr());
  throw nb::python_error();
}

}  // namespace warden::python
