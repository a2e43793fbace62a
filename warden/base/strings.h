#ifndef WARDEN_BASE_STRINGS_H_
#define WARDEN_BASE_STRINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warden {

// Without white space at both ends.
std::string_view Trim(std::string_view text);

// The parts between the separators, trimmed, empty ones left out.
std::vector<std::string> SplitTrimmed(std::string_view text, char separator);

// The whole text as a decimal integer, a sign allowed; nothing for anything else or on overflow.
std::optional<int64_t> ParseInt(std::string_view text);

// The whole text as a finite or non-finite decimal number.
std::optional<double> ParseDouble(std::string_view text);

// Lower case of the ASCII letters.
std::string LowerAscii(std::string_view text);

// How many letters to add, drop or change to make b of a. For "did you mean" in messages.
size_t EditDistance(std::string_view a, std::string_view b);

// Hashes std::string and std::string_view alike, so that maps are searched without a copy.
struct StringHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

}  // namespace warden

#endif  // WARDEN_BASE_STRINGS_H_
