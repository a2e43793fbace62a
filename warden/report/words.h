#ifndef WARDEN_REPORT_WORDS_H_
#define WARDEN_REPORT_WORDS_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace warden::report {

// Figures as people read them.

std::string Figure(double value);               // Three digits: "0.123", "12.3", "1,234".
std::string Fixed(double value, int decimals);  // "1,234.50": for columns, whose points align.
std::string Percent(double percent);            // "12.3 %".
std::string Count(int64_t count);               // "12,345".
std::string Counted(int64_t count, std::string_view one, std::string_view many);  // "1 step".
std::string Duration(double seconds);            // "850 µs", "12.3 ms", "2.53 s", "1 h 02 min".
std::string BytesPerSecond(double bytes);        // "12.3 MB/s".
std::string UtcTime(double seconds_since_1970);  // "2026-11-15 12:03:20 UTC"; "-" if there is none.

}  // namespace warden::report

#endif  // WARDEN_REPORT_WORDS_H_
