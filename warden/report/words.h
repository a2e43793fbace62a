#ifndef WARDEN_REPORT_WORDS_H_
#define WARDEN_REPORT_WORDS_H_

// Numbers as people read them: three significant digits, commas between thousands, units. For the
// cells, sentences and summaries of reports and panels. Pure functions; what is not finite becomes
// "–".

#include <cstdint>
#include <string>
#include <string_view>

namespace warden::report {

// For sentences; columns of tables use Fixed. Three significant digits: "0.123", "12.3", "1,234".
// Zeros at the end are dropped, and below 0.001 there is an exponent.
std::string ThreeDigits(double value);
// "1,234.50": for columns, whose points align. From 1e15 on three digits and an exponent. Never
// "-0".
std::string Fixed(double value, int decimals);
// "12.3 %", with one decimal at most; "less than 0.1 %" for what would be shown as 0 and is not.
std::string Percent(double percent);
std::string Count(int64_t count);                                                 // "12,345".
std::string Counted(int64_t count, std::string_view one, std::string_view many);  // "1 step".
// "850 µs", "12.3 ms", "2.53 s", "2 min 05 s", "1 h 02 min", "3 days 4 h". Negative ones have a
// minus sign.
std::string Duration(double seconds);
// "12.3 MB/s": powers of 1000, up to TB/s.
std::string BytesPerSecond(double bytes);
// "2026-11-15 12:03:20 UTC"; "–" if it is not a time after 1970.
std::string UtcTime(double seconds_since_1970);

}  // namespace warden::report

#endif  // WARDEN_REPORT_WORDS_H_
