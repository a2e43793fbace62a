#include "warden/rules/catalog/rule_config.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"
#include "warden/rules/engine/engine.h"

namespace warden::rules {
namespace {

std::vector<RuleConfig> FromText(std::string_view text) {
  auto configs = ParseRuleText(text);
  EXPECT_TRUE(configs.ok()) << configs.status().message();
  return configs.ok() ? configs.value() : std::vector<RuleConfig>();
}
std::vector<RuleConfig> FromJson(std::string_view text) {
  auto configs = RuleConfigsFromJson(ParseJson(text).value());
  EXPECT_TRUE(configs.ok()) << configs.status().message();
  return configs.ok() ? configs.value() : std::vector<RuleConfig>();
}
std::string JsonError(std::string_view text) {
  const Status status = RuleConfigsFromJson(ParseJson(text).value()).status();
  EXPECT_EQ(status.code(), Code::kInvalid);
  return status.message();
}
std::string TextError(std::string_view text) { return ParseRuleText(text).status().message(); }

TEST(RuleText, OneAndMore) {
  EXPECT_EQ(FromText(" VanishingGradient ").at(0).rule, "VanishingGradient");
  const auto configs = FromText("all_zero:tensor_regex=bias;threshold=90, VanishingGradient");
  ASSERT_EQ(configs.size(), 2u);
  EXPECT_EQ(configs[0].name, "all_zero");
  EXPECT_EQ(configs[0].params, (ParamTexts{{"tensor_regex", "bias"}, {"threshold", "90"}}));
  EXPECT_EQ(configs[1].rule, "VanishingGradient");
}

TEST(RuleText, ACommaSeparatesOnlyBeforeARule) {
  const auto configs =
      FromText("AllZero:tensor_regex=a,b(1,2);collection_names=weights,biases,Overfit:patience=2");
  ASSERT_EQ(configs.size(), 2u);
  EXPECT_EQ(configs[0].params.at("tensor_regex"), "a,b(1,2)");
  EXPECT_EQ(configs[0].params.at("collection_names"), "weights,biases");
  EXPECT_EQ(configs[1].params.at("patience"), "2");
}

TEST(RuleText, RulesOfTheUsersOwn) {
  const auto configs = FromText("lib/rules.py:TooSlow,limit=20,name=a");
  ASSERT_EQ(configs.size(), 1u);
  EXPECT_EQ(configs[0].source, "lib/rules.py");
  EXPECT_EQ(configs[0].rule, "TooSlow");
  EXPECT_EQ(configs[0].params, (ParamTexts{{"limit", "20"}, {"name", "a"}}));
}

TEST(RuleText, Refusals) {
  EXPECT_EQ(TextError("AllZero:threshold"), "AllZero: expected key=value, got 'threshold'");
  EXPECT_EQ(TextError("AllZero:=1"), "AllZero: expected key=value, got '=1'");
  EXPECT_EQ(TextError("AllZero:threshold=1;threshold=2"), "AllZero: 'threshold' is given twice");
  EXPECT_EQ(TextError(""), "'' does not name a rule");
  EXPECT_EQ(TextError(":a=1"), "':a=1' does not name a rule");
  EXPECT_EQ(TextError("rules.py"), "'rules.py' does not name a rule; expected 'rules.py:NAME'");
}

// As an SDK of the original sends them.
constexpr char kRecorded[] = R"json({"DebugRuleConfigurations": [
  {"RuleConfigurationName": "VanishingGradient",
   "RuleEvaluatorImage": "registry/sagemaker-debugger-rules:latest",
   "RuleParameters": {"rule_to_invoke": "VanishingGradient",
    "action_json": "[{\\\"name\\\": \\\"stoptraining\\\", \\\"training_job_prefix\\\": \\\"sdkdemo-2026-11-15-00-08-38-090\\\"}, {\\\"endpoint\\\": \\\"abc@abc.com\\\", \\\"name\\\": \\\"email\\\"}, {\\\"endpoint\\\": \\\"+1234567890\\\", \\\"name\\\": \\\"sms\\\"}]"}},
  {"RuleConfigurationName": "LND2",
   "RuleEvaluatorImage": "registry/sagemaker-debugger-rules:latest",
   "RuleParameters": {"rule_to_invoke": "LossNotDecreasing", "num_steps": "10", "mode": "TRAIN",
    "action_json": "{\\\"training_job_prefix\\\": \\\"my-prefix\\\", \\\"name\\\": \\\"stoptraining\\\"}"}},
  {"RuleConfigurationName": "MyRule", "RuleEvaluatorImage": "local/rule:1",
   "InstanceType": "ml.m5.xlarge", "VolumeSizeInGB": 10,
   "RuleParameters": {"other_trial_0": "s3://demo-bucket/other",
    "source_s3_uri": "s3://demo-bucket/MyRule/bf382fa3-b5b2-4df9-9227-cc9e5f706296/my_rule.py",
    "rule_to_invoke": "CustomGradientRule", "threshold": "20.0"}}]})json";

TEST(RuleJson, ARecordedRequest) {
  auto configs = FromJson(kRecorded);
  ASSERT_EQ(configs.size(), 3u);
  EXPECT_EQ(configs[0].rule, "VanishingGradient");
  EXPECT_TRUE(configs[0].params.empty());
  EXPECT_TRUE(configs[0].action_json.starts_with(R"([{\"name\": \"stoptraining\")"))
      << configs[0].action_json;
  EXPECT_EQ(configs[1].name, "LND2");
  EXPECT_EQ(configs[1].rule, "LossNotDecreasing");
  EXPECT_EQ(configs[1].params, (ParamTexts{{"mode", "TRAIN"}, {"num_steps", "10"}}));
  EXPECT_EQ(configs[2].rule, "CustomGradientRule");
  EXPECT_TRUE(configs[2].source.ends_with("/my_rule.py"));
  EXPECT_EQ(configs[2].params,
            (ParamTexts{{"other_trials", "s3://demo-bucket/other"}, {"threshold", "20.0"}}));

  configs.pop_back();  // The one of the user's own is not for the core.
  std::vector<std::string> notices;
  const auto prepared = PrepareRules(configs, &notices);
  ASSERT_TRUE(prepared.ok()) << prepared.status().message();
  EXPECT_EQ(prepared.value()[1].config.name, "LND2");
  EXPECT_EQ(prepared.value()[1].params.Integer("num_steps"), 10);
  EXPECT_TRUE(notices.empty());
}

TEST(RuleJson, BothListsOfARequest) {
  const auto configs = FromJson(R"({
    "ProfilerRuleConfigurations": [{"RuleConfigurationName": "ProfilerReport-1767268800",
      "RuleParameters": {"rule_to_invoke": "ProfilerReport", "CPUBottleneck_threshold": "60"}}],
    "DebugRuleConfigurations": [{"RuleConfigurationName": "AllZero"}]})");
  ASSERT_EQ(configs.size(), 2u);
  EXPECT_EQ(configs[0].rule, "AllZero");
  EXPECT_EQ(configs[1].name, "ProfilerReport-1767268800");
  EXPECT_EQ(configs[1].params, (ParamTexts{{"CPUBottleneck_threshold", "60"}}));
}

// Two actions at two thresholds need two names.
TEST(RuleJson, OneRuleTwice) {
  const auto configs = FromJson(R"([
    {"RuleConfigurationName": "StalledTrainingJobRuleEmail", "RuleParameters":
      {"rule_to_invoke": "StalledTrainingRule", "threshold": "60",
       "training_job_name_prefix": "smdebug-stalled-demo-1",
       "action_json": "[{\"endpoint\": \"abc@abc.com\", \"name\": \"email\"}]"}},
    {"RuleConfigurationName": "StalledTrainingJobRuleStopTraining", "RuleParameters":
      {"rule_to_invoke": "StalledTrainingRule", "threshold": "120",
       "training_job_name_prefix": "smdebug-stalled-demo-1",
       "action_json": "[{\"name\": \"stoptraining\"}]"}}])");
  std::vector<std::string> notices;
  const auto prepared = PrepareRules(configs, &notices);
  ASSERT_TRUE(prepared.ok()) << prepared.status().message();
  ASSERT_EQ(prepared.value().size(), 2u);
  EXPECT_EQ(prepared.value()[0].config.name, "StalledTrainingJobRuleEmail");
  EXPECT_EQ(prepared.value()[0].rule->patience(), std::chrono::seconds(60));
  EXPECT_EQ(prepared.value()[1].config.name, "StalledTrainingJobRuleStopTraining");
  EXPECT_EQ(prepared.value()[1].rule->patience(), std::chrono::seconds(120));
  EXPECT_EQ(prepared.value()[1].params.Text("training_job_name_prefix"), "smdebug-stalled-demo-1");
  EXPECT_EQ(prepared.value()[1].config.action_json, R"([{"name": "stoptraining"}])");
}

TEST(RuleJson, ParametersOfAnyType) {
  const auto configs = FromJson(R"([{"RuleConfigurationName": "A", "RuleParameters":
    {"rule_to_invoke": "AllZero", "threshold": 90.5, "flag": true, "n": 3, "none": "None"}}])");
  EXPECT_EQ(configs.at(0).params,
            (ParamTexts{{"flag", "True"}, {"n", "3"}, {"none", "None"}, {"threshold", "90.5"}}));
}

TEST(RuleJson, TheNameAloneIsTheRule) {
  const auto configs =
      FromJson(R"([{"RuleConfigurationName": "AllZero", "RuleParameters": null}])");
  EXPECT_EQ(configs.at(0).rule, "AllZero");
  EXPECT_EQ(FromJson(R"([{"RuleParameters": {"rule_to_invoke": "X"}}])").at(0).name, "X");
}

TEST(RuleJson, OtherTrialsInTheOrderOfTheirNumbers) {
  const auto configs = FromJson(R"([{"RuleConfigurationName": "S", "RuleParameters":
    {"rule_to_invoke": "SimilarAcrossRuns", "other_trial_10": "c", "other_trial_2": "b",
     "other_trial_0": "a"}}])");
  EXPECT_EQ(configs.at(0).params.at("other_trials"), "a,b,c");
}

TEST(RuleJson, Refusals) {
  EXPECT_EQ(JsonError("{}"),
            "expected a JSON list of rules, or an object with such a list in "
            "'DebugRuleConfigurations' or 'ProfilerRuleConfigurations'");
  EXPECT_EQ(JsonError("[1]"), "rule 1: expected an object, got 1");
  EXPECT_EQ(JsonError(R"([{"RuleConfigurationName": "A"}, {}])"),
            "rule 2: expected RuleParameters.rule_to_invoke or RuleConfigurationName");
  EXPECT_EQ(JsonError(R"([{"Name": "A"}])"),
            "rule 1: unknown key 'Name'; expected one of: RuleConfigurationName, RuleParameters, "
            "RuleEvaluatorImage, LocalPath, S3OutputPath, InstanceType, VolumeSizeInGB");
  EXPECT_EQ(JsonError(R"([{"RuleConfigurationName": 5}])"),
            "rule 1: RuleConfigurationName: expected text, got 5");
  EXPECT_EQ(JsonError(R"([{"RuleConfigurationName": "A", "RuleParameters": {"x": [1]}}])"),
            "rule 1: RuleParameters.x is [1]; expected text, a number or a boolean");
  EXPECT_EQ(JsonError(R"([{"RuleConfigurationName": "A", "RuleParameters":
                          {"other_trial_x": "a"}}])"),
            "rule 1: RuleParameters.other_trial_x: expected a number after 'other_trial_'");
}

TEST(RuleNames, AreMadeUnique) {
  std::vector<RuleConfig> configs(3, RuleConfig{"AllZero", "AllZero", ""});
  configs[1].name = "AllZero-2";
  configs.push_back(configs[0]);
  ASSERT_TRUE(MakeNamesUnique(&configs).ok());
  EXPECT_EQ(configs[0].name, "AllZero");
  EXPECT_EQ(configs[2].name, "AllZero-3");
  EXPECT_EQ(configs[3].name, "AllZero-4");
}

TEST(RuleNames, GivenTwiceOnPurposeAreRefused) {
  std::vector<RuleConfig> configs(2, RuleConfig{"mine", "AllZero", ""});
  EXPECT_EQ(MakeNamesUnique(&configs).message(),
            "two rules are named 'mine'; names must be unique");
}

}  // namespace
}  // namespace warden::rules
