#include "warden/rules/severity.h"

#include <gtest/gtest.h>

namespace warden::rules {
namespace {

TEST(SeverityTest, NamesAreReadBack) {
  for (const Severity severity : {Severity::kProblem, Severity::kWarning, Severity::kNote}) {
    EXPECT_EQ(ParseSeverity(SeverityName(severity)), severity);
  }
  EXPECT_EQ(ParseSeverity("Warning"), Severity::kWarning);
  EXPECT_EQ(ParseSeverity("fatal"), std::nullopt);
  EXPECT_EQ(ParseSeverity(""), std::nullopt);
}

TEST(SeverityTest, AProblemIsWorseThanAWarningAndThatThanANote) {
  EXPECT_TRUE(IsAtLeast(Severity::kProblem, Severity::kWarning));
  EXPECT_TRUE(IsAtLeast(Severity::kWarning, Severity::kWarning));
  EXPECT_FALSE(IsAtLeast(Severity::kNote, Severity::kWarning));
  EXPECT_FALSE(IsAtLeast(Severity::kWarning, Severity::kProblem));
}

}  // namespace
}  // namespace warden::rules
