#ifndef WARDEN_REPORT_WORDS_H_
#define WARDEN_REPORT_WORDS_H_

// Numbers as people read them: three significant digits, commas between thousands, units. For the
// cells, sentences and summaries of reports and panels. Pure functions; what is not finite becomes
// "–".

#include <cstdint>
#include <string>
#include <string_view>

namespace warden::report {

// As a rule of thumb: ThreeDigits in sentences, Fixed in columns of tables. Very small and very
// large numbers get an exponent.
std::string ThreeDigits(double value);          // Three digits: "0.123", "12.3", "1,234".
std::string Fixed(double value, int decimals);  // "1,234.50": for columns, whose points align.
std::string Percent(double percent);            // "12.3 %".
std::string Count(int64_t count);               // "12,345".
std::string Counted(int64_t count, std::string_view one, std::string_view many);  // "1 step".
std::string Duration(double seconds);      // "850 µs", "12.3 ms", "2.53 s", "1 h 02 min".
std::string BytesPerSecond(double bytes);  // "12.3 MB/s".
// "2026-11-15 12:03:20 UTC"; "–" if it is not a time after 1970.
std::string UtcTime(double seconds_since_1970);

}  // namespace warden::report

#endif  // WARDEN_REPORT_WORDS_H_
