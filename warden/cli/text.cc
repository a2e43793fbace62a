#include "warden/cli/text.h"

#include <fmt/format.h>

#include <array>

namespace warden::cli {

std::string FormatNumber(double value) { return fmt::format("{:.6g}", value); }

std::string FormatBytes(uint64_t bytes) {
  constexpr std::array<std::string_view, 6> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; size >= 1023.95 && unit + 1 < kUnits.size(); ++unit) size /= 1024;
  return fmt::format("{:.1f} {}", size, kUnits[unit]);
}

std::string FormatShape(std::span<const int64_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::string CountOf(uint64_t count, std::string_view singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

std::string FormatDuration(double us) {
  if (us < 1e3) return fmt::format("{:.4g} us", us);
  if (us < 1e6) return fmt::format("{:.4g} ms", us / 1e3);
  return fmt::format("{:.2f} s", us / 1e6);
}

std::string FormatShare(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

}  // namespace warden::cli
