#include "warden/base/text/uri.h"

#include <gtest/gtest.h>

namespace warden {
namespace {

TEST(UriTest, GoesThereAndBack) {
  EXPECT_EQ(StrictUriDecode("a%20b+c", true), "a b c");
  EXPECT_EQ(StrictUriDecode("a+b", false), "a+b");
  EXPECT_EQ(StrictUriDecode("%4", false), std::nullopt);
  EXPECT_EQ(StrictUriDecode("%4g", false), std::nullopt);
  EXPECT_EQ(UriEncode("a b+/%\xC3\xA9~", /*also_slash=*/false), "a%20b%2B/%25%C3%A9~");
}

TEST(UriTest, KeepsWhatIsMalformedUnlessAskedToRefuseIt) {
  EXPECT_EQ(UriDecode("%41%4+%4g%"), "A%4+%4g%");
  const QueryPairs kept = {{"a b", "%"}, {"c", ""}, {"", "d=e"}};
  EXPECT_EQ(ParseQuery("a+b=%&&c&=d=e"), kept);
  EXPECT_EQ(StrictParseQuery("a+b=%&&c&=d=e"), std::nullopt);
  EXPECT_EQ(StrictParseQuery("%=x"), std::nullopt);
  const QueryPairs decoded = {{"a b", "%"}, {"a b", ""}};
  EXPECT_EQ(StrictParseQuery("a+b=%25&a%20b="), decoded);
}

TEST(SafeFileNameTest, LeadsNowhereElse) {
  EXPECT_EQ(SafeFileName("fc.weight_0"), "fc.weight_0");
  EXPECT_EQ(SafeFileName("gradient/fc:0"), "gradient%2Ffc%3A0");
  EXPECT_EQ(SafeFileName("../../etc"), "%2E.%2F..%2Fetc");
  EXPECT_EQ(SafeFileName("a@b%"), "a%40b%25");
  EXPECT_EQ(SafeFileName(std::string("\0\n", 2)), "%00%0A");
}

TEST(SafeFileNameTest, LongNamesStayDifferent) {
  const std::string a = SafeFileName(std::string(5000, 'x') + "a");
  const std::string b = SafeFileName(std::string(5000, 'x') + "b");
  EXPECT_LT(a.size(), 200u);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace warden
