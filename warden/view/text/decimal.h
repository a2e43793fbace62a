#ifndef WARDEN_VIEW_TEXT_DECIMAL_H_
#define WARDEN_VIEW_TEXT_DECIMAL_H_

// Floating-point numbers as NumPy prints them. element_format.h uses it for whole arrays. Pure
// functions; dtype decides how many digits tell two neighbors apart.

#include <string>

#include "warden/base/dtype.h"

namespace warden::view {

// The shortest decimal number that, read back as the type, gives the same value: (-1)^negative *
// d.ddd * 10^exponent.
struct Decimal {
  bool negative = false;
  std::string digits = "0";  // The first one stands before the point.
  int exponent = 0;          // Of ten.
};
// REQUIRES: value is finite, dtype is floating-point; the same for all functions here.
Decimal ShortestDecimal(double value, DType dtype);

// "12.5", "3." as NumPy prints: no more than most_digits after the point, no zeros at the end.
std::string Positional(double value, DType dtype, int most_digits);

// "1.25e-07": as above, but with at least least_digits after the point, if that takes more of the
// exact value than is needed.
std::string Scientific(double value, DType dtype, int least_digits, int most_digits);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TEXT_DECIMAL_H_
