#include "warden/rules/profiler/profiler_for_test.h"

namespace warden::rules {
namespace {

class ProfilerReportTest : public ProfilerRuleTest {
 protected:
  ProfilerResult ResultOf(const std::string& rule) const {
    for (const ProfilerResult& result : rule_->Results()) {
      if (result.rule == rule) return result;
    }
    ADD_FAILURE() << "no result of " << rule;
    return {};
  }
};

TEST_F(ProfilerReportTest, AResultOfEveryRule) {
  Use("ProfilerReport");
  std::vector<std::string> rules;
  for (const ProfilerResult& result : rule_->Results()) {
    rules.push_back(result.rule);
    ASSERT_NE(result.details, nullptr) << result.rule;
    EXPECT_EQ(KeysOf(ToJson(result)),
              (std::vector<std::string>{"RuleTriggered", "Violations", "Details", "Datapoints",
                                        "RuleParameters"}));
    EXPECT_NE(result.not_evaluated, "") << result.rule;
  }
  EXPECT_EQ(rules, (std::vector<std::string>{
                       "CPUBottleneck", "IOBottleneck", "LowGPUUtilization", "StepOutlier",
                       "GPUMemoryIncrease", "BatchSize", "MaxInitializationTime", "LoadBalancing",
                       "OverallSystemUsage", "Dataloader", "OverallFrameworkMetrics"}));
  Evaluate();
  EXPECT_EQ(WhyNot(), "no system metrics and no timeline were saved; add --profile timeline");
}

TEST_F(ProfilerReportTest, OtherDefaultsOfTheGuideAreTold) {
  const std::map<std::pair<std::string, std::string>, std::string> guide = {
      {{"BatchSize", "patience"}, "100"},        {{"CPUBottleneck", "patience"}, "100"},
      {{"GPUMemoryIncrease", "increase"}, "10"}, {{"GPUMemoryIncrease", "patience"}, "100"},
      {{"GPUMemoryIncrease", "window"}, "500"},  {{"IOBottleneck", "gpu_threshold"}, "70"},
      {{"LoadBalancing", "patience"}, "10"},     {{"StepOutlier", "stddev"}, "5"}};
  size_t told = 0;
  for (const RuleEntry& entry : BuiltinRules()) {
    if (entry.spec->kind != RuleKind::kProfiler) continue;
    for (const Param& param : entry.spec->params) {
      const std::string doc(param.doc);
      const auto other = guide.find({std::string(entry.spec->name), std::string(param.name)});
      if (other == guide.end()) {
        EXPECT_EQ(doc.find("guide says"), std::string::npos) << entry.spec->name << param.name;
        continue;
      }
      ++told;
      EXPECT_TRUE(doc.ends_with("sends " + std::string(param.default_text) + ", its guide says " +
                                other->second + ")"))
          << doc;
    }
  }
  EXPECT_EQ(told, guide.size());
}

TEST_F(ProfilerReportTest, OperatorsAloneForSageMakerProfiler) {
  Use("DetailedProfilerProcessing");
  See({.cpu = 95, .gpus = {1}}, 20);
  See(SpanOf("cpu_functions", "aten::linear", 1, 0.5));
  Evaluate();
  EXPECT_TRUE(Findings().empty());
  std::vector<std::string> rules;
  for (const ProfilerResult& result : rule_->Results()) rules.push_back(result.rule);
  EXPECT_EQ(rules, (std::vector<std::string>{"OverallSystemUsage", "OverallFrameworkMetrics"}));
  EXPECT_TRUE(Evaluated());
}

TEST_F(ProfilerReportTest, WhatItsPartsFind) {
  Use("ProfilerReport:LowGPUUtilization_patience=5;LowGPUUtilization_window=5;"
      "CPUBottleneck_patience=5");
  See({.cpu = 95, .gpus = {1, 95}, .gpu_memory = {10, 10}}, 20);
  Evaluate();
  ASSERT_EQ(Findings().size(), 2u);
  EXPECT_EQ(Findings()[0].tensor, "CPUBottleneck");
  EXPECT_EQ(Findings()[0].worker, "algo-1");
  EXPECT_TRUE(Findings()[0].message.starts_with("CPUBottleneck: in 100 % of 15 data points"))
      << Findings()[0].message;
  EXPECT_TRUE(Findings()[0].advice.starts_with("Reduce CPU work"));
  EXPECT_EQ(Findings()[1].tensor, "LowGPUUtilization: gpu0");
  EXPECT_TRUE(Findings()[1].message.starts_with(
      "LowGPUUtilization: gpu0: p95 utilization over the last 5 data points is 1 %"))
      << Findings()[1].message;
  EXPECT_EQ(ResultOf("LowGPUUtilization").triggered, 1);
  EXPECT_EQ(ResultOf("LowGPUUtilization").not_evaluated, "");
  EXPECT_EQ(ResultOf("LoadBalancing").not_evaluated, "needs 1001 data points, found 20");

  See({.cpu = 20, .gpus = {95, 95}, .gpu_memory = {10, 10}}, 20);
  Evaluate();
  EXPECT_EQ(Findings().size(), 2u);
  EXPECT_EQ(Findings()[1].count, 1);  // It has ended.
}

TEST_F(ProfilerReportTest, ShortRunsAreCheckedWithLessPatienceAtTheirEnd) {
  Use("ProfilerReport");
  See({.cpu = 96, .gpus = {1, 95}, .gpu_memory = {10, 10}}, 200);
  Evaluate();
  EXPECT_TRUE(Findings().empty());
  EXPECT_EQ(ResultOf("CPUBottleneck").not_evaluated, "needs 1001 data points, found 200");
  EvaluateAtEnd();
  std::vector<std::string> found;
  for (const Finding& finding : Findings()) found.push_back(finding.tensor);
  EXPECT_EQ(found, (std::vector<std::string>{"CPUBottleneck", "LoadBalancing",
                                             "LowGPUUtilization: gpu0"}));
  EXPECT_NE(Findings()[0].message.find("(short run: 50 data points ignored at the start)"),
            std::string::npos)
      << Findings()[0].message;
  EXPECT_EQ(ResultOf("CPUBottleneck").not_evaluated, "");
  EXPECT_EQ(ResultOf("CPUBottleneck").triggered, 1);
  EXPECT_EQ(ResultOf("CPUBottleneck").note,
            "Short run: 50 data points were ignored at the start instead of 1000.");
  EXPECT_EQ(ResultOf("OverallSystemUsage").note, "");
}

TEST_F(ProfilerReportTest, APatienceThatWasSetIsKept) {
  Use("ProfilerReport:CPUBottleneck_patience=500");
  See({.cpu = 96, .gpus = {1}, .gpu_memory = {10}}, 200);
  EvaluateAtEnd();
  EXPECT_EQ(ResultOf("CPUBottleneck").not_evaluated, "needs 501 data points, found 200");
  EXPECT_EQ(ResultOf("LowGPUUtilization").not_evaluated, "");
}

TEST_F(ProfilerReportTest, VeryShortRunsAreNotEvaluated) {
  Use("ProfilerReport");
  See({.cpu = 96, .gpus = {1}, .gpu_memory = {10}}, 40);
  EvaluateAtEnd();
  EXPECT_TRUE(Findings().empty());
  EXPECT_EQ(ResultOf("CPUBottleneck").not_evaluated, "needs 1001 data points, found 40");
  // It can be described, but that is no all-clear.
  EXPECT_EQ(ResultOf("OverallSystemUsage").not_evaluated, "");
  EXPECT_FALSE(Evaluated());
  EXPECT_EQ(WhyNot(),
            "there was too little data to look for problems (first: CPUBottleneck: needs 51 data "
            "points, found 40)");
}

TEST_F(ProfilerReportTest, OnePartThatLooksForProblemsHasChecked) {
  Use("ProfilerReport");
  See({.cpu = 50, .gpus = {99}, .gpu_memory = {10}}, 40);
  EvaluateAtEnd();
  EXPECT_FALSE(Evaluated());
  See({.cpu = 50, .gpus = {99}, .gpu_memory = {10}}, 20);
  EvaluateAtEnd();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
}

TEST_F(ProfilerReportTest, LongRunsAreCheckedAsUsual) {
  Use("ProfilerReport");
  See({.cpu = 96, .gpus = {1}, .gpu_memory = {10}}, 1000);
  See({.cpu = 10, .gpus = {99}, .gpu_memory = {10}}, 200);
  Evaluate();
  EvaluateAtEnd();
  EXPECT_EQ(ResultOf("CPUBottleneck").note, "");
  EXPECT_EQ(ResultOf("CPUBottleneck").triggered, 0);
}

TEST_F(ProfilerReportTest, ParametersInAnyCase) {
  Use("ProfilerReport:CPUBOTTLENECK_threshold=20;lowgpuutilization_threshold_p95=33;"
      "stepoutlier_mode=EVAL;opt_out_telemetry=True");
  EXPECT_EQ(ResultOf("CPUBottleneck").parameters,
            "threshold:20\ncpu_threshold:90\ngpu_threshold:10\npatience:1000");
  EXPECT_TRUE(ResultOf("LowGPUUtilization").parameters.starts_with("threshold_p95:33\n"));
  EXPECT_EQ(ResultOf("StepOutlier").parameters, "threshold:3\nmode:EVAL\nn_outliers:10\nstddev:3");
}

TEST_F(ProfilerReportTest, OneIntervalForAllUnlessARuleHasItsOwn) {
  Use("ProfilerReport:scan_interval_us=1000000;LowGPUUtilization_patience=0;"
      "CPUBottleneck_patience=0;CPUBottleneck_scan_interval_us=60000000");
  for (int second = 0; second < 10; ++second) {
    See({.cpu = 95, .gpus = {1}}, 2);
    EvaluateAt(second);
  }
  EXPECT_EQ(ResultOf("LowGPUUtilization").triggered, 10);
  EXPECT_EQ(ResultOf("CPUBottleneck").triggered, 1);
}

TEST_F(ProfilerReportTest, WhatIsRefused) {
  EXPECT_TRUE(Refusal("ProfilerReport:CPUBottleneck_nonesuch=1")
                  .starts_with("ProfilerReport: unknown parameter 'CPUBottleneck_nonesuch'"));
  EXPECT_EQ(Refusal("ProfilerReport:cpubottleneck_threshold=200"),
            "ProfilerReport: cpubottleneck_threshold is '200'; expected a number from 0 to 100");
  EXPECT_EQ(Refusal("ProfilerReport:Dataloader_min_threshold=300"),
            "Dataloader: min_threshold is 300; expected at most max_threshold (200)");
  EXPECT_EQ(Refusal("ProfilerReport:CPUBottleneck_threshold=1;cpubottleneck_threshold=2"),
            "ProfilerReport: CPUBottleneck_threshold is given twice");
}

TEST_F(ProfilerReportTest, NothingThatIsNoJson) {
  Use("ProfilerReport");
  See({.cpu = NAN, .gpus = {NAN, INFINITY}, .gpu_memory = {NAN}}, 10);
  See({.cpu = INFINITY, .io_wait = -INFINITY, .memory = 1e308, .network = 1e308}, 10);
  SeeStep("TRAIN", -5, 0, 0);
  See(SpanOf("DataLoaderWorker", "</script>\"\xff", 0, 0));
  Evaluate();
  for (const ProfilerResult& result : rule_->Results()) {
    const std::string text = DumpLikePython(ToJson(result));
    EXPECT_EQ(text.find("NaN"), std::string::npos) << result.rule;
    EXPECT_EQ(text.find("Infinity"), std::string::npos) << result.rule;
  }
}

}  // namespace
}  // namespace warden::rules
