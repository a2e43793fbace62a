#ifndef WARDEN_CLI_TEXT_H_
#define WARDEN_CLI_TEXT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"

namespace warden::cli {

// Text from a run as a terminal may see it: control characters and broken UTF-8 become \xNN, so
// that a name in a file cannot move the cursor, change colors or hide what follows.
std::string Printable(std::string_view text);

// Columns that the text takes, one for each code point.
size_t DisplayWidth(std::string_view text);

// The text cut to at most width columns, its end replaced by the mark where something was cut.
std::string Shorten(std::string_view text, size_t width, std::string_view mark);

// Six significant digits: enough to read, few enough to align.
std::string FormatNumber(double value);

// "1.4 MiB".
std::string FormatBytes(uint64_t bytes);

// "[3, 4]", as JSON and Python write it.
std::string FormatShape(std::span<const int64_t> shape);

// "1 file", "2 files".
std::string CountOf(uint64_t count, std::string_view singular);

// The number itself, or, where it is not finite and JSON has no number for it, one of "NaN",
// "Infinity" and "-Infinity".
Json JsonNumber(double value);

// Names that differ from the given one by little, or hold it; the nearest first.
std::vector<std::string> NearestNames(std::string_view name, std::span<const std::string> names,
                                      size_t most);

}  // namespace warden::cli

#endif  // WARDEN_CLI_TEXT_H_
