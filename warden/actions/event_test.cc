#include "warden/actions/event.h"

#include <gtest/gtest.h>

#include "warden/actions/actions_for_test.h"
#include "warden/base/json.h"

namespace warden::actions {
namespace {

TEST(EventTest, HasTheEnvelopeThatHandlersExpect) {
  const Firing firing = SomeFiring();
  const Json event = EventOf(firing, {"123456789012", "eu-west-1"});
  EXPECT_EQ(event["version"], "0");
  EXPECT_EQ(event["id"], EventId(firing));
  EXPECT_EQ(event["detail-type"], "SageMaker Training Job State Change");
  EXPECT_EQ(event["source"], "aws.sagemaker");
  EXPECT_EQ(event["time"], "2026-01-02T03:04:05Z");
  EXPECT_EQ(event["resources"][0],
            "arn:aws:sagemaker:eu-west-1:123456789012:training-job/demo-001");
  const Json& detail = event["detail"];
  EXPECT_EQ(detail["TrainingJobStatus"], "InProgress");
  EXPECT_EQ(detail["LastModifiedTime"], 1'767'323'045'678);
  const Json& status = detail["DebugRuleEvaluationStatuses"][0];
  EXPECT_EQ(status["RuleConfigurationName"], "MyGradients");
  EXPECT_EQ(status["RuleEvaluationStatus"], "IssuesFound");
  EXPECT_EQ(status["StatusDetails"],
            "RuleEvaluationConditionMet: Evaluation of the rule VanishingGradient at step 500 "
            "resulted in the condition being met\n");
  EXPECT_TRUE(status["RuleEvaluationJobArn"].get<std::string>().starts_with(
      "arn:aws:sagemaker:eu-west-1:123456789012:processing-job/demo-001-mygradients-"));
  EXPECT_EQ(detail["Finding"]["tensor"], "gradient/fc.weight");
}

TEST(EventTest, IdDependsOnWhatWasFoundNotOnWhenOrHowMuch) {
  const Firing firing = SomeFiring();
  Firing grown = firing;
  grown.time += std::chrono::seconds(5);
  grown.finding.last_step = 700;
  grown.finding.count = 3;
  EXPECT_EQ(EventId(grown), EventId(firing));
  for (const auto change :
       {+[](Firing* f) { f->job += "x"; }, +[](Firing* f) { f->launch += "x"; },
        +[](Firing* f) { f->rule += "x"; }, +[](Firing* f) { ++f->finding.step; },
        +[](Firing* f) { f->finding.tensor += "x"; }, +[](Firing* f) { f->finding.worker += "x"; },
        +[](Firing* f) { f->finding.mode = Mode::kEval; }}) {
    Firing other = firing;
    change(&other);
    EXPECT_NE(EventId(other), EventId(firing));
  }
  // What moves from one member to the next is another thing.
  Firing moved = firing;
  moved.job = "demo-00";
  moved.launch = "1";
  EXPECT_NE(EventId(moved), EventId(firing));
}

TEST(EventTest, FiringSurvivesARoundTrip) {
  Firing firing = SomeFiring();
  firing.launch = "second";
  const auto read = FiringFromJson(ToJson(firing));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(ToJson(read.value()), ToJson(firing));
  EXPECT_EQ(FiringFromJson(Json::array()).status().code(), Code::kCorrupt);
  EXPECT_EQ(FiringFromJson(Json{{"job", "x"}}).status().code(), Code::kCorrupt);
}

TEST(EventTest, NoticesBeginAsTheOriginals) {
  const Firing firing = SomeFiring();
  EXPECT_TRUE(LongNotice(firing).starts_with("SMDebugRule:VanishingGradient fired. "));
  EXPECT_NE(LongNotice(firing).find("Try: Try another activation.\n"), std::string::npos);
  EXPECT_EQ(ShortNotice(firing),
            "SMDebugRule:VanishingGradient fired. Job demo-001, step 500: The gradient of "
            "fc.weight vanishes.");
}

TEST(EventTest, AFindingMayStandForAnIncident) {
  Firing firing = SomeFiring();
  EXPECT_FALSE(EventOf(firing, {})["detail"].contains("Incident"));
  EXPECT_EQ(SeverityOf(firing), rules::Severity::kProblem);
  firing.finding.optimizer_step = 250;
  firing.finding.epoch = 2;
  firing.incident = {{"severity", "warning"},
                     {"confidence", "medium"},
                     {"findings", 12},
                     {"spread", Json::array({"fc (step 500)", "all gradients"})},
                     {"machine", Json::array({{{"text", "GPU 0 slowed down (heat)"}},
                                              {{"text", "host memory 97 % full"}}})},
                     {"effects", Json::array({{{"rule", "LossSpike"}, {"since", "step 510"}}})}};
  EXPECT_EQ(EventOf(firing, {})["detail"]["Incident"]["findings"], 12);
  EXPECT_EQ(FiringFromJson(ToJson(firing)).value().incident, firing.incident);
  EXPECT_EQ(SeverityOf(firing), rules::Severity::kWarning);
  EXPECT_EQ(EventId(firing), EventId(SomeFiring()));
  const std::string text = LongNotice(firing);
  EXPECT_NE(text.find("\nSeverity: warning\nConfidence: medium\nJob:"), std::string::npos) << text;
  EXPECT_NE(text.find("500 (TRAIN, optimizer step 250, epoch 2)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Then: LossSpike (since step 510).\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Spread: fc (step 500) -> all gradients.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Machine at that time: GPU 0 slowed down (heat); host memory 97 % full.\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("11 more findings with this cause.\n"), std::string::npos) << text;
  EXPECT_EQ(ShortNotice(firing),
            "SMDebugRule:VanishingGradient fired. Job demo-001, step 500 (optimizer step 250, "
            "epoch 2): The gradient of fc.weight vanishes. (11 more findings with this cause)");
}

}  // namespace
}  // namespace warden::actions
