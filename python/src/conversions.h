#ifndef PYTHON_SRC_CONVERSIONS_H_
#define PYTHON_SRC_CONVERSIONS_H_

#include <nanobind/nanobind.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "warden/base/types.h"

// Values from Python to C++ and back.
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

// Converts text from a file, or a file name; invalid UTF-8 is replaced, never an error.
inline nanobind::object ToText(std::string_view text) {
  nanobind::object decoded = nanobind::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  if (!decoded.is_valid()) nanobind::raise_python_error();
  return decoded;
}

inline nanobind::list ToTexts(std::span<const std::string> texts) {
  nanobind::list list;
  for (const std::string& text : texts) list.append(ToText(text));
  return list;
}

}  // namespace warden::python

#endif  // PYTHON_SRC_CONVERSIONS_H_
