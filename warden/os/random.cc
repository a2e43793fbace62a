#include "warden/os/random.h"

#include <random>

namespace warden::os {

std::string RandomHex(size_t digits) {
  std::random_device source;  // The kernel's.
  std::string text;
  text.reserve(digits);
  while (text.size() < digits) {
    unsigned bits = source();
    for (int i = 0; i < 8 && text.size() < digits; ++i, bits >>= 4) {
      text += "0123456789abcdef"[bits & 15];
    }
  }
  return text;
}

std::string RandomUuid() {
  std::string text = RandomHex(32);
  text[12] = '4';
  constexpr char kVariants[] = "89ab";
  text[16] = kVariants[static_cast<unsigned char>(text[16]) % 4];
  for (const size_t dash : {8, 13, 18, 23}) text.insert(dash, 1, '-');
  return text;
}

}  // namespace warden::os
