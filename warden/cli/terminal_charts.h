#ifndef WARDEN_CLI_TERMINAL_CHARTS_H_
#define WARDEN_CLI_TERMINAL_CHARTS_H_

// Charts drawn with characters, for `warden trial show`. Pure functions.

#include <cstddef>
#include <string>
#include <vector>

#include "warden/cli/terminal.h"
#include "warden/stats/linear_histogram.h"

namespace warden::cli {

// Lines of edges, counts, shares and bars, as wide as the terminal, and a line of totals. Colors
// and block characters only if the terminal has them.
std::string Draw(const stats::LinearHistogram& histogram, const Terminal& terminal);

// One character for each value: its height between minimum and maximum; blank for NaN and
// infinities. Series longer than width are averaged in stretches. REQUIRES: the terminal shows
// UTF-8.
std::string Sparkline(const std::vector<double>& values, size_t width);

}  // namespace warden::cli

#endif  // WARDEN_CLI_TERMINAL_CHARTS_H_
