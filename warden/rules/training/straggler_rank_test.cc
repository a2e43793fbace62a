#include <algorithm>
#include <vector>

#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kStraggler[] = "StragglerRank:factor=1.25;seconds=0.005";

class StragglerRankTest : public TrainingTest {
 protected:
  // Steps in which each worker takes its own time, and waits for the slowest.
  void Steps(Step first, Step end, const std::vector<double>& own, double loader = 0) {
    const double longest = *std::ranges::max_element(own);
    for (Step step = first; step < end; ++step) {
      for (size_t i = 0; i < own.size(); ++i) {
        Times(step, static_cast<int>(i), longest + 0.001, longest + 0.001 - own[i],
              own[i] == longest ? loader : 0);
      }
    }
  }
  void Times(Step step, int worker, double seconds, double exchange, double loader) {
    Save(step,
         LogTensors({{"step_seconds", seconds},
                     {"exchange_seconds", exchange},
                     {"loader_seconds", loader}}),
         Mode::kTrain, worker);
  }
};

TEST_F(StragglerRankTest, NamesTheWorkerThatTheOthersWaitFor) {
  Manifest(4);
  Steps(0, 40, {0.02, 0.021, 0.08, 0.019});
  const Finding finding = Only(Evaluate(kStraggler));
  EXPECT_EQ(finding.worker, "worker_2");
  EXPECT_EQ(finding.step, 14);
  EXPECT_EQ(finding.last_step, 39);
  EXPECT_DOUBLE_EQ(finding.value, 0.08);
  EXPECT_TRUE(Says(finding.message, {"its part of a step takes 80 ms", "the others 20 ms"}));
}

TEST_F(StragglerRankTest, OneOfTwo) {
  Manifest(2);
  Steps(0, 40, {0.09, 0.03});
  const Finding finding = Only(Evaluate(kStraggler));
  EXPECT_EQ(finding.worker, "worker_0");
  EXPECT_TRUE(Says(finding.message, {"the other worker 30 ms"}));
}

TEST_F(StragglerRankTest, SaysIfItWaitsForItsData) {
  Manifest(3);
  Steps(0, 40, {0.02, 0.08, 0.02}, /*loader=*/0.055);
  EXPECT_TRUE(Says(Only(Evaluate(kStraggler)).message, {"waits 55 ms for its data loader"}));
}

TEST_F(StragglerRankTest, EqualWorkersAreSilent) {
  Manifest(4);
  Steps(0, 60, {0.02, 0.021, 0.022, 0.02});
  const RuleReport report = Evaluate(kStraggler);
  EXPECT_TRUE(IsSilent(report));
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
}

TEST_F(StragglerRankTest, TakingTurnsIsNotStraggling) {
  Manifest(2);
  for (Step step = 0; step < 60; ++step) {
    if (step % 5 < 3) {
      Steps(step, step + 1, {0.02, 0.08});
    } else {
      Steps(step, step + 1, {0.08, 0.02});
    }
  }
  EXPECT_TRUE(IsSilent(Evaluate(kStraggler)));
}

TEST_F(StragglerRankTest, ShortStepsMayDiffer) {
  Manifest(2);
  Steps(0, 60, {0.001, 0.003});
  EXPECT_TRUE(IsSilent(Evaluate(kStraggler)));
}

TEST_F(StragglerRankTest, EndsWhenTheWorkerIsFastAgain) {
  Manifest(2);
  Steps(0, 40, {0.02, 0.08});
  Steps(40, 140, {0.02, 0.02});
  EXPECT_LT(Only(Evaluate(kStraggler)).last_step, 100);
}

TEST_F(StragglerRankTest, OneWorkerIsTooFew) {
  Steps(0, 40, {0.02});
  const RuleReport report = Evaluate(kStraggler);
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_TRUE(Says(report.reason, {"2 workers", "--workers all"}));
}

TEST_F(StragglerRankTest, NeedsTheTimeOfTheExchange) {
  Manifest(2);
  for (Step step = 0; step < 40; ++step) {
    for (const int worker : {0, 1}) {
      Save(step, LogTensors({{"step_seconds", 0.1 + worker}}), Mode::kTrain, worker);
    }
  }
  const RuleReport report = Evaluate(kStraggler);
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_TRUE(Says(report.reason, {"15 steps", "average gradients"}));
}

TEST_F(StragglerRankTest, BadInputIsLeftOut) {
  Manifest(2);
  for (Step step = 0; step < 40; ++step) {
    Times(step, 0, 0.1, -1, 0);
    Times(step, 1, step % 2 == 0 ? NAN : -1, INFINITY, NAN);
  }
  EXPECT_TRUE(IsSilent(Evaluate(kStraggler)));
}

}  // namespace
}  // namespace warden::rules
