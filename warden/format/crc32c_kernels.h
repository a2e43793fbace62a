#ifndef WARDEN_FORMAT_CRC32C_KERNELS_H_
#define WARDEN_FORMAT_CRC32C_KERNELS_H_

#include <cstdint>

#include "warden/base/types.h"

namespace warden::format {

// The two ways in which Crc32c computes, apart so that tests can compare them. Both have the
// contract of Crc32c; everybody else calls that one, which picks.

// Eight bytes at a time through tables, on any processor.
uint32_t Crc32cPortable(Bytes bytes, uint32_t crc);

// Whether this processor has what Crc32cSse42 needs: SSE 4.2 and PCLMUL. Always false where that is
// not x86-64.
bool HasSse42();

// With the crc32 and pclmulqdq instructions, three sums side by side. REQUIRES: HasSse42().
uint32_t Crc32cSse42(Bytes bytes, uint32_t crc);

// The reflected polynomial of CRC-32C: bit 31 is the coefficient of x^0.
inline constexpr uint32_t kCrc32cPolynomial = 0x82F63B78;

}  // namespace warden::format

#endif  // WARDEN_FORMAT_CRC32C_KERNELS_H_
