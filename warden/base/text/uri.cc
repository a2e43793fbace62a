#include "warden/base/text/uri.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace warden {
namespace {

constexpr size_t kLongestName = 150;

bool IsUnreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

// -1 if it is none.
int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Appends the decoded text; what is malformed stays as it is. Returns whether nothing was.
bool Decode(std::string_view text, bool plus_is_blank, std::string* out) {
  bool is_well_formed = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool has_digits = text[i] == '%' && i + 2 < text.size() && DigitOf(text[i + 1]) >= 0 &&
                            DigitOf(text[i + 2]) >= 0;
    if (has_digits) {
      *out += static_cast<char>(DigitOf(text[i + 1]) << 4 | DigitOf(text[i + 2]));
      i += 2;
    } else {
      is_well_formed = is_well_formed && text[i] != '%';
      *out += text[i] == '+' && plus_is_blank ? ' ' : text[i];
    }
  }
  return is_well_formed;
}

bool DecodeQuery(std::string_view query, QueryPairs* pairs) {
  bool is_well_formed = true;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty()) continue;
    const std::string_view name = pair.substr(0, pair.find('='));
    const std::string_view value = pair.substr(std::min(name.size() + 1, pair.size()));
    auto& decoded = pairs->emplace_back();
    is_well_formed = Decode(name, true, &decoded.first) && is_well_formed;
    is_well_formed = Decode(value, true, &decoded.second) && is_well_formed;
  }
  return is_well_formed;
}

uint64_t Fnv1a(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3;
  return hash;
}

}  // namespace

std::string UriEncode(std::string_view text, bool also_slash) {
  std::string encoded;
  for (const char c : text) {
    if (IsUnreserved(c) || (c == '/' && !also_slash)) {
      encoded += c;
    } else {
      const auto byte = static_cast<uint8_t>(c);
      encoded += '%';
      encoded += "0123456789ABCDEF"[byte >> 4];
      encoded += "0123456789ABCDEF"[byte & 0x0F];
    }
  }
  return encoded;
}

std::string UriDecode(std::string_view text) {
  std::string decoded;
  (void)Decode(text, /*plus_is_blank=*/false, &decoded);
  return decoded;
}

std::optional<std::string> StrictUriDecode(std::string_view text, bool plus_is_blank) {
  std::string decoded;
  if (!Decode(text, plus_is_blank, &decoded)) return std::nullopt;
  return decoded;
}

QueryPairs ParseQuery(std::string_view query) {
  QueryPairs pairs;
  (void)DecodeQuery(query, &pairs);
  return pairs;
}

std::optional<QueryPairs> StrictParseQuery(std::string_view query) {
  QueryPairs pairs;
  if (!DecodeQuery(query, &pairs)) return std::nullopt;
  return pairs;
}

std::string SafeFileName(std::string_view name) {
  std::string safe;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' ||
                       (c == '.' && i > 0);  // A leading one would hide the file.
    safe += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<uint8_t>(c));
  }
  if (safe.size() <= kLongestName) return safe;
  return fmt::format("{}%{:016x}", safe.substr(0, kLongestName), Fnv1a(name));
}

}  // namespace warden
