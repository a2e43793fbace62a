#ifndef WARDEN_CLI_TEXT_H_
#define WARDEN_CLI_TEXT_H_

// Text for people: numbers as they read them, and the functions of base/text/printable.h, which
// every output of foreign text needs. Used by all commands. Pure functions. (report/words.h is the
// same for reports, which have other rules.)

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/text/printable.h"  // IWYU pragma: export

namespace warden::cli {

// Six significant digits: enough to read, few enough to align.
std::string FormatNumber(double value);

// "1.4 MiB", "312 B": powers of 1024.
std::string FormatBytes(uint64_t bytes);

// "[3, 4]", as JSON and Python write it.
std::string FormatShape(std::span<const int64_t> shape);

// "1 file", "2 files".
std::string CountOf(uint64_t count, std::string_view singular);

// "1.23 ms": three digits or more, in the unit that leaves the fewest. us: microseconds.
std::string FormatDuration(double us);

// "12.5 %"; "-" of nothing.
std::string FormatShare(double part, double whole);
}  // namespace warden::cli

#endif  // WARDEN_CLI_TEXT_H_
