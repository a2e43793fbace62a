#include "warden/format/crc32c_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "warden/format/little_endian.h"

// The build knows no processor beyond the oldest x86-64: only these functions may use more.
#define WARDEN_SSE42 __attribute__((target("sse4.2,pclmul")))

namespace warden::format {
namespace {

// Product of two reflected polynomials modulo the CRC's.
constexpr uint32_t MultiplyModulo(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = 1u << 31; bit != 0; bit >>= 1) {
    if (a & bit) product ^= b;
    b = (b >> 1) ^ (b & 1 ? kCrc32cPolynomial : 0);
  }
  return product;
}

constexpr uint32_t XToThe(uint64_t exponent) {
  uint32_t result = 1u << 31;  // x^0
  uint32_t square = 1u << 30;  // x^1
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = MultiplyModulo(result, square);
    square = MultiplyModulo(square, square);
  }
  return result;
}

// The sum as it would be if kBytes zero bytes followed, that is times x^(8 kBytes). Both operands
// being reflected, the product of pclmulqdq is short of one x, and the crc32 instruction that
// reduces it multiplies by x^32: hence 33 less in the constant.
template <uint64_t kBytes>
WARDEN_SSE42 uint32_t ShiftBy(uint32_t crc) {
  static constexpr uint32_t kFactor = XToThe(8 * kBytes - 33);
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi32_si128(static_cast<int>(crc)),
                           _mm_cvtsi32_si128(static_cast<int>(kFactor)), /*low halves*/ 0);
  return static_cast<uint32_t>(_mm_crc32_u64(0, static_cast<uint64_t>(_mm_cvtsi128_si64(product))));
}

// Takes from the front of *bytes as many runs of three neighbouring stretches as there are. The
// crc32 instruction starts every cycle but takes three, so three sums run side by side.
template <size_t kStretch>
WARDEN_SSE42 uint32_t AddTriples(uint32_t crc, Bytes* bytes) {
  while (bytes->size() >= 3 * kStretch) {
    const std::byte* at = bytes->data();
    uint64_t first = crc;
    uint64_t second = 0;
    uint64_t third = 0;
    for (const std::byte* const end = at + kStretch; at != end; at += 8) {
      first = _mm_crc32_u64(first, LoadLittleEndian<uint64_t>(at));
      second = _mm_crc32_u64(second, LoadLittleEndian<uint64_t>(at + kStretch));
      third = _mm_crc32_u64(third, LoadLittleEndian<uint64_t>(at + 2 * kStretch));
    }
    crc = ShiftBy<2 * kStretch>(static_cast<uint32_t>(first)) ^
          ShiftBy<kStretch>(static_cast<uint32_t>(second)) ^ static_cast<uint32_t>(third);
    *bytes = bytes->subspan(3 * kStretch);
  }
  return crc;
}

}  // namespace

bool HasSse42() { return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul"); }

WARDEN_SSE42 uint32_t Crc32cSse42(Bytes bytes, uint32_t crc) {
  crc = AddTriples<8192>(~crc, &bytes);
  crc = AddTriples<256>(crc, &bytes);
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    crc = static_cast<uint32_t>(_mm_crc32_u64(crc, LoadLittleEndian<uint64_t>(bytes.data())));
  }
  for (const std::byte byte : bytes) crc = _mm_crc32_u8(crc, static_cast<uint8_t>(byte));
  return ~crc;
}

}  // namespace warden::format

#else  // !__x86_64__

namespace warden::format {

bool HasSse42() { return false; }
uint32_t Crc32cSse42(Bytes bytes, uint32_t crc) { return Crc32cPortable(bytes, crc); }

}  // namespace warden::format

#endif
