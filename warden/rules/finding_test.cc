#include "warden/rules/finding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "warden/base/json.h"

namespace warden::rules {
namespace {

Finding Example() {
  return {7,          420,           440,    3,    Mode::kEval,
          "worker_1", "gradient/fc", 3.1e-9, 1e-7, "It is \"bad\".",
          "Mend it."};
}

TEST(Finding, ComesBackFromJson) {
  const Finding before = Example();
  const auto after = FindingFromJson(ParseJson(ToJson(before).dump()).value());
  ASSERT_TRUE(after.ok()) << after.status().message();
  const Finding& finding = after.value();
  EXPECT_EQ(finding.id, 7);
  EXPECT_EQ(finding.step, 420);
  EXPECT_EQ(finding.last_step, 440);
  EXPECT_EQ(finding.count, 3);
  EXPECT_EQ(finding.mode, Mode::kEval);
  EXPECT_EQ(finding.worker, "worker_1");
  EXPECT_EQ(finding.tensor, "gradient/fc");
  EXPECT_EQ(finding.value, 3.1e-9);
  EXPECT_EQ(finding.threshold, 1e-7);
  EXPECT_EQ(finding.message, before.message);
  EXPECT_EQ(finding.advice, before.advice);
}

TEST(Finding, SeverityAndTheCountOfTheScriptComeBack) {
  Finding before = Example();
  before.severity = Severity::kWarning;
  before.optimizer_step = 210;
  before.epoch = 3;
  const Finding after = FindingFromJson(ToJson(before)).value();
  EXPECT_EQ(after.severity, Severity::kWarning);
  EXPECT_EQ(after.optimizer_step, 210);
  EXPECT_EQ(after.epoch, 3);
}

TEST(Finding, AConfidenceIsThereIfItIsSet) {
  Finding before = Example();
  EXPECT_FALSE(ToJson(before).contains("confidence"));
  EXPECT_EQ(FindingFromJson(ToJson(before)).value().confidence, std::nullopt);
  before.confidence = Confidence::kHigh;
  Json json = ToJson(before);
  EXPECT_EQ(json["confidence"], "high");
  EXPECT_EQ(FindingFromJson(json).value().confidence, Confidence::kHigh);
  json["confidence"] = "certain";
  EXPECT_EQ(FindingFromJson(json).status().message(),
            "'confidence' is 'certain'; expected one of: high, medium, low");
}

TEST(Finding, WhereItSpreadComesBack) {
  Finding before = Example();
  EXPECT_FALSE(ToJson(before).contains("spread"));
  before.spread = {"fc1 (step 420)", "all gradients"};
  Json json = ToJson(before);
  EXPECT_EQ(FindingFromJson(json).value().spread, before.spread);
  for (const char* wrong : {R"("fc1")", "[3]", "{}"}) {
    json["spread"] = ParseJson(wrong).value();
    EXPECT_FALSE(FindingFromJson(json).ok()) << wrong;
  }
}

TEST(Finding, RecordsOfEarlierVersionsHaveNoSeverity) {
  Json json = ToJson(Example());
  json.erase("severity");
  const auto finding = FindingFromJson(json);
  ASSERT_TRUE(finding.ok()) << finding.status().message();
  EXPECT_EQ(finding.value().severity, Severity::kProblem);
  EXPECT_EQ(finding.value().optimizer_step, std::nullopt);
  EXPECT_EQ(finding.value().epoch, std::nullopt);
}

TEST(Finding, SaysWhenItBegan) {
  Finding finding = Example();
  EXPECT_EQ(StepText(finding), "step 420 (EVAL)");
  finding.mode = Mode::kTrain;
  EXPECT_EQ(StepText(finding), "step 420");
  // The script counts as we do, from 0 or from 1.
  for (const int64_t same : {420, 421}) {
    finding.optimizer_step = same;
    EXPECT_EQ(StepText(finding), "step 420");
  }
  finding.epoch = 1;
  EXPECT_EQ(StepText(finding), "step 420");
  finding.epoch = 2;
  EXPECT_EQ(StepText(finding), "step 420 (epoch 2)");
  finding.optimizer_step = 210;
  EXPECT_EQ(StepText(finding), "step 420 (optimizer step 210, epoch 2)");
  EXPECT_EQ(ScriptCountText(finding), "optimizer step 210, epoch 2");
  finding.mode = Mode::kEval;
  EXPECT_EQ(StepText(finding), "step 420 (EVAL, optimizer step 210, epoch 2)");
  finding.time_s = 1'767'268'800;
  EXPECT_EQ(BeginText(finding), "12:00:00 UTC");
}

TEST(Finding, NumbersThatJsonDoesNotHave) {
  Finding finding = Example();
  for (const auto& [value, text] : std::vector<std::pair<double, std::string>>{
           {NAN, "NaN"}, {INFINITY, "Infinity"}, {-INFINITY, "-Infinity"}}) {
    finding.value = value;
    const Json json = ToJson(finding);
    EXPECT_EQ(json["value"], text);
    const double read = FindingFromJson(json).value().value;
    EXPECT_TRUE(std::isnan(value) ? std::isnan(read) : read == value) << text;
  }
}

TEST(Finding, SaysWhichFieldIsWrong) {
  const auto error = [](const char* field, const Json& value) {
    Json json = ToJson(Example());
    if (value.is_null()) {
      json.erase(field);
    } else {
      json[field] = value;
    }
    const Status status = FindingFromJson(json).status();
    EXPECT_EQ(status.code(), Code::kCorrupt);
    return status.message();
  };
  EXPECT_EQ(error("step", nullptr), "'step' is missing or has the wrong type");
  EXPECT_EQ(error("step", 1.5), "'step' is missing or has the wrong type");
  EXPECT_EQ(error("tensor", 3), "'tensor' is missing or has the wrong type");
  EXPECT_EQ(error("value", "much"), "'value' is not a number");
  EXPECT_EQ(error("mode", "train"), "'mode' is 'train'; expected TRAIN, EVAL, PREDICT or GLOBAL");
  EXPECT_EQ(error("severity", "fatal"),
            "'severity' is 'fatal'; expected one of: problem, warning, note");
  EXPECT_EQ(error("epoch", "2"), "'epoch' is missing or has the wrong type");
  EXPECT_EQ(FindingFromJson(Json::array()).status().message(), "a finding is not a JSON object");
}

TEST(Finding, WhatIsKnownOfItsMomentComesBack) {
  Finding before = Example();
  EXPECT_FALSE(ToJson(before).contains("wall_time"));
  EXPECT_FALSE(ToJson(before).contains("loader_share"));
  before.wall_time = 1700000001.25;
  before.loader_share = 0.75;
  const Finding after = FindingFromJson(ToJson(before)).value();
  EXPECT_EQ(after.wall_time, 1700000001.25);
  EXPECT_EQ(after.loader_share, 0.75);
}

}  // namespace
}  // namespace warden::rules
