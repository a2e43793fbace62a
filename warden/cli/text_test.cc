#include "warden/cli/text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warden::cli {
namespace {

TEST(FormatTest, Numbers) {
  EXPECT_EQ(FormatNumber(0.1), "0.1");
  EXPECT_EQ(FormatNumber(-1.0 / 3), "-0.333333");
  EXPECT_EQ(FormatNumber(std::nan("")), "nan");
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(1023), "1023 B");
  EXPECT_EQ(FormatBytes(1536), "1.5 KiB");
  EXPECT_EQ(FormatBytes(1048575), "1.0 MiB");
  EXPECT_EQ(FormatBytes(~uint64_t{0}), "16.0 EiB");
  EXPECT_EQ(CountOf(1, "file"), "1 file");
  EXPECT_EQ(CountOf(0, "file"), "0 files");
}

}  // namespace
}  // namespace warden::cli
