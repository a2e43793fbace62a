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

// Written out, because gcc leaves the loop as it is, which costs a fifth of the speed.
uint32_t AddWord(uint32_t crc, uint64_t word) {
  word ^= crc;
  const auto byte = [word](int i) { return (word >> (8 * i)) & 0xFF; };
  return kTables[7][byte(0)] ^ kTables[6][byte(1)] ^ kTables[5][byte(2)] ^ kTables[4][byte(3)] ^
         kTables[3][byte(4)] ^ kTables[2][byte(5)] ^ kTables[1][byte(6)] ^ kTables[0][byte(7)];
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
