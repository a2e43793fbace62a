#include "warden/watch/summary/finding_groups.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warden::watch {
namespace {

using rules::Finding;
using rules::RuleReport;

Finding Found(const std::string& tensor, Step step, double value, double threshold) {
  Finding finding;
  finding.tensor = tensor;
  finding.step = finding.last_step = step;
  finding.value = value;
  finding.threshold = threshold;
  finding.message = tensor + ": mean |g| 2.19e-10 is below 1e-07 at step " + std::to_string(step);
  finding.advice = "Use ReLU.";
  return finding;
}

RuleReport ReportWith(const std::string& rule, std::vector<Finding> findings) {
  RuleReport report;
  report.name = report.rule = rule;
  report.status = rules::RuleStatus::kIssuesFound;
  report.findings = std::move(findings);
  return report;
}

TEST(GroupFindingsTest, OneGroupPerRuleAndCause) {
  const std::vector<RuleReport> reports = {
      ReportWith("WeightUpdateRatio",
                 {Found("a", 0, 1e-9, 1e-7), Found("b", 0, 20, 10), Found("c", 50, 1e-8, 1e-7)})};
  const auto groups = GroupFindings(reports);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].findings.size() + groups[1].findings.size(), 3u);
  for (const FindingGroup& group : groups) {
    EXPECT_EQ(group.tensors, group.findings.size());
    EXPECT_EQ(group.first_step, 0);
  }
}

TEST(GroupFindingsTest, WorstFirstThenEarliest) {
  const std::vector<RuleReport> reports = {
      ReportWith("LossSpike", {Found("loss", 1, 9, 5)}),
      ReportWith("VanishingGradient", {Found("a", 30, 1e-9, 1e-7)}),
      ReportWith("DeadRelu", {Found("relu", 20, 90, 50)}),
      ReportWith("ExplodingTensor", {Found("w", 40, 3, 0)}),
      ReportWith("GradientNormSpike", {}),
  };
  std::vector<std::string> names;
  for (const FindingGroup& group : GroupFindings(reports)) names.push_back(group.report->name);
  EXPECT_EQ(names, (std::vector<std::string>{"ExplodingTensor", "DeadRelu", "VanishingGradient",
                                             "LossSpike"}));
}

TEST(GroupFindingsTest, ExamplesComeEarliestThenFurthestFromTheThreshold) {
  Finding lasting = Found("late", 9, 1e-12, 1e-7);
  lasting.last_step = 30;
  const std::vector<RuleReport> reports = {
      ReportWith("VanishingGradient", {lasting, Found("near", 2, 9e-8, 1e-7),
                                       Found("far", 2, 1e-10, 1e-7), Found("zero", 2, 0, 1e-7)})};
  const auto groups = GroupFindings(reports);
  ASSERT_EQ(groups.size(), 1u);
  std::vector<std::string> tensors;
  for (const Finding* finding : groups[0].findings) tensors.push_back(finding->tensor);
  EXPECT_EQ(tensors, (std::vector<std::string>{"zero", "far", "near", "late"}));
  EXPECT_EQ(groups[0].first_step, 2);
  EXPECT_EQ(groups[0].last_step, 30);
}

TEST(GroupFindingsTest, ValuesThatAreNotFiniteComeFirst) {
  const std::vector<RuleReport> reports = {
      ReportWith("LossSpike", {Found("finite", 0, 9, 5), Found("nan", 0, std::nan(""), 5)})};
  const auto groups = GroupFindings(reports);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].findings[0]->tensor, "nan");
}

TEST(FindingTextTest, TakesTheNameAndTheTimeOffTheMessage) {
  Finding finding = Found("fc.weight", 12, 0, 0);
  EXPECT_EQ(CauseOf(finding), "mean |g| 2.19e-10 is below 1e-07");
  EXPECT_EQ(rules::BeginText(finding), "step 12");
  EXPECT_EQ(PlaceOf(finding), "fc.weight");
  finding.mode = Mode::kEval;
  finding.message += " (EVAL)";
  finding.worker = "worker_1";
  EXPECT_EQ(CauseOf(finding), "mean |g| 2.19e-10 is below 1e-07");
  EXPECT_EQ(rules::BeginText(finding), "step 12 (EVAL)");
  EXPECT_EQ(PlaceOf(finding), "fc.weight [worker_1]");

  Finding machine;
  machine.time_s = 12 * 3600 + 3 * 60 + 20;
  machine.message = "the CPU was busy, at 12:03:20 UTC (step 4)";
  EXPECT_EQ(CauseOf(machine), "the CPU was busy");
  EXPECT_EQ(rules::BeginText(machine), "12:03:20 UTC");
  machine.message = "the rule's own words";
  EXPECT_EQ(CauseOf(machine), "the rule's own words");
}

}  // namespace
}  // namespace warden::watch
