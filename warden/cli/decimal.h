#ifndef WARDEN_CLI_DECIMAL_H_
#define WARDEN_CLI_DECIMAL_H_

#include <string>

#include "warden/base/dtype.h"

namespace warden::cli {

// The shortest decimal number that, read back as the type, gives the same value.
// REQUIRES: value is finite, dtype is floating-point.
struct Decimal {
  bool negative = false;
  std::string digits = "0";  // The first one stands before the point.
  int exponent = 0;          // Of ten.
};
Decimal ShortestDecimal(double value, DType dtype);

// "12.5", "3." as NumPy prints: no more than most_digits after the point, no zeros at the end.
std::string Positional(double value, DType dtype, int most_digits);

// "1.25e-07": as above, but with at least least_digits after the point, if that takes more of the
// exact value than is needed.
std::string Scientific(double value, DType dtype, int least_digits, int most_digits);

}  // namespace warden::cli

#endif  // WARDEN_CLI_DECIMAL_H_
