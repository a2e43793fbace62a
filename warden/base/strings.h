#ifndef WARDEN_BASE_STRINGS_H_
#define WARDEN_BASE_STRINGS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warden {

// Small text functions that every part shares. None depends on the locale, and all are safe for
// many threads. Texts may be any bytes; only ASCII characters are given a meaning.

// Without ASCII white space at both ends. A view into text.
std::string_view Trim(std::string_view text);

// The parts between the separators, trimmed, empty ones left out: " a,,b " gives "a" and "b".
std::vector<std::string> SplitTrimmed(std::string_view text, char separator);

// The whole text as a decimal integer, a sign allowed; nothing for anything else, blanks and an
// empty text included, or on overflow.
std::optional<int64_t> ParseInt(std::string_view text);

// The whole text as a decimal number, "1e-3", "inf" and "nan" included; nothing for anything else
// and for numbers beyond the range of double.
std::optional<double> ParseDouble(std::string_view text);

// Lower case of the ASCII letters; all other bytes stay.
std::string LowerAscii(std::string_view text);

// How many bytes to add, drop or change to make b of a. For "did you mean" in messages. Takes time
// in proportion to the product of the lengths: limit what comes from outside.
size_t EditDistance(std::string_view a, std::string_view b);

// At most so many names that differ from the given one by little, or contain it; the nearest first.
// For "did you mean". Case does not count. Names of more than 256 characters are skipped.
std::vector<std::string> NearestNames(std::string_view name, std::span<const std::string> names,
                                      size_t most);

// Hashes std::string and std::string_view alike, so that maps are searched without a copy:
//   std::unordered_map<std::string, int, StringHash, std::equal_to<>> counts;
struct StringHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

}  // namespace warden

#endif  // WARDEN_BASE_STRINGS_H_
