#include "warden/rules/catalog/presets.h"
#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class CreateXgboostReportTest : public RuleTest {
 protected:
  static TestTensor Number(double value) {
    return MakeTensor<double>(DType::kFloat64, {1}, {value});
  }
};

TEST_F(CreateXgboostReportTest, NeverFires) {
  Manifest(1, {}, config::Framework::kXgBoost);
  Save(0, {{"validation-rmse", Number(3)}, {"feature_importance/gain/f0", Number(1)}});
  Save(5, {{"validation-rmse", Number(1e9)}, {"validation-mine", Number(2)}});
  const RuleReport report = Evaluate("CreateXgboostReport");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(report.coverage.steps, 2);
  EXPECT_EQ(report.coverage.tensors, 2);
  EXPECT_TRUE(report.notes.empty());
}

TEST_F(CreateXgboostReportTest, SaysWhyThereIsNothingToReport) {
  Save(0, "loss", {1});
  const RuleReport report = Evaluate("create_xgboost_report");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_NE(report.reason.find("feature_importance"), std::string::npos) << report.reason;
}

TEST_F(CreateXgboostReportTest, MetricsOfOtherFrameworksAreNoReason) {
  Manifest(1, {}, config::Framework::kTensorFlow);
  Save(0, {{"accuracy", Number(0.5)}, {"labels", Number(1)}});
  EXPECT_EQ(Evaluate("CreateXgboostReport").status, RuleStatus::kNotEvaluated);
}

TEST_F(CreateXgboostReportTest, IsNoPartOfWhatPresetsSave) {
  for (const char* preset : {"default", "all"}) {
    const auto configs = Preset(preset, nullptr);
    ASSERT_TRUE(configs);
    for (const RuleConfig& config : *configs) {
      EXPECT_NE(config.rule, "CreateXgboostReport") << preset;
    }
  }
  // Nor does it stand for the profiler's.
  EXPECT_TRUE(ReportRule(ParseRuleText("CreateXgboostReport").value()).has_value());
  EXPECT_FALSE(ReportRule(ParseRuleText("ProfilerReport").value()).has_value());
}

}  // namespace
}  // namespace warden::rules
