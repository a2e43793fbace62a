#include "warden/base/types.h"

#include <gtest/gtest.h>

namespace warden {
namespace {

TEST(Mode, NumbersAreThoseOnDisk) {
  for (size_t i = 0; i < kAllModes.size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(kAllModes[i]), i + 1);
    EXPECT_EQ(ModeIndex(kAllModes[i]), i);
  }
}

TEST(Mode, NamesRoundTrip) {
  for (Mode mode : kAllModes) EXPECT_EQ(ParseMode(ModeName(mode)), mode);
  EXPECT_EQ(ParseMode(" EVAL\n"), Mode::kEval);
  EXPECT_EQ(ParseMode("eval"), std::nullopt);
  EXPECT_EQ(ParseMode(""), std::nullopt);
}

TEST(Bytes, ViewTheText) {
  const std::string_view text("a\0b", 3);
  EXPECT_EQ(AsBytes(text).size(), 3u);
  EXPECT_EQ(AsText(AsBytes(text)), text);
}

}  // namespace
}  // namespace warden
