#include "warden/base/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "warden/base/text/utf8.h"

namespace warden {
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

}  // namespace warden
