#ifndef WARDEN_FORMAT_CRC32C_H_
#define WARDEN_FORMAT_CRC32C_H_

#include <cstdint>

#include "warden/base/types.h"

namespace warden::format {

// The checksum of record files (record.h), compatible with TensorFlow's. Safe for many threads.

// CRC-32C (Castagnoli) of the bytes, or of what gave crc followed by the bytes, so that a sum can
// be taken piece by piece:
//   Crc32c(b, Crc32c(a)) == Crc32c(a followed by b)
// Uses the processor's instructions where it has them, chosen at run time; the result is the same.
uint32_t Crc32c(Bytes bytes, uint32_t crc = 0);

// The rotation that record files store instead of the plain sum: a sum over data that contains sums
// would otherwise be weak. UnmaskCrc is its inverse.
constexpr uint32_t MaskCrc(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u; }
constexpr uint32_t UnmaskCrc(uint32_t masked) {
  const uint32_t rotated = masked - 0xA282EAD8u;
  return (rotated >> 17) | (rotated << 15);
}

}  // namespace warden::format

#endif  // WARDEN_FORMAT_CRC32C_H_
