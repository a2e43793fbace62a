#include "warden/sagemaker/filter_pattern.h"

#include <gtest/gtest.h>

namespace warden::sagemaker {
namespace {

bool Matches(std::string_view pattern, std::string_view line) {
  const auto parsed = FilterPattern::Parse(pattern);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  return parsed.ok() && parsed.value().Matches(line);
}

TEST(FilterPatternTest, TermsMustAllBeThere) {
  EXPECT_TRUE(Matches("", "anything"));
  EXPECT_TRUE(Matches("  ", "anything"));
  EXPECT_TRUE(Matches("loss", "train loss: 0.3"));
  EXPECT_TRUE(Matches("loss train", "train loss: 0.3"));
  EXPECT_FALSE(Matches("loss valid", "train loss: 0.3"));
  EXPECT_FALSE(Matches("Loss", "train loss: 0.3"));
}

TEST(FilterPatternTest, PhrasesHaveQuotes) {
  EXPECT_TRUE(Matches("\"loss is nan\"", "the loss is nan now"));
  EXPECT_FALSE(Matches("\"loss nan\"", "the loss is nan now"));
  EXPECT_TRUE(Matches("\"is nan\" the", "the loss is nan now"));
}

TEST(FilterPatternTest, AlternativesAndExclusions) {
  EXPECT_TRUE(Matches("?WARN ?ERROR", "ERROR: no"));
  EXPECT_FALSE(Matches("?WARN ?ERROR", "INFO: yes"));
  EXPECT_TRUE(Matches("ERROR -retry", "ERROR: no"));
  EXPECT_FALSE(Matches("ERROR -retry", "ERROR: will retry"));
  EXPECT_FALSE(Matches("-\"will retry\"", "ERROR: will retry"));
  EXPECT_TRUE(Matches("-", "a - b"));
}

TEST(FilterPatternTest, RegularExpressions) {
  EXPECT_TRUE(Matches("%loss=[0-9]+%", "loss=12"));
  EXPECT_FALSE(Matches("%loss=[0-9]+%", "loss=x"));
  EXPECT_TRUE(Matches("?%^a% ?b", "cab"));
}

TEST(FilterPatternTest, SaysWhatIsWrong) {
  const auto message = [](std::string_view pattern) {
    const auto parsed = FilterPattern::Parse(pattern);
    EXPECT_EQ(parsed.status().code(), Code::kInvalid) << pattern;
    return parsed.status().message();
  };
  EXPECT_NE(message("{ $.level = 1 }").find("is not supported"), std::string::npos);
  EXPECT_NE(message("[a, b]").find("is not supported"), std::string::npos);
  EXPECT_NE(message("\"open").find("is not closed"), std::string::npos);
  EXPECT_NE(message("%(%").find("("), std::string::npos);
  EXPECT_NE(message(std::string(2000, 'a')).find("2000"), std::string::npos);
}

}  // namespace
}  // namespace warden::sagemaker
