#ifndef PYTHON_SRC_ARGUMENTS_H_
#define PYTHON_SRC_ARGUMENTS_H_

#include <nanobind/nanobind.h>

#include <algorithm>
#include <chrono>

#include "warden/base/types.h"

namespace warden::python {

// The number of a mode, as ModeKeys has it.
inline Mode ToMode(int number) {
  if (number < static_cast<int>(Mode::kTrain) || number > static_cast<int>(Mode::kGlobal)) {
    throw nanobind::value_error("a mode is a number from 1 to 4");
  }
  return static_cast<Mode>(number);
}

// Not a number and less than nothing are nothing; a day is the most.
inline std::chrono::milliseconds ToMilliseconds(double seconds) {
  constexpr double kDay = 86'400;
  const double bounded = seconds > 0 ? std::min(seconds, kDay) : 0;
  return std::chrono::milliseconds(static_cast<int64_t>(bounded * 1000));
}

}  // namespace warden::python

#endif  // PYTHON_SRC_ARGUMENTS_H_
