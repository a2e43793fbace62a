#include "warden/base/text/utf8.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>

namespace warden {
namespace {

// The bytes of a character by the first of them; 0 if none begins so.
size_t SizeFrom(uint8_t lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;  // In the middle of a character, or longer than needed.
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
}

}  // namespace

Character FirstCharacter(std::string_view text) {
  if (text.empty()) return {};
  const auto lead = static_cast<uint8_t>(text[0]);
  const size_t size = SizeFrom(lead);
  if (size <= 1) return {lead, size};
  if (size > text.size()) return {};
  char32_t code = lead & (0xFFu >> (size + 1));
  for (const char byte : text.substr(1, size - 1)) {
    if (!IsContinuation(byte)) return {};
    code = code << 6 | (static_cast<uint8_t>(byte) & 0x3F);
  }
  static constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kLeast[size] || code > 0x10FFFF || is_surrogate) return {};
  return {code, size};
}

bool IsUtf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

std::string ValidUtf8(std::string_view text) {
  if (IsUtf8(text)) return std::string(text);
  std::string valid;
  while (!text.empty()) {
    const size_t size = FirstCharacter(text).size;
    valid += size == 0 ? kReplacementText : text.substr(0, size);
    text.remove_prefix(std::max<size_t>(size, 1));
  }
  return valid;
}

std::string_view CutUtf8(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && IsContinuation(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

std::string OneLine(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<uint8_t>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return line;
}

}  // namespace warden
