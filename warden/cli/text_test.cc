#include "warden/cli/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "warden/base/json.h"

namespace warden::cli {
namespace {

TEST(PrintableTest, KeepsTextAndEscapesWhatATerminalWouldObey) {
  EXPECT_EQ(Printable("fc.weight/größe"), "fc.weight/größe");
  EXPECT_EQ(Printable("a\x1b[31mb\n"), "a\\x1b[31mb\\x0a");
  EXPECT_EQ(Printable("\xC2\x9B"
                      "31m"),
            "\\xc2\\x9b31m");  // The one-character form of ESC [.
  EXPECT_EQ(Printable("\xFF\xC3"), "\\xff\\xc3");
  EXPECT_EQ(Printable("\xE2\x82"), "\\xe2\\x82");
}

TEST(ShortenTest, CutsAtCodePoints) {
  EXPECT_EQ(Shorten("short", 5, "~"), "short");
  EXPECT_EQ(Shorten("longer", 4, "~"), "lon~");
  EXPECT_EQ(Shorten("äöüß", 3, "…"), "äö…");
  EXPECT_EQ(Shorten("abc", 0, "~"), "~");
}

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

TEST(JsonNumberTest, IsValidJsonForEveryNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(DumpLikePython(JsonNumber(0.5)), "0.5");
  EXPECT_EQ(DumpLikePython(JsonNumber(std::nan(""))), "\"NaN\"");
  EXPECT_EQ(DumpLikePython(JsonNumber(infinity)), "\"Infinity\"");
  EXPECT_EQ(DumpLikePython(JsonNumber(-infinity)), "\"-Infinity\"");
}

TEST(NearestNamesTest, ProposesWhatIsNear) {
  const std::vector<std::string> names = {"fc.bias", "fc.weight", "gradient/fc.weight"};
  EXPECT_EQ(NearestNames("fc.wieght", names, 3), std::vector<std::string>{"fc.weight"});
  EXPECT_EQ(NearestNames("fc.weight", names, 1), std::vector<std::string>{"fc.weight"});
  EXPECT_TRUE(NearestNames("something else", names, 3).empty());
  EXPECT_TRUE(NearestNames(std::string(100'000, 'x'), names, 3).empty());
}

}  // namespace
}  // namespace warden::cli
