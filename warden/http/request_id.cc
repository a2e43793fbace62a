#include "warden/http/request_id.h"

#include <openssl/rand.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace warden::http {

std::string NewRequestId() {
  std::array<uint8_t, 16> bytes{};
  // It need not be a secret: if there is no randomness, it is only less useful.
  static_cast<void>(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())));
  bytes[6] = static_cast<uint8_t>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<uint8_t>((bytes[8] & 0x3F) | 0x80);
  std::string id;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) id += '-';
    id += "0123456789abcdef"[bytes[i] >> 4];
    id += "0123456789abcdef"[bytes[i] & 0x0F];
  }
  return id;
}

}  // namespace warden::http
