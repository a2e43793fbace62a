#ifndef WARDEN_CLI_TEXT_H_
#define WARDEN_CLI_TEXT_H_

// Text for people: made safe, measured, cut, and numbers as they read them. Used by all commands.
// Pure functions. (report/words.h is the same for reports, which have other rules.)

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"

namespace warden::cli {

// Text from a run or a service as a terminal may see it: control characters and broken UTF-8 become
// \xNN, so that a name in a file cannot move the cursor, change colors or hide what follows. Line
// breaks too.
std::string Printable(std::string_view text);

// Columns that the text takes, one for each code point. Right for most scripts, too small for wide
// characters. REQUIRES: printable text, without styles.
size_t DisplayWidth(std::string_view text);

// The text cut to at most width columns, its end replaced by the mark where something was cut:
//
//   Shorten(Printable(tensor), 40, CutMark(out->terminal()))
std::string Shorten(std::string_view text, size_t width, std::string_view mark);

// Six significant digits: enough to read, few enough to align.
std::string FormatNumber(double value);

// "1.4 MiB", "312 B": powers of 1024.
std::string FormatBytes(uint64_t bytes);

// "[3, 4]", as JSON and Python write it.
std::string FormatShape(std::span<const int64_t> shape);

// "1 file", "2 files".
std::string CountOf(uint64_t count, std::string_view singular);

// The number itself, or, where it is not finite and JSON has no number for it, one of "NaN",
// "Infinity" and "-Infinity".
Json JsonNumber(double value);

// At most so many names that differ from the given one by little, or contain it; the nearest first.
// For "did you mean". Names of more than 256 characters are skipped.
std::vector<std::string> NearestNames(std::string_view name, std::span<const std::string> names,
                                      size_t most);

}  // namespace warden::cli

#endif  // WARDEN_CLI_TEXT_H_
