// The small parts that have no folder of files to look at.

#include <gtest/gtest.h>

#include "warden/base/time.h"
#include "warden/net/digest.h"
#include "warden/s3/checksum.h"
#include "warden/s3/get.h"
#include "warden/s3/xml.h"

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

TEST(XmlTest, WritesAnything) {
  XmlWriter xml;
  xml.Open("a", "urn:x").Leaf("b", "<&>\"\x01\r\n\xC3\xA9").Close("a");
  EXPECT_EQ(xml.text(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<a xmlns=\"urn:x\"><b>&lt;&amp;&gt;&quot;&#x1;&#xD;\n\xC3\xA9</b></a>");
}

TEST(XmlTest, ReadsWhatClientsSend) {
  const Result<XmlElement> root = ParseXml(
      "<?xml version='1.0'?><!-- c --><s3:a xmlns:s3=\"u\" k = 'v'>\n <b>x&amp;&#x41;&#66;</b>"
      "<c/><b>2</b></s3:a>\n");
  ASSERT_TRUE(root.ok());
  EXPECT_EQ(root.value().name, "a");
  EXPECT_EQ(root.value().children.size(), 3u);
  EXPECT_EQ(root.value().Text("b"), "x&AB");
  EXPECT_EQ(root.value().Text("none"), "");
}

TEST(XmlTest, RefusesEverythingElse) {
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<a>";
  for (const std::string& text :
       {std::string(), std::string("a"), std::string("<a>"), std::string("<a></b>"),
        std::string("<a/><b/>"), std::string("<a b></a>"), std::string("<a>&b;</a>"),
        std::string("<a>&#0;</a>"), std::string("<a>&#xD800;</a>"), std::string("<a>&amp</a>"),
        std::string("<!DOCTYPE a><a/>"), std::string("<a><![CDATA[x]]></a>"),
        std::string("<a>\xFF</a>"), std::string("<a>\0</a>", 8), deep}) {
    EXPECT_EQ(ParseXml(text).status().code(), Code::kInvalid) << text.substr(0, 40);
  }
  std::string many = "<a>";
  for (int i = 0; i < 100'001; ++i) many += "<b/>";
  EXPECT_FALSE(ParseXml(many + "</a>").ok());
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
