#ifndef WARDEN_BASE_TEXT_PRINTABLE_H_
#define WARDEN_BASE_TEXT_PRINTABLE_H_

// Text for terminals: made safe, measured, cut. Pure functions.

#include <cstddef>
#include <string>
#include <string_view>

namespace warden {

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

}  // namespace warden

#endif  // WARDEN_BASE_TEXT_PRINTABLE_H_
