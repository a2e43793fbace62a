#ifndef PYTHON_SRC_STATUS_ERROR_H_
#define PYTHON_SRC_STATUS_ERROR_H_

#include <nanobind/nanobind.h>

#include <utility>

#include "warden/base/status.h"

namespace warden::python {

// Creates the exception _core.StatusError(code_name, message), which all errors of the core raise;
// the Python packages convert it to the exceptions that users know.
void InitStatus(nanobind::module_& module);

// Throws that exception.
[[noreturn]] void Raise(const Status& status);

inline void Check(const Status& status) {
  if (!status.ok()) Raise(status);
}

template <class T>
T Unwrap(Result<T> result) {
  if (!result.ok()) Raise(result.status());
  return std::move(result).value();
}

}  // namespace warden::python

#endif  // PYTHON_SRC_STATUS_ERROR_H_
