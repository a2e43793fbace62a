#include "warden/rules/confidence.h"

#include <gtest/gtest.h>

namespace warden::rules {
namespace {

TEST(ConfidenceTest, NamesAreReadBack) {
  for (const Confidence confidence : {Confidence::kHigh, Confidence::kMedium, Confidence::kLow}) {
    EXPECT_EQ(ParseConfidence(ConfidenceName(confidence)), confidence);
  }
  EXPECT_EQ(ParseConfidence("certain"), std::nullopt);
  EXPECT_EQ(ParseConfidence(""), std::nullopt);
}

}  // namespace
}  // namespace warden::rules
