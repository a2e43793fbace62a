#ifndef PYTHON_SRC_TEXT_H_
#define PYTHON_SRC_TEXT_H_

#include <nanobind/nanobind.h>

#include <span>
#include <string>
#include <string_view>

namespace warden::python {

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

#endif  // PYTHON_SRC_TEXT_H_
