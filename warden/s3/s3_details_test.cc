// The small parts that have no folder of files to look at.

#include <gtest/gtest.h>

#include "warden/base/time.h"
#include "warden/net/digest.h"
#include "warden/s3/checksum.h"
#include "warden/s3/get.h"

namespace warden::s3 {
namespace {

TEST(ChecksumTest, GivesTheKnownSums) {
  const auto sum = [](const char* name) {
    const std::unique_ptr<Checksum> checksum = MakeChecksum(name);
    checksum->Update("1234");
    checksum->Update("56789");
    return net::Hex(checksum->Finish());
  };
  EXPECT_EQ(sum("crc32"), "cbf43926");
  EXPECT_EQ(sum("crc32c"), "e3069283");
  EXPECT_EQ(sum("crc64nvme"), "ae8b14860a799888");
  EXPECT_EQ(sum("md5"), "25f9e794323b453885f5181f1b624d0b");
  EXPECT_EQ(sum("sha1"), "f7c3bc1d808e04732adf679965ccc34ca7ae3441");
  EXPECT_EQ(MakeChecksum("crc16"), nullptr);
  EXPECT_EQ(ChecksumOfHeader("x-amz-checksum-sha256"), "sha256");
  EXPECT_EQ(ChecksumOfHeader("x-amz-checksum-algorithm"), "");
  EXPECT_EQ(ChecksumOfHeader("content-md5"), "");
}

TEST(TimesTest, GoThereAndBack) {
  const Time time(std::chrono::milliseconds(784111777123));
  EXPECT_EQ(HttpDate(time), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(IsoTime(time), "1994-11-06T08:49:37.123Z");
  EXPECT_EQ(ParseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"),
            Time(std::chrono::milliseconds(784111777000)));
  for (const char* text : {"", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 36 Nov 1994 08:49:37 GMT",
                           "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 0x Nov 1994 08:49:37 GMT"}) {
    EXPECT_EQ(ParseHttpDate(text), std::nullopt) << text;
  }
}

TEST(RangeTest, KeepsToWhatIsThere) {
  const auto range = [](const char* text) {
    const std::optional<ByteRange> found = ParseRange(text, 10);
    return found ? std::to_string(found->offset) + "+" + std::to_string(found->length) : "none";
  };
  EXPECT_EQ(range("bytes=0-0"), "0+1");
  EXPECT_EQ(range("bytes=9-"), "9+1");
  EXPECT_EQ(range("bytes=10-"), "10+0");
  EXPECT_EQ(range("bytes=-20"), "0+10");
  EXPECT_EQ(range("bytes=-0"), "10+0");
  EXPECT_EQ(range("bytes=-"), "none");
  EXPECT_EQ(range("bytes=0-1,3-4"), "none");
  EXPECT_EQ(range("bytes=9223372036854775807-9223372036854775807"), "9223372036854775807+0");
}

}  // namespace
}  // namespace warden::s3
