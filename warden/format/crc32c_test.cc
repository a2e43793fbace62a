#include "warden/format/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "warden/format/crc32c_kernels.h"

namespace warden::format {
namespace {

std::string RandomText(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  std::string text(size, '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

// The definition, bit by bit.
uint32_t Reference(std::string_view text) {
  uint32_t crc = ~0u;
  for (const char c : text) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? kCrc32cPolynomial : 0);
  }
  return ~crc;
}

// Around the lengths at which the fast kernel changes its ways (3 * 256, 3 * 8192).
std::vector<size_t> InterestingSizes() {
  std::vector<size_t> sizes;
  for (size_t size = 0; size <= 40; ++size) sizes.push_back(size);
  for (const size_t middle : {256, 768, 1536, 4096, 12288, 24576, 25344}) {
    for (size_t size = middle - 9; size <= middle + 9; ++size) sizes.push_back(size);
  }
  return sizes;
}

TEST(Crc32c, KnownValues) {
  EXPECT_EQ(Crc32c(AsBytes("123456789")), 0xE3069283u);
  EXPECT_EQ(Crc32c({}), 0u);
  EXPECT_EQ(Crc32c(AsBytes(std::string(32, '\0'))), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(AsBytes(std::string(32, '\xFF'))), 0x62A8AB43u);
}

TEST(Crc32c, KernelsAgreeWithTheDefinition) {
  const std::string text = RandomText(30000, 1);
  for (const size_t size : InterestingSizes()) {
    for (const size_t start : {0, 1, 3, 7}) {
      const std::string_view part = std::string_view(text).substr(start, size);
      const uint32_t want = Reference(part);
      ASSERT_EQ(Crc32cPortable(AsBytes(part), 0), want) << size << " from " << start;
      if (HasSse42()) {
        ASSERT_EQ(Crc32cSse42(AsBytes(part), 0), want) << size << " from " << start;
      }
    }
  }
}

TEST(Crc32c, PartsGiveTheSumOfTheWhole) {
  const std::string text = RandomText(1000, 2);
  const uint32_t whole = Crc32c(AsBytes(text));
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    const uint32_t front = Crc32c(AsBytes(text).first(cut));
    ASSERT_EQ(Crc32c(AsBytes(text).subspan(cut), front), whole) << cut;
    ASSERT_EQ(Crc32cPortable(AsBytes(text).subspan(cut), front), whole) << cut;
  }
}

TEST(Crc32c, PartsOfLongTextGiveTheSumOfTheWhole) {
  const std::string text = RandomText(60000, 3);
  const uint32_t whole = Crc32c(AsBytes(text));
  for (const size_t cut : InterestingSizes()) {
    const uint32_t front = Crc32c(AsBytes(text).first(cut));
    ASSERT_EQ(Crc32c(AsBytes(text).subspan(cut), front), whole) << cut;
  }
}

TEST(Crc32c, MaskIsUndone) {
  for (const uint32_t crc : {0u, 1u, 0xE3069283u, 0xFFFFFFFFu}) {
    EXPECT_EQ(UnmaskCrc(MaskCrc(crc)), crc);
    EXPECT_NE(MaskCrc(crc), crc);
  }
}

}  // namespace
}  // namespace warden::format
