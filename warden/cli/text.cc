#include "warden/cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "warden/base/strings.h"

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

std::vector<std::string> NearestNames(std::string_view name, std::span<const std::string> names,
                                      size_t most) {
  // The distance costs the product of the lengths, and no name worth proposing is this long.
  constexpr size_t kLongest = 256;
  if (name.size() > kLongest) return {};
  std::vector<std::pair<size_t, std::string>> found;
  for (const std::string& candidate : names) {
    if (candidate.size() > kLongest) continue;
    const bool holds = candidate.find(name) != std::string::npos;
    const size_t distance = holds ? 0 : EditDistance(LowerAscii(name), LowerAscii(candidate));
    if (holds || distance <= std::max<size_t>(2, name.size() / 3)) {
      found.emplace_back(distance, candidate);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> nearest;
  for (auto& [distance, candidate] : found) {
    if (nearest.size() == most) break;
    nearest.push_back(std::move(candidate));
  }
  return nearest;
}

}  // namespace warden::cli
