#include "warden/base/text/uri.h"

#include <algorithm>
#include <cstdint>

namespace warden {
namespace {

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

std::string DecodePart(std::string_view text) {
  std::string blanks(text);
  std::ranges::replace(blanks, '+', ' ');
  return UriDecode(blanks);
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
  for (size_t i = 0; i < text.size(); ++i) {
    const bool has_digits = text[i] == '%' && i + 2 < text.size() && DigitOf(text[i + 1]) >= 0 &&
                            DigitOf(text[i + 2]) >= 0;
    if (!has_digits) {
      decoded += text[i];
      continue;
    }
    decoded += static_cast<char>(DigitOf(text[i + 1]) << 4 | DigitOf(text[i + 2]));
    i += 2;
  }
  return decoded;
}

std::vector<std::pair<std::string, std::string>> ParseQuery(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parts;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(part.size() + 1, query.size()));
    if (part.empty()) continue;
    const size_t sign = part.find('=');
    parts.emplace_back(DecodePart(part.substr(0, sign)), sign == std::string_view::npos
                                                             ? std::string()
                                                             : DecodePart(part.substr(sign + 1)));
  }
  return parts;
}

}  // namespace warden
