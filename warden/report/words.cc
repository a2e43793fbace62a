#include "warden/report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

namespace warden::report {
namespace {

constexpr double kLargest = 1e15;  // Beyond it digits mean nothing.
constexpr double kYear10000 = 253402300800.0;

// Commas between the thousands of a decimal text.
std::string Grouped(std::string text) {
  const size_t first = text.starts_with('-') ? 1 : 0;
  const size_t point = std::min(text.find('.'), text.size());
  for (size_t at = point; at > first + 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

int DecimalsFor(double value) {
  const double size = std::abs(value);
  if (size >= 99.95) return 0;
  if (size >= 9.995) return 1;
  return size >= 0.9995 || size == 0 ? 2 : 3;
}

}  // namespace

std::string Fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "–";
  if (std::abs(value) >= kLargest) return fmt::format("{:.3g}", value);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-')) text.erase(0, 1);
  return Grouped(std::move(text));
}

std::string ThreeDigits(double value) {
  if (value != 0 && std::abs(value) < 0.001) return fmt::format("{:.2g}", value);
  std::string text = Fixed(value, DecimalsFor(value));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string Percent(double percent) {
  if (percent > 0 && percent < 0.1) return "less than 0.1 %";
  return ThreeDigits(percent >= 99.95 ? std::round(percent) : std::round(percent * 10) / 10) + " %";
}

std::string Count(int64_t count) { return Grouped(fmt::format("{}", count)); }

std::string Counted(int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", Count(count), count == 1 ? one : many);
}

std::string Duration(double seconds) {
  if (!std::isfinite(seconds)) return "–";
  if (seconds < 0) return "−" + Duration(-seconds);
  if (seconds == 0) return "0 s";
  if (seconds < 1e-3) return ThreeDigits(seconds * 1e6) + " µs";
  if (seconds < 0.9995) return ThreeDigits(seconds * 1e3) + " ms";
  if (seconds < 119.5) return ThreeDigits(seconds) + " s";
  const auto whole = static_cast<int64_t>(std::min(std::round(seconds), kLargest));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (whole < 48 * 3600) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} days {} h", Count(whole / 86400), whole % 86400 / 3600);
}

std::string BytesPerSecond(double bytes) {
  static constexpr std::array<std::string_view, 5> kUnits = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
  size_t unit = 0;
  while (std::abs(bytes) >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{} {}", ThreeDigits(bytes), kUnits[unit]);
}

std::string UtcTime(double seconds_since_1970) {
  if (!(seconds_since_1970 > 0 && seconds_since_1970 < kYear10000)) return "–";
  const auto whole = static_cast<std::time_t>(seconds_since_1970);
  std::tm parts = {};
  gmtime_r(&whole, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace warden::report
