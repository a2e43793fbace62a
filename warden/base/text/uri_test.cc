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

}  // namespace
}  // namespace warden
