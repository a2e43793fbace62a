#include <array>

#include "warden/format/crc32c_kernels.h"
#include "warden/format/little_endian.h"

namespace warden::format {
namespace {

using Table = std::array<uint32_t, 256>;

// kTables[n][b] is what byte b does to the sum when n more bytes follow it, so that eight bytes are
// looked up independently of each other.
constexpr std::array<Table, 8> MakeTables() {
  std::array<Table, 8> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? kCrc32cPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t n = 1; n < tables.size(); ++n) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[n - 1][byte];
      tables[n][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}

constexpr std::array<Table, 8> kTables = MakeTables();

uint32_t AddWord(uint32_t crc, uint64_t word) {
  word ^= crc;
  uint32_t sum = 0;
  for (size_t i = 0; i < 8; ++i) sum ^= kTables[7 - i][(word >> (8 * i)) & 0xFF];
  return sum;
}

uint32_t AddByte(uint32_t crc, std::byte byte) {
  return (crc >> 8) ^ kTables[0][(crc ^ static_cast<uint32_t>(byte)) & 0xFF];
}

}  // namespace

uint32_t Crc32cPortable(Bytes bytes, uint32_t crc) {
  crc = ~crc;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    crc = AddWord(crc, LoadLittleEndian<uint64_t>(bytes.data()));
  }
  for (const std::byte byte : bytes) crc = AddByte(crc, byte);
  return ~crc;
}

}  // namespace warden::format
