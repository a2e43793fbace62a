#include "warden/rules/engine/profile_stream.h"

#include <gtest/gtest.h>

#include <deque>

#include "warden/base/json.h"
#include "warden/rules/engine/engine.h"

namespace warden::rules {
namespace {

constexpr double kBegin = 1'767'268'800;  // 2026-01-01 12:00:00 UTC.

// Hands over what a test puts into it.
class ScriptedFeed : public timeline::ProfileFeed {
 public:
  Status Next(timeline::ProfileBatch* batch) override {
    if (batches.empty()) return Status();
    *batch = std::move(batches.front());
    batches.pop_front();
    return Status();
  }
  void LookAgain() override {}
  bool ended() const override { return has_ended; }
  bool any() const override { return true; }
  const timeline::Names& names() const override { return texts; }
  const std::vector<std::string>& problems() const override { return none; }

  void Sample(double second) {
    timeline::NodeSample sample;
    sample.node = texts.IdOf("algo-1");
    sample.time_s = kBegin + second;
    sample.cpu = 50;
    batches.emplace_back().samples.push_back(sample);
  }
  void Step(double second, int64_t step) {
    timeline::Span span;
    span.phase = texts.IdOf("Step:ModeKeys.TRAIN");
    span.start_us = static_cast<int64_t>((kBegin + second) * 1e6);
    span.step = step;
    batches.emplace_back().spans.push_back(span);
  }

  std::deque<timeline::ProfileBatch> batches;
  timeline::Names texts;
  std::vector<std::string> none;
  bool has_ended = false;
};

constexpr RuleSpec kSpec{"Busy", "", "Rest.", {}, {}, RuleKind::kProfiler};
constexpr RuleSpec kReportSpec{"Gather", "", "", {}, {}, RuleKind::kReport};

// Finds fault with every moment.
class Busy : public ProfilerRule {
 public:
  using ProfilerRule::See;
  void See(const timeline::NodeSample& /*sample*/, const timeline::Names& /*names*/) override {
    ++seen_;
  }
  void EvaluateSoFar(int64_t now_us, Verdicts* verdicts) override {
    evaluated_.push_back(static_cast<double>(now_us) / 1e6 - kBegin);
    verdicts->FireRun("gpu0", "algo-1", {1, 2, "is busy"});
    verdicts->HealthyRun();
  }
  std::vector<ProfilerResult> Results() const override {
    ProfilerResult result;
    result.rule = "Busy";
    result.datapoints = seen_;
    return {result};
  }

  const std::vector<double>& evaluated() const { return evaluated_; }

 private:
  int64_t seen_ = 0;
  std::vector<double> evaluated_;
};

class ProfileEngineTest : public testing::Test {
 protected:
  void Start(bool for_report = false) {
    auto rule = std::make_unique<Busy>();
    rule_ = rule.get();
    const RuleSpec* spec = for_report ? &kReportSpec : &kSpec;
    PreparedRule prepared{{"busy", "Busy", ""},
                          spec,
                          Params::Read("Busy", AllParams(*spec), {}).value(),
                          std::move(rule)};
    prepared.config.for_report = for_report;
    std::vector<PreparedRule> rules;
    rules.push_back(std::move(prepared));
    engine_ = Engine::Make(std::move(rules), nullptr, {}).value();
    auto feed = std::make_unique<ScriptedFeed>();
    feed_ = feed.get();
    engine_->SetProfile(std::move(feed));
  }
  int64_t Advance() {
    return engine_->Advance(
        100, [this](const RuleState&, const Finding& finding) { told_.push_back(finding); });
  }

  Busy* rule_ = nullptr;
  ScriptedFeed* feed_ = nullptr;
  std::unique_ptr<Engine> engine_;
  std::vector<Finding> told_;
};

TEST_F(ProfileEngineTest, EvaluatesOnceForEachSecondOfTheRun) {
  Start();
  for (int tick = 0; tick < 9; ++tick) feed_->Sample(tick * 0.5);
  EXPECT_EQ(Advance(), 9);
  EXPECT_EQ(rule_->evaluated(), (std::vector<double>{0, 1, 2, 3, 4}));
  ASSERT_EQ(told_.size(), 1u) << "one finding, as long as it lasts";
  EXPECT_EQ(told_[0].message, "gpu0: is busy at 12:00:00 UTC");
  EXPECT_EQ(told_[0].time_s, kBegin);
  EXPECT_EQ(engine_->Reports(false)[0].findings[0].count, 5);
}

TEST_F(ProfileEngineTest, TellsHowFarTheTrainingWas) {
  Start();
  feed_->Step(3, 41);
  feed_->Sample(4.5);
  Advance();
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0].step, 41);
  EXPECT_EQ(told_[0].message, "gpu0: is busy at 12:00:03 UTC (step 41)");
}

TEST_F(ProfileEngineTest, AClockThatIsOffDoesNotEndEvaluating) {
  Start();
  feed_->Sample(1e12);
  feed_->Sample(1);
  feed_->Sample(3);
  Advance();
  EXPECT_EQ(rule_->evaluated(), (std::vector<double>{1, 3}));
}

TEST_F(ProfileEngineTest, EndsWithTheProfile) {
  Start();
  feed_->Sample(0);
  Advance();
  EXPECT_FALSE(engine_->ended());
  feed_->Sample(0.2);
  feed_->has_ended = true;
  Advance();
  EXPECT_TRUE(engine_->ended());
  EXPECT_EQ(rule_->evaluated().size(), 2u) << "the rest is evaluated at the end";
  engine_->End([](const RuleState&, const Finding&) {});
  EXPECT_EQ(rule_->evaluated().size(), 2u) << "once";
}

TEST_F(ProfileEngineTest, WithoutDataNothingIsEvaluated) {
  Start();
  EXPECT_EQ(Advance(), 0);
  engine_->End([](const RuleState&, const Finding&) {});
  EXPECT_TRUE(rule_->evaluated().empty());
  EXPECT_EQ(engine_->Reports(true)[0].status, RuleStatus::kNotEvaluated);
  EXPECT_FALSE(engine_->begun());
}

TEST_F(ProfileEngineTest, ARuleForTheReportAloneIsNotHeard) {
  Start(/*for_report=*/true);
  EXPECT_TRUE(engine_->ProfilerResults().empty());
  feed_->Sample(0);
  Advance();
  EXPECT_TRUE(told_.empty());
  EXPECT_TRUE(engine_->Reports(true).empty());
  ASSERT_EQ(engine_->ProfilerResults().size(), 1u);
  EXPECT_EQ(engine_->ProfilerResults()[0].datapoints, 1);
}

}  // namespace
}  // namespace warden::rules
