#ifndef PYTHON_SRC_GIL_H_
#define PYTHON_SRC_GIL_H_

#include <nanobind/nanobind.h>

#include <utility>

#include "python/src/status_error.h"

namespace warden::python {

// Runs a function that reads files or waits without the GIL, so other Python threads continue. A
// failure, or an exception raised by a signal handler (Interrupted), becomes a Python exception.
template <class Function>
auto WithoutGil(Function&& function) {
  auto result = [&] {
    const nanobind::gil_scoped_release released;
    return function();
  }();
  if (PyErr_Occurred() != nullptr) throw nanobind::python_error();
  return Unwrap(std::move(result));
}

// Returns whether Ctrl-C was pressed and sets the exception. For long waits without the GIL.
inline bool Interrupted() {
  const nanobind::gil_scoped_acquire acquired;
  return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0;
}

}  // namespace warden::python

#endif  // PYTHON_SRC_GIL_H_
