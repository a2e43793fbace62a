#include "warden/jobs/logs/line_filter.h"

#include <gtest/gtest.h>

namespace warden::jobs {
namespace {

std::string LevelText(std::string_view line) { return std::string(LevelName(LevelOf(line))); }

TEST(LevelOfTest, GoesByWords) {
  EXPECT_EQ(LevelText("RuntimeError: CUDA out of memory"), "error");
  EXPECT_EQ(LevelText("ERROR in worker"), "error");
  EXPECT_EQ(LevelText("Traceback (most recent call last):"), "error");
  EXPECT_EQ(LevelText("UserWarning: deprecated"), "");
  EXPECT_EQ(LevelText("WARNING: slow"), "warning");
  EXPECT_EQ(LevelText("warn: slow"), "warning");
  EXPECT_EQ(LevelText("warning, then an error"), "error");
  EXPECT_EQ(LevelText("terror and errors, no_error_here"), "");
  EXPECT_EQ(LevelText(""), "");
}

TEST(LevelOfTest, LevelsHaveNames) {
  EXPECT_EQ(LevelNamed("error"), LineLevel::kError);
  EXPECT_EQ(LevelNamed("warning"), LineLevel::kWarning);
  EXPECT_EQ(LevelNamed(""), LineLevel::kPlain);
  EXPECT_FALSE(LevelNamed("Error"));
}

TEST(PlainLineTest, HasNoSequencesOfTerminals) {
  EXPECT_EQ(PlainLine("\x1B[1;31mred\x1B[0m text"), "red text");
  EXPECT_EQ(PlainLine("\x1B]0;title\x07shown \x1B]8;;http://a\x1B\\link"), "shown link");
  EXPECT_EQ(PlainLine("10%\r20%\r\r"), "20%");
  EXPECT_EQ(PlainLine("\x1BM\x1B[12"), "12");
  EXPECT_EQ(PlainLine("\x1B"), "\x1B");
  EXPECT_EQ(PlainLine("\x1B]"), "");
  EXPECT_EQ(PlainLine(""), "");
}

TEST(LineFilterTest, FindsWhatAPersonSees) {
  const LineFilter loss("LOSS: 0", LineLevel::kPlain);
  EXPECT_TRUE(loss.Matches("step 7, loss: \x1B[32m0.5\x1B[0m"));
  EXPECT_FALSE(loss.Matches("step 7, loss 0.5"));
  EXPECT_FALSE(LineFilter("32m", LineLevel::kPlain).Matches("\x1B[32m0.5"));
  EXPECT_TRUE(LineFilter("", LineLevel::kPlain).Matches(""));
  EXPECT_TRUE(LineFilter("größe", LineLevel::kPlain).Matches("GrößE"));
  EXPECT_FALSE(LineFilter(".*", LineLevel::kPlain).Matches("not a pattern"));
}

TEST(LineFilterTest, LevelsIncludeWhatIsWorse) {
  const LineFilter warnings("", LineLevel::kWarning);
  EXPECT_TRUE(warnings.Matches("\x1B[33mWARNING\x1B[0m: slow"));
  EXPECT_TRUE(warnings.Matches("fatal: no disk"));
  EXPECT_FALSE(warnings.Matches("step 1"));
  const LineFilter errors("disk", LineLevel::kError);
  EXPECT_TRUE(errors.Matches("fatal: no disk"));
  EXPECT_FALSE(errors.Matches("warning: slow disk"));
  EXPECT_FALSE(errors.Matches("fatal: no memory"));
}

}  // namespace
}  // namespace warden::jobs
