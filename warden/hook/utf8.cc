#include "warden/hook/utf8.h"

#include <cstddef>
#include <cstdint>

namespace warden::hook {
namespace {

// The bytes of the character that begins with lead; 0 if none does.
size_t LengthFrom(uint8_t lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// Longer forms than needed, halves of surrogate pairs, and what is beyond the last character show
// in the second byte.
bool FitsLead(uint8_t lead, uint8_t second) {
  switch (lead) {
    case 0xE0: return second >= 0xA0;
    case 0xED: return second < 0xA0;
    case 0xF0: return second >= 0x90;
    case 0xF4: return second < 0x90;
    default: return true;
  }
}

}  // namespace

bool IsUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<uint8_t>(text[at]);
    const size_t length = LengthFrom(lead);
    if (length == 0 || length > text.size() - at) return false;
    for (size_t i = 1; i < length; ++i) {
      if ((static_cast<uint8_t>(text[at + i]) & 0xC0) != 0x80) return false;
    }
    if (length > 1 && !FitsLead(lead, static_cast<uint8_t>(text[at + 1]))) return false;
    at += length;
  }
  return true;
}

}  // namespace warden::hook
