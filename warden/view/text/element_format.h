#ifndef WARDEN_VIEW_TEXT_ELEMENT_FORMAT_H_
#define WARDEN_VIEW_TEXT_ELEMENT_FORMAT_H_

// Single elements of a tensor as text, for whole tensors (array_text.h) and tables
// (cli/export_text.cc). i counts elements in C order. REQUIRES everywhere: i is below the number of
// elements. Pure functions.

#include <functional>
#include <string>
#include <vector>

#include "warden/trial/tensor_value.h"

namespace warden::view {

// Real element i, or the i-th of the pairs of numbers that a complex tensor is.
// REQUIRES: dtype is not kString.
double RealElement(const trial::TensorValue& value, size_t i);

// Element i alone, exactly: "0.1", "-3", "true", quoted text, {"re": 1, "im": 2}. What is not
// finite becomes the string that JsonNumber gives, quoted. Appends to *out.
void AppendElementAsJson(const trial::TensorValue& value, size_t i, std::string* out);

// Element i for a table: text as it is (pass it through Printable or quote it), complex numbers as
// Python's "(1+2j)", "nan" and "inf".
std::string ElementAsText(const trial::TensorValue& value, size_t i);

// Gives the text of element i, all texts equally wide, as NumPy formats an array of which the
// elements named are shown. value must outlive the result. Strings are quoted, not padded. For
// other elements than those in `shown` the width may differ.
using ElementFormat = std::function<std::string(size_t i)>;
ElementFormat MakeElementFormat(const trial::TensorValue& value, const std::vector<size_t>& shown);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TEXT_ELEMENT_FORMAT_H_
