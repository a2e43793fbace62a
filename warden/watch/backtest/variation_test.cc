#include "warden/watch/backtest/variation.h"

#include <gtest/gtest.h>

namespace warden::watch {
namespace {

using Texts = std::vector<std::string>;

Texts ValuesIn(const std::string& text) {
  const auto variation = ParseVariation(text);
  EXPECT_TRUE(variation.ok()) << variation.status().message();
  return variation.ok() ? variation.value().values : Texts();
}

TEST(VariationTest, ListsAndRanges) {
  const auto variation = ParseVariation(" LossSpike.threshold = 3, 5,8 ");
  ASSERT_TRUE(variation.ok());
  EXPECT_EQ(variation.value().rule, "LossSpike");
  EXPECT_EQ(variation.value().parameter, "threshold");
  EXPECT_EQ(variation.value().values, (Texts{"3", "5", "8"}));
  EXPECT_EQ(ValuesIn("A.b=0..1"), (Texts{"0", "0.25", "0.5", "0.75", "1"}));
  EXPECT_EQ(ValuesIn("A.b=1e-8..1e-4"), (Texts{"1e-08", "1e-07", "1e-06", "1e-05", "0.0001"}));
  EXPECT_EQ(ValuesIn("A.b=1e-300..1e300:3"), (Texts{"1e-300", "1", "1e+300"}));
  EXPECT_EQ(ValuesIn("A.b=-2..2:3"), (Texts{"-2", "0", "2"}));
  EXPECT_EQ(ValuesIn("my.rule.b=x"), (Texts{"x"}));
  // An integer parameter has each value once.
  EXPECT_EQ(ValuesIn("GradientFlow.steps=1..3:9"), (Texts{"1", "2", "3"}));
}

TEST(VariationTest, BadOnesSayWhatIsExpected) {
  for (const char* text :
       {"", "A", "A.b", "A=1", ".b=1", "A.=1", "A.b=", "A.b=,", "A.b=3..1", "A.b=1..1", "A.b=x..y",
        "A.b=..", "A.b=1..2:1", "A.b=1..2:1000", "A.b=1..2:x", "A.b=nan..2", "A.b=0..inf"}) {
    const auto variation = ParseVariation(text);
    ASSERT_FALSE(variation.ok()) << text;
    EXPECT_EQ(variation.status().code(), Code::kInvalid);
    EXPECT_NE(variation.status().message().find("expected"), std::string::npos) << text;
  }
}

TEST(VariationTest, OneConfigurationForEachValue) {
  rules::RuleConfig mine{"Mine", "VanishingGradient", ""};
  mine.params = {{"threshold", "1"}, {"start_step", "5"}};
  const auto by_rule = VariedRules({"vanishing_gradient", "threshold", {"2", "3"}}, {mine});
  ASSERT_EQ(by_rule.size(), 2u);
  EXPECT_EQ(by_rule[1].name, "Mine threshold=3");
  EXPECT_EQ(by_rule[1].params.at("threshold"), "3");
  EXPECT_EQ(by_rule[1].params.at("start_step"), "5");
  const auto by_name = VariedRules({"Mine", "start_step", {"7"}}, {mine});
  EXPECT_EQ(by_name[0].params.at("start_step"), "7");
  const auto fresh = VariedRules({"AllZero", "threshold", {"50"}}, {mine});
  EXPECT_EQ(fresh[0].name, "AllZero threshold=50");
  EXPECT_EQ(fresh[0].rule, "AllZero");
}

}  // namespace
}  // namespace warden::watch
