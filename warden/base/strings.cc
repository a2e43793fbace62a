#include "warden/base/strings.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

namespace warden {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

template <class T>
std::optional<T> ParseWhole(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string> SplitTrimmed(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t cut = text.find(separator);
    const std::string_view part = Trim(text.substr(0, cut));
    if (!part.empty()) parts.emplace_back(part);
    if (cut == std::string_view::npos) return parts;
    text.remove_prefix(cut + 1);
  }
}

std::optional<int64_t> ParseInt(std::string_view text) { return ParseWhole<int64_t>(text); }

std::optional<double> ParseDouble(std::string_view text) { return ParseWhole<double>(text); }

std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() +
                          1);  // Distances of the letters of a so far to each start of b.
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> NearestNames(std::string_view name, std::span<const std::string> names,
                                      size_t most) {
  // The distance costs the product of the lengths, and no name worth proposing is this long.
  constexpr size_t kLongest = 256;
  if (name.empty() || name.size() > kLongest) return {};
  const std::string wanted = LowerAscii(name);
  std::vector<std::pair<size_t, std::string>> found;
  for (const std::string& candidate : names) {
    if (candidate.size() > kLongest) continue;
    const std::string lower = LowerAscii(candidate);
    const bool holds = lower.find(wanted) != std::string::npos;
    const size_t distance = holds ? 0 : EditDistance(wanted, lower);
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

}  // namespace warden
