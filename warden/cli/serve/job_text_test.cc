#include "warden/cli/serve/job_text.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "warden/base/json.h"

namespace warden::cli {
namespace {

TEST(JobTextTest, WhatIsMissingOrOfAnotherTypeIsEmpty) {
  const Json json = {{"text", "a"}, {"number", 1.5}, {"list", {1}}, {"object", {{"x", 1}}}};
  EXPECT_EQ(TextIn(json, "text"), "a");
  EXPECT_EQ(TextIn(json, "number"), "");
  EXPECT_EQ(TextIn(json, "none"), "");
  EXPECT_EQ(TextIn(Json(3), "text"), "");
  EXPECT_EQ(NumberIn(json, "number"), 1.5);
  EXPECT_EQ(NumberIn(json, "text"), std::nullopt);
  EXPECT_EQ(NumberIn(Json::array(), "number"), std::nullopt);
  EXPECT_EQ(ListIn(json, "list").size(), 1u);
  EXPECT_EQ(ListIn(json, "object").size(), 0u);
  EXPECT_EQ(ObjectIn(json, "object").size(), 1u);
  EXPECT_EQ(ObjectIn(json, "list"), Json::object());
}

TEST(JobTextTest, TimesAndSpans) {
  setenv("TZ", "UTC", 1);
  EXPECT_EQ(TimeText(1794701262.904), "2026-11-15 00:07:42");
  EXPECT_EQ(TimeText(std::nullopt), "");
  EXPECT_EQ(TimeText(1e300), "");
  EXPECT_EQ(TimeText(-1), "");
  EXPECT_EQ(SpanText(10, 13.25), "3.2 s");
  EXPECT_EQ(SpanText(0, 125), "2 min 05 s");
  EXPECT_EQ(SpanText(0, 3725), "1 h 02 min");
  EXPECT_EQ(SpanText(5, 3), "");
  EXPECT_EQ(SpanText(0, std::nullopt), "");
}

TEST(JobTextTest, RulesOfBothKinds) {
  const Json job = {
      {"DebugRuleEvaluationStatuses",
       {{{"RuleConfigurationName", "a"},
         {"RuleEvaluationJobArn", "arn:aws:sagemaker:r:1:processing-job/demo-a-0"},
         {"RuleEvaluationStatus", "IssuesFound"},
         {"StatusDetails", "found"}}}},
      {"ProfilerRuleEvaluationStatuses",
       {{{"RuleConfigurationName", "b"}, {"RuleEvaluationStatus", "InProgress"}}, 3}}};
  const auto rules = RulesIn(job);
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules[0].job_name, "demo-a-0");
  EXPECT_EQ(rules[1].job_name, "");
  EXPECT_TRUE(AnyIssues(rules));
  EXPECT_FALSE(AllOver(rules));
  EXPECT_TRUE(AllOver({rules[0]}));
  EXPECT_FALSE(AnyIssues({rules[1]}));
}

}  // namespace
}  // namespace warden::cli
