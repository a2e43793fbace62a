#include "warden/base/number_pattern.h"

#include <gtest/gtest.h>

namespace warden {
namespace {

std::optional<double> NumberIn(std::string_view text, std::string_view pattern) {
  return NumberPattern::Compile(pattern).value().Find(text);
}

TEST(NumberPattern, FindsTheFirstGroup) {
  EXPECT_EQ(NumberIn("epoch 3 loss: 0.25 acc: 0.5", "loss: ([0-9.]+)"), 0.25);
  EXPECT_EQ(NumberIn("epoch 3 loss: -1e-3;", "loss: (.*?);"), -1e-3);
  EXPECT_EQ(NumberIn("a=1 b=2", "a=(\\d) b=(\\d)"), 1);
  EXPECT_EQ(NumberIn("42 done", "\\d+"), 42);
  EXPECT_EQ(NumberIn("b", "(\\d)|b"), std::nullopt);
  EXPECT_EQ(NumberIn("loss: nan", "loss: (.*)"), std::nullopt);
  EXPECT_EQ(NumberIn("loss: much", "loss: (.*)"), std::nullopt);
  EXPECT_EQ(NumberIn("nothing", "loss: (.*)"), std::nullopt);
}

TEST(NumberPattern, RefusesWhatDoesNotCompile) {
  EXPECT_EQ(NumberPattern::Compile("(").status().code(), Code::kInvalid);
}

TEST(NumberPattern, ARunawayIsGivenUp) {
  const auto pattern = NumberPattern::Compile("(?:a+)+$|(\\d+)").value();
  const std::string line = std::string(5000, 'a') + "b";
  for (int i = 0; i < 2; ++i) EXPECT_EQ(pattern.Find(line), std::nullopt);
  EXPECT_EQ(pattern.Find("7"), 7);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(pattern.Find(line), std::nullopt);
  EXPECT_EQ(pattern.Find("7"), std::nullopt) << "dropped after a few";
  const auto slow = NumberPattern::Compile("^(?:(?:a+)+b|a+(\\d))").value();
  EXPECT_EQ(slow.Find("aaa7"), 7);
  EXPECT_EQ(slow.Find(std::string(20, 'a') + "7"), std::nullopt) << "takes a million steps";
}

}  // namespace
}  // namespace warden
