#include "warden/base/text/file_name.h"

#include <gtest/gtest.h>

namespace warden {
namespace {

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
