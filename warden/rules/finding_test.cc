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
  EXPECT_EQ(FindingFromJson(Json::array()).status().message(), "a finding is not a JSON object");
}

}  // namespace
}  // namespace warden::rules
