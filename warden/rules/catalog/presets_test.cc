#include "warden/rules/catalog/presets.h"

#include <gtest/gtest.h>

#include "warden/rules/engine/engine.h"

namespace warden::rules {
namespace {

TEST(PresetsTest, EveryRuleOfAPresetNeedsNoParameter) {
  for (const char* name : {"default", "all"}) {
    const auto preset = Preset(name, nullptr);
    ASSERT_TRUE(preset.has_value()) << name;
    EXPECT_GE(preset->size(), 8u);
    std::vector<std::string> notices;
    const auto rules = PrepareRules(*preset, &notices);
    EXPECT_TRUE(rules.ok()) << rules.status().message();
    EXPECT_TRUE(notices.empty());
  }
}

TEST(PresetsTest, NoneIsEmptyAndOthersAreNoPresets) {
  EXPECT_TRUE(Preset("none", nullptr)->empty());
  EXPECT_FALSE(Preset("VanishingGradient", nullptr).has_value());
}

}  // namespace
}  // namespace warden::rules
