#ifndef PYTHON_SRC_ARGUMENTS_H_
#define PYTHON_SRC_ARGUMENTS_H_

#include <nanobind/nanobind.h>

#include <algorithm>
#include <chrono>

#include "warden/base/types.h"

namespace warden::python {

// Converts a number of ModeKeys to a mode.
inline Mode ToMode(int number) {
  if (number < static_cast<int>(Mode::kTrain) || number > static_cast<int>(Mode::kGlobal)) {
    throw nanobind::value_error("unknown mode; expected a number from 1 to 4");
  }
  return static_cast<Mode>(number);
}

// NaN and negative values become 0; the maximum is one day.
inline std::chrono::milliseconds ToMilliseconds(double seconds) {
  constexpr double kDay = 86'400;
  const double bounded = seconds > 0 ? std::min(seconds, kDay) : 0;
  return std::chrono::milliseconds(static_cast<int64_t>(bounded * 1000));
}

}  // namespace warden::python

#endif  // PYTHON_SRC_ARGUMENTS_H_
