#include "warden/base/text/utf8.h"

#include <cstdint>

#include "warden/base/json.h"

namespace warden {

std::string ValidUtf8(std::string_view text) {
  // Writing it as JSON replaces what is not valid; reading it back gives the characters.
  std::string quoted;
  AppendJsonString(text, &quoted);
  const auto value = ParseJson(quoted);
  return value.ok() ? value.value().get<std::string>() : std::string();
}

std::string_view CutUtf8(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  // Back to a byte that begins a character.
  while (bytes > 0 && (static_cast<uint8_t>(text[bytes]) & 0xC0) == 0x80) --bytes;
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
