#include "warden/base/text/printable.h"

#include <gtest/gtest.h>

namespace warden {
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

}  // namespace
}  // namespace warden
