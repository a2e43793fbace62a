#include "warden/cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/base/text/utf8.h"

namespace warden::cli {
namespace {

// Bytes of the printable character at the start of text; 0 if there is none.
size_t PrintableSize(std::string_view text) {
  const Character first = FirstCharacter(text);
  const bool is_control = first.code < 0x20 || (first.code >= 0x7F && first.code < 0xA0);
  return is_control ? 0 : first.size;
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t size = PrintableSize(text);
    if (size == 0) {
      out += fmt::format("\\x{:02x}", static_cast<uint8_t>(text[0]));
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(std::max<size_t>(size, 1));
  }
  return out;
}

size_t DisplayWidth(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !IsContinuation(c); }));
}

std::string Shorten(std::string_view text, size_t width, std::string_view mark) {
  if (DisplayWidth(text) <= width) return std::string(text);
  const size_t keep = width - std::min(width, DisplayWidth(mark));
  size_t end = 0;
  for (size_t seen = 0; end < text.size(); ++end) {
    if (!IsContinuation(text[end]) && seen++ == keep) break;
  }
  return std::string(text.substr(0, end)).append(mark);
}

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

Json JsonNumber(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
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
