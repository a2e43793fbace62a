#include "warden/rules/engine/step_moment.h"

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class StepMomentTest : public RuleTest {
 protected:
  // Steps of 0.1 s. A gradient is zero from the last one on.
  void SaveWaits(const std::vector<float>& waits) {
    for (size_t step = 0; step < waits.size(); ++step) {
      Save(static_cast<Step>(step),
           Tensors{{"gradient/a", FloatTensor({1}, {step + 1 < waits.size() ? 1.0f : 0.0f})},
                   {"training/step_seconds", FloatTensor({1}, {0.1f})},
                   {"training/loader_seconds", FloatTensor({1}, {waits[step]})}});
    }
  }
  Finding FirstFinding() {
    const RuleReport report = Evaluate("AllZero:collection_names=gradients");
    EXPECT_EQ(report.findings.size(), 1u);
    return report.findings.empty() ? Finding() : report.findings[0];
  }
};

TEST_F(StepMomentTest, FindingsSayWhenTheirStepWasSaved) {
  Save(0, "gradient/a", {1});
  Save(5, "gradient/a", {0});
  const Finding finding = FirstFinding();
  EXPECT_EQ(finding.step, 5);
  EXPECT_EQ(finding.wall_time, trial::kTestWallTime + 5);
  EXPECT_EQ(finding.loader_share, std::nullopt);
}

TEST_F(StepMomentTest, TheLoaderCountsIfMostStepsWaitForIt) {
  SaveWaits({0.01f, 0.08f, 0.08f, 0.08f, 0.08f, 0.08f});
  EXPECT_NEAR(FirstFinding().loader_share.value_or(0), 0.8, 1e-6);
}

TEST_F(StepMomentTest, TheFirstStepOfAnEpochAloneDoesNot) {
  SaveWaits({0.1f, 0.03f, 0.03f, 0.03f, 0.03f, 0.09f});
  EXPECT_NEAR(FirstFinding().loader_share.value_or(0), 0.3, 1e-6);
}

TEST_F(StepMomentTest, ShortWaitsAreNothing) {
  SaveWaits({0.019f, 0.019f, 0.019f, 0.019f, 0.019f, 0.019f});
  EXPECT_EQ(FirstFinding().loader_share, std::nullopt);
}

TEST_F(StepMomentTest, TwoStepsAreTooFew) {
  SaveWaits({0.09f, 0.09f});
  EXPECT_EQ(FirstFinding().loader_share, std::nullopt);
}

}  // namespace
}  // namespace warden::rules
