#include "warden/net/digest.h"

#include <gtest/gtest.h>

namespace warden::net {
namespace {

TEST(DigestTest, IsWhatTheStandardsSay) {
  // FIPS 180-2, RFC 4231 (case 2) and RFC 4648.
  EXPECT_EQ(Hex(Sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(HmacSha256Hex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
}

TEST(DigestTest, UuidHasTheFormOfVersionFourAndDependsOnTheSeed) {
  const std::string uuid = UuidOf("seed");
  ASSERT_EQ(uuid.size(), 36U);
  for (const size_t dash : {8U, 13U, 18U, 23U}) EXPECT_EQ(uuid[dash], '-');
  EXPECT_EQ(uuid[14], '4');
  EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
  EXPECT_EQ(UuidOf("seed"), uuid);
  EXPECT_NE(UuidOf("Seed"), uuid);
}

}  // namespace
}  // namespace warden::net
