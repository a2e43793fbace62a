#include "warden/jobs/events/event_pattern.h"

#include <gtest/gtest.h>

namespace warden::jobs {
namespace {

Json Parsed(const char* text) {
  auto json = ParseJson(text);
  EXPECT_TRUE(json.ok()) << text;
  return json.ok() ? json.value() : Json();
}

const char kEvent[] = R"({
  "source": "aws.sagemaker", "detail-type": "SageMaker Training Job State Change",
  "resources": ["arn:1", "arn:2"],
  "detail": {"TrainingJobName": "demo-001", "TrainingJobStatus": "InProgress", "Count": 5,
             "VpcConfig": {}, "Nothing": null, "Flag": true,
             "DebugRuleEvaluationStatuses": [{"RuleEvaluationStatus": "InProgress"},
                                             {"RuleEvaluationStatus": "IssuesFound"}]}})";

bool Matches(const char* pattern) {
  const auto parsed = EventPattern::Parse(Parsed(pattern));
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  return parsed.ok() && parsed.value().Matches(Parsed(kEvent));
}

TEST(EventPattern, LiteralsAreAlternativesAndMembersAllHold) {
  EXPECT_TRUE(Matches(R"({"source": ["aws.sagemaker"]})"));
  EXPECT_TRUE(Matches(R"({"source": ["other", "aws.sagemaker"]})"));
  EXPECT_FALSE(Matches(R"({"source": ["other"]})"));
  EXPECT_FALSE(Matches(R"({"source": ["aws.sagemaker"], "detail-type": ["x"]})"));
  EXPECT_TRUE(Matches(R"({"detail": {"Count": [5.0], "Flag": [true], "Nothing": [null]}})"));
  EXPECT_FALSE(Matches(R"({"detail": {"Count": ["5"]}})"));
  EXPECT_FALSE(Matches(R"({"absent": [null]})"));
}

TEST(EventPattern, ListsOfTheEventMatchByAnElement) {
  EXPECT_TRUE(Matches(R"({"resources": ["arn:2"]})"));
  EXPECT_TRUE(Matches(
      R"({"detail": {"DebugRuleEvaluationStatuses": {"RuleEvaluationStatus": ["IssuesFound"]}}})"));
  EXPECT_FALSE(Matches(
      R"({"detail": {"DebugRuleEvaluationStatuses": {"RuleEvaluationStatus": ["Error"]}}})"));
}

TEST(EventPattern, Matchers) {
  EXPECT_TRUE(Matches(R"({"detail": {"TrainingJobName": [{"prefix": "demo-"}]}})"));
  EXPECT_FALSE(Matches(R"({"detail": {"TrainingJobName": [{"prefix": "Demo-"}]}})"));
  EXPECT_TRUE(Matches(R"({"detail": {"TrainingJobName": [{"suffix": "-001"}]}})"));
  EXPECT_TRUE(Matches(R"({"detail": {"TrainingJobName": [{"equals-ignore-case": "DEMO-001"}]}})"));
  EXPECT_FALSE(Matches(R"({"detail": {"Count": [{"prefix": "5"}]}})"));
  EXPECT_TRUE(Matches(R"({"detail": {"TrainingJobStatus": [{"anything-but": "Failed"}]}})"));
  EXPECT_FALSE(
      Matches(R"({"detail": {"TrainingJobStatus": [{"anything-but": ["x", "InProgress"]}]}})"));
  EXPECT_FALSE(
      Matches(R"({"detail": {"TrainingJobName": [{"anything-but": {"prefix": "demo"}}]}})"));
  EXPECT_TRUE(Matches(R"({"detail": {"FailureReason": [{"exists": false}]}})"));
  EXPECT_FALSE(Matches(R"({"detail": {"Count": [{"exists": false}]}})"));
  EXPECT_TRUE(Matches(R"({"detail": {"Count": [{"exists": true}]}})"));
  EXPECT_FALSE(Matches(R"({"detail": {"FailureReason": [{"exists": true}]}})"));
  EXPECT_TRUE(Matches(R"({"detail": {"Count": [{"numeric": [">", 4, "<=", 5]}]}})"));
  EXPECT_FALSE(Matches(R"({"detail": {"Count": [{"numeric": ["<", 5]}]}})"));
  EXPECT_FALSE(Matches(R"({"detail": {"Flag": [{"numeric": ["=", 1]}]}})"));
}

TEST(EventPattern, WhatIsNoneIsRefused) {
  const std::pair<const char*, const char*> refused[] = {
      {"[]", "pattern: expected an object with at least one member"},
      {"{}", "pattern: expected an object with at least one member"},
      {R"({"source": "aws"})", "pattern.source: expected an object with at least one member"},
      {R"({"source": []})", "pattern.source: an empty list matches nothing"},
      {R"({"a": {"b": [{"prefix": 1}]}})", "pattern.a.b: prefix: expected a string"},
      {R"({"a": [{"exists": 1}]})", "pattern.a: exists: expected true or false"},
      {R"({"a": [{"numeric": [">"]}]})",
       R"(pattern.a: numeric: expected a list such as [">", 0, "<=", 5])"},
      {R"({"a": [{"numeric": ["~", 1]}]})",
       "pattern.a: numeric: expected pairs of one of =, <, <=, >, >= and a number"},
      {R"({"a": [{"anything-but": {}}]})",
       "pattern.a: anything-but: expected a value, a list of values, or a prefix or suffix"},
      {R"({"a": [{"wildcard": "x"}]})",
       R"(pattern.a: got {"wildcard": "x"}; expected a value or one of: prefix, suffix, )"
       "equals-ignore-case, anything-but, exists, numeric"},
  };
  for (const auto& [pattern, message] : refused) {
    const auto parsed = EventPattern::Parse(Parsed(pattern));
    EXPECT_EQ(parsed.status().code(), Code::kInvalid) << pattern;
    EXPECT_EQ(parsed.status().message(), message);
  }
}

TEST(EventPattern, EventsMayBeAnything) {
  const auto pattern = EventPattern::Parse(Parsed(R"({"detail": {"a": [1]}})"));
  for (const char* event : {"null", "[]", "5", R"({"detail": 5})", R"({"detail": [[1]]})"}) {
    EXPECT_FALSE(pattern.value().Matches(Parsed(event))) << event;
  }
}

}  // namespace
}  // namespace warden::jobs
