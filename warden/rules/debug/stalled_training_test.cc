#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

using std::chrono::milliseconds;

class StalledTrainingTest : public RuleTest {
 protected:
  void Watch(const std::string& text, const EngineOptions& options = {}) {
    Manifest(1);
    std::vector<std::string> notices;
    auto rules = PrepareRules(ParseRuleText(text).value(), &notices);
    ASSERT_TRUE(rules.ok()) << rules.status().message();
    trial_ = trial::Trial::Open(store_, trial::LookOptions()).value();
    engine_ = Engine::Make(std::move(rules.value()), trial_, options).value();
  }
  void Arrives(Step step, Mode mode = Mode::kTrain) {
    Save(step, "anything", {1}, mode);
    ASSERT_TRUE(trial_->Refresh().ok());
    engine_->Advance(INT64_MAX, told_);
  }
  void Waits(milliseconds time) { engine_->Silence(time, told_); }
  RuleReport Report(bool ended = false) { return engine_->Reports(ended).at(0); }

  std::shared_ptr<trial::Trial> trial_;
  std::unique_ptr<Engine> engine_;
  std::vector<std::string> messages_;
  Engine::OnFinding told_ = [this](const RuleState&, const Finding& finding) {
    messages_.push_back(finding.message);
  };
};

TEST_F(StalledTrainingTest, FiresWhenTheTimeHasPassed) {
  Watch("StalledTrainingRule:threshold=60");
  EXPECT_EQ(engine_->patience(), milliseconds(60'000));
  Arrives(12);
  Waits(milliseconds(59'999));
  EXPECT_EQ(Report().status, RuleStatus::kInProgress);
  Waits(milliseconds(60'000));
  EXPECT_EQ(Report().status, RuleStatus::kIssuesFound);
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_EQ(messages_[0], "no new step for 60 s (limit 60 s): training is stalled at step 12");
  EXPECT_EQ(Report().findings[0].value, 60);
  EXPECT_EQ(Report().findings[0].threshold, 60);
  EXPECT_EQ(Report().findings[0].tensor, "");
}

TEST_F(StalledTrainingTest, TellsOfOneStallOnce) {
  Watch("StalledTrainingRule:threshold=1");
  Arrives(0);
  Waits(milliseconds(1000));
  Waits(milliseconds(5000));
  EXPECT_EQ(engine_->patience(), std::nullopt);
  EXPECT_EQ(messages_.size(), 1u);
}

TEST_F(StalledTrainingTest, ASecondStallIsASecondFinding) {
  Watch("StalledTrainingRule:threshold=1");
  Arrives(0);
  Waits(milliseconds(1000));
  Arrives(1);
  EXPECT_EQ(engine_->patience(), milliseconds(1000));
  Waits(milliseconds(1000));
  Arrives(2, Mode::kEval);
  Waits(milliseconds(2500));
  EXPECT_EQ(FiredAt(Report()), (std::vector<Step>{0, 1, 2}));
  EXPECT_EQ(messages_.size(), 3u);
}

TEST_F(StalledTrainingTest, EndsAtItsFirstFindingIfAskedTo) {
  Watch("StalledTrainingRule:threshold=1", {.stop_at_first_finding = true});
  Arrives(0);
  Waits(milliseconds(1000));
  Arrives(1);
  Waits(milliseconds(1000));
  EXPECT_EQ(messages_.size(), 1u);
}

TEST_F(StalledTrainingTest, BeforeTheFirstStep) {
  Watch("StalledTrainingRule:threshold=0.5");
  Waits(milliseconds(750));
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_EQ(messages_[0],
            "no first step for 0.75 s (limit 0.5 s): training has not started at step 0");
}

TEST_F(StalledTrainingTest, ARunWithoutSilenceIsHealthy) {
  Save(0, "anything", {1});
  const RuleReport report = Evaluate("StalledTrainingRule");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(report.coverage.steps, 1);
}

TEST_F(StalledTrainingTest, TakesTheParametersOfTheOriginal) {
  Watch(
      "stalled_training_rule:threshold=120;stop_training_on_fire=True;training_job_name_prefix="
      "demo");
  EXPECT_EQ(engine_->rules().at(0).params.Text("training_job_name_prefix"), "demo");
  EXPECT_EQ(engine_->rules().at(0).params.Switch("stop_training_on_fire"), true);
  EXPECT_EQ(Refusal("StalledTrainingRule:threshold=0"),
            "StalledTrainingRule: threshold is '0'; expected a number from 0.001 to 31536000");
}

}  // namespace
}  // namespace warden::rules
