#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kSlowDataLoader[] = "SlowDataLoader:share=0.5;seconds=0.02";

class SlowDataLoaderTest : public TrainingTest {
 protected:
  void Steps(Step first, Step end, double seconds, double waited, Mode mode = Mode::kTrain) {
    for (Step step = first; step < end; ++step) {
      Note(step, {{"step_seconds", seconds}, {"loader_seconds", waited}}, "", {}, mode);
    }
  }
};

TEST_F(SlowDataLoaderTest, FiresWhenMostOfTheTimeIsSpentWaiting) {
  Note(0, {}, R"({"loader_line": "train.py:7"})");
  Steps(1, 60, 0.1, 0.08);
  const Finding finding = Only(Evaluate(kSlowDataLoader));
  EXPECT_GE(finding.step, 5);
  EXPECT_LT(finding.step, 40);
  EXPECT_EQ(finding.last_step, 59);
  EXPECT_TRUE(Says(finding.message, {"data loader", "80 %", "80 ms", "(train.py:7)"}));
  EXPECT_TRUE(Says(finding.advice, {"num_workers"}));
}

TEST_F(SlowDataLoaderTest, TheFirstBatchOfAnEpochMayBeSlow) {
  for (Step step = 0; step < 100; ++step) {
    const double waited = step % 10 == 0 ? 5 : 0.001;
    Steps(step, step + 1, 0.1 + waited, waited);
  }
  EXPECT_TRUE(IsSilent(Evaluate(kSlowDataLoader)));
}

TEST_F(SlowDataLoaderTest, ShortStepsWaitForTheirDataMostly) {
  Steps(0, 100, 0.001, 0.0009);
  EXPECT_TRUE(IsSilent(Evaluate(kSlowDataLoader)));
}

TEST_F(SlowDataLoaderTest, WaitingAFractionOfTheTimeIsUsual) {
  Steps(0, 100, 1, 0.2);
  EXPECT_TRUE(IsSilent(Evaluate(kSlowDataLoader)));
}

TEST_F(SlowDataLoaderTest, EndsWhenTheLoaderIsFastAgain) {
  Steps(0, 60, 0.1, 0.08);
  Steps(60, 300, 0.1, 0.001);
  EXPECT_LT(Only(Evaluate(kSlowDataLoader)).last_step, 200);
}

TEST_F(SlowDataLoaderTest, TooFewSteps) {
  Steps(0, 3, 0.1, 0.08);
  const RuleReport report = Evaluate(kSlowDataLoader);
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_TRUE(Says(report.reason, {"needs", "data loader"}));
}

TEST_F(SlowDataLoaderTest, BadInputIsLeftOut) {
  BadSteps({"step_seconds", "loader_seconds"});
  Steps(200, 250, 0, 1);
  Steps(250, 300, -1, 1);
  EXPECT_TRUE(IsSilent(Evaluate("SlowDataLoader")));
}

TEST_F(SlowDataLoaderTest, LongWaitsNeedFewSteps) {
  Steps(0, 30, 0.1, 0.08);
  EXPECT_EQ(Only(Evaluate(kSlowDataLoader)).step, 7);
}

TEST_F(SlowDataLoaderTest, ShorterWaitsNeedMore) {
  Steps(0, 30, 0.1, 0.06);
  EXPECT_EQ(Only(Evaluate(kSlowDataLoader)).step, 14);
}

TEST_F(SlowDataLoaderTest, TimesOfAllForwardPassesOfAnUpdateCount) {
  for (Step step = 0; step < 60; step += 2) {
    Note(step, {{"step_seconds", 0.1}, {"loader_seconds", 0.09}});
    Note(step + 1, {{"step_seconds", 0.01},
                    {"loader_seconds", 0},
                    {"optimizer_step", static_cast<double>(step / 2 + 1)}});
  }
  const Finding finding = Only(Evaluate(kSlowDataLoader));
  EXPECT_LT(finding.step, 20);
  EXPECT_TRUE(Says(finding.message, {"82 %", "90 ms"}));
}

}  // namespace
}  // namespace warden::rules
