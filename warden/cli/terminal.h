#ifndef WARDEN_CLI_TERMINAL_H_
#define WARDEN_CLI_TERMINAL_H_

#include <unistd.h>

#include <string>
#include <string_view>

namespace warden::cli {

// What the place that results are printed to can show. A plain value; Output has the one of the
// results.
struct Terminal {
  bool interactive = false;  // A terminal, not a file or a pipe.
  bool colors = false;
  bool utf8 = false;
  int width = 80;  // In characters; 40 to 1000 if detected.
};

// Of the descriptor. NO_COLOR and TERM=dumb turn colors off, COLUMNS overrides the terminal's
// width, the locale's variables decide about UTF-8. Never fails: 80 columns without colors where
// nothing is known.
Terminal DetectTerminal(int descriptor = STDOUT_FILENO);

// What a text means; the colors are chosen in terminal.cc.
enum class Style { kPlain, kBold, kDim, kGood, kWarning, kBad };

// The text between the terminal's codes for the style; unchanged without colors. Measure its width
// before, not after.
std::string Styled(std::string_view text, Style style, const Terminal& terminal);

// The mark of text that was cut, one column wide; see Shorten.
inline std::string_view CutMark(const Terminal& terminal) { return terminal.utf8 ? "…" : "~"; }

}  // namespace warden::cli

#endif  // WARDEN_CLI_TERMINAL_H_
