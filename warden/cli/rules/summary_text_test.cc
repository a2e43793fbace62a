#include "warden/cli/rules/summary_text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/cli/command.h"
#include "warden/cli/output_for_test.h"
#include "warden/format/metric_line.h"
#include "warden/format/profiler_layout.h"
#include "warden/timeline/timeline_for_test.h"

namespace warden::cli {
namespace {

using rules::Finding;
using rules::RuleReport;
using rules::RuleStatus;

RuleReport ReportNamed(const std::string& rule, RuleStatus status, const std::string& reason = "") {
  RuleReport report;
  report.name = report.rule = rule;
  report.status = status;
  report.reason = reason;
  return report;
}

RuleReport Vanishing(int tensors) {
  RuleReport report = ReportNamed("VanishingGradient", RuleStatus::kIssuesFound);
  report.doc = "Gradients are too small for the layers before them to learn.";
  for (int i = 0; i < tensors; ++i) {
    Finding finding;
    finding.tensor = "gradient/Sequential_" + std::to_string(i) + ".bias";
    finding.value = 1e-10;
    finding.threshold = 1e-7;
    finding.message = finding.tensor + ": mean |g| 1e-10 is below 1e-07 at step 0";
    finding.advice = "Use ReLU-like activations.";
    report.findings.push_back(finding);
  }
  return report;
}

std::string Summary(const std::vector<RuleReport>& reports, const SummaryOptions& options) {
  CapturedOutput captured;
  PrintSummary(reports, options, captured.output());
  return captured.results();
}

TEST(SummaryTextTest, OneBlockPerProblem) {
  const std::vector<RuleReport> reports = {
      ReportNamed("LossSpike", RuleStatus::kNoIssuesFound), Vanishing(6),
      ReportNamed("DeadRelu", RuleStatus::kNotEvaluated, "no ReLU outputs were saved"),
      ReportNamed("LowGPUUtilization", RuleStatus::kNotEvaluated, "no GPU on this node")};
  EXPECT_EQ(Summary(reports, {}),
            "1 problem found\n"
            "\n"
            "VanishingGradient  6 tensors at step 0\n"
            "  Gradients are too small for the layers before them to learn.\n"
            "  gradient/Sequential_0.bias  mean |g| 1e-10 is below 1e-07 (step 0)\n"
            "  gradient/Sequential_1.bias  mean |g| 1e-10 is below 1e-07 (step 0)\n"
            "  gradient/Sequential_2.bias  mean |g| 1e-10 is below 1e-07 (step 0)\n"
            "  3 more tensors\n"
            "  Try: Use ReLU-like activations.\n"
            "\n"
            "1 rule found no problems. 1 rule not evaluated (data not saved); --verbose lists\n"
            "it.\n");
}

TEST(SummaryTextTest, ShadowRulesAreOneLine) {
  RuleReport shadow = Vanishing(6);
  shadow.shadow = true;
  RuleReport silent = ReportNamed("DeadRelu", RuleStatus::kNotEvaluated, "no ReLU outputs");
  silent.shadow = true;
  const RuleReport passed = ReportNamed("LossSpike", RuleStatus::kNoIssuesFound);
  EXPECT_EQ(Summary({passed, shadow}, {}),
            "No problems found (1 rule checked).\n"
            "Shadow rules would have reported: VanishingGradient (6 tensors at step 0).\n");
  EXPECT_EQ(Summary({passed, silent}, {}),
            "No problems found (1 rule checked).\n"
            "Shadow rules would have reported: nothing. Not evaluated: DeadRelu.\n");
  EXPECT_EQ(ExitCodeFor({passed, shadow}, rules::Severity::kNote), kDone);
  RuleReport failed = ReportNamed("AllZero", RuleStatus::kError, "broken");
  failed.shadow = true;
  EXPECT_EQ(ExitCodeFor({passed, failed}, rules::Severity::kNote), kDone);
}

TEST(SummaryTextTest, RulesWithoutAResultAreListedWhenAskedFor) {
  const std::vector<RuleReport> reports = {
      ReportNamed("LossSpike", RuleStatus::kNoIssuesFound),
      ReportNamed("DeadRelu", RuleStatus::kNotEvaluated, "no ReLU outputs were saved"),
      ReportNamed("TreeDepth", RuleStatus::kNotEvaluated, "no trees were saved"),
      ReportNamed("Mine", RuleStatus::kError, "it raised ValueError")};
  SummaryOptions verbose;
  verbose.verbose = true;
  EXPECT_EQ(Summary(reports, verbose),
            "DeadRelu  not evaluated: no ReLU outputs were saved\n"
            "Mine  error: it raised ValueError\n"
            "\n"
            "No problems found (1 rule checked).\n");
  SummaryOptions named;
  named.named = {"TreeDepth"};
  EXPECT_EQ(Summary(reports, named),
            "TreeDepth  not evaluated: no trees were saved\n"
            "Mine  error: it raised ValueError\n"
            "\n"
            "No problems found (1 rule checked). 1 rule not evaluated (data not saved);\n"
            "--verbose lists it.\n");
}

TEST(SummaryTextTest, FitsOneScreen) {
  std::vector<RuleReport> reports;
  for (int i = 0; i < 12; ++i) {
    reports.push_back(Vanishing(6));
    reports.back().name = reports.back().rule = "Rule" + std::to_string(i);
  }
  const std::string text = Summary(reports, {});
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 30);
  EXPECT_NE(text.find("more problems\n\n--verbose shows examples and advice for every problem.\n"),
            std::string::npos);
  SummaryOptions verbose;
  verbose.verbose = true;
  EXPECT_NE(Summary(reports, verbose).find("Rule11  6 tensors"), std::string::npos);
}

TEST(SummaryTextTest, AlertsAreOneLinePerRuleAndStep) {
  NewFindings found;
  for (const Finding& finding : Vanishing(6).findings) {
    found.emplace_back("VanishingGradient", finding);
  }
  found[4].second.value = 1e-11;
  found[5].second.step = 50;
  found[5].second.message = "gradient/Sequential_5.bias: mean |g| 1e-10 is below 1e-07 at step 50";
  EXPECT_EQ(AlertLines(found),
            (std::vector<std::string>{
                "VanishingGradient at step 0: gradient/Sequential_4.bias mean |g| 1e-10 is below "
                "1e-07 (4 more tensors)",
                "VanishingGradient at step 50: gradient/Sequential_5.bias mean |g| 1e-10 is below "
                "1e-07"}));
}

TEST(SummaryTextTest, TellsWhoStoppedTheTraining) {
  EXPECT_EQ(StopText("VanishingGradient", 7),
            "training stopped by rule VanishingGradient at step 7");
  EXPECT_EQ(StopText("StalledTrainingRule", -1), "training stopped by rule StalledTrainingRule");
}

TEST(SummaryTextTest, Places) {
  CapturedOutput captured;
  watch::RunFacts facts;
  facts.steps = 7;
  facts.tensors = 41;
  PrintPlaces({"build/demo/vanishing", "", "report.html", ""}, facts, captured.output());
  EXPECT_EQ(captured.results(),
            "\n"
            "Run        build/demo/vanishing  (7 steps, 41 tensors)\n"
            "Dashboard  warden serve --runs build/demo --open\n"
            "Report     report.html\n");
}

TEST(SummaryTextTest, WhatWasCapturedAndWhatItCost) {
  watch::RunFacts facts;
  facts.steps = 3200;
  facts.steps_with_statistics = 3200;
  const auto printed = [&] {
    CapturedOutput captured;
    PrintPlaces({"runs/1", "", "", ""}, facts, captured.output());
    return captured.results();
  };
  EXPECT_EQ(printed().find("Capture"), std::string::npos);
  facts.capture_share = 0.0042;
  EXPECT_NE(printed().find("\nCapture    statistics of every step, 0.4 % of the time\n"),
            std::string::npos);
  facts.steps_with_statistics = 143;
  EXPECT_NE(printed().find("statistics of 143 of 3200 steps, 0.4 % of the time"),
            std::string::npos);
  facts.steps = 320;
  EXPECT_NE(printed().find("statistics of 143 of 320 steps\n"), std::string::npos);
}

TEST(SummaryTextTest, ExitCodes) {
  const auto problem = rules::Severity::kProblem;
  EXPECT_EQ(ExitCodeFor({ReportNamed("A", RuleStatus::kNotEvaluated)}, problem), kDone);
  EXPECT_EQ(ExitCodeFor({ReportNamed("A", RuleStatus::kError)}, problem), kFailed);
  EXPECT_EQ(ExitCodeFor({ReportNamed("A", RuleStatus::kError), Vanishing(1)}, problem),
            kIssuesFound);
  EXPECT_EQ(ExitCodeFor({Vanishing(1)}, std::nullopt), kDone);
}

TEST(SummaryTextTest, SeveritiesDecideTheExitCode) {
  RuleReport slow = Vanishing(1);
  slow.findings[0].severity = rules::Severity::kWarning;
  EXPECT_EQ(ExitCodeFor({slow}, rules::Severity::kProblem), kDone);
  EXPECT_EQ(ExitCodeFor({slow}, rules::Severity::kWarning), kIssuesFound);
  EXPECT_EQ(ExitCodeFor({slow}, rules::Severity::kNote), kIssuesFound);
  EXPECT_TRUE(HasNews({slow}));
  EXPECT_FALSE(HasNews({ReportNamed("A", RuleStatus::kNoIssuesFound)}));
}

TEST(SummaryTextTest, WarningsAreCountedApart) {
  RuleReport slow = Vanishing(1);
  slow.name = slow.rule = "SlowDataLoader";
  slow.findings[0].severity = rules::Severity::kWarning;
  const std::string text = Summary({slow, Vanishing(2)}, {});
  EXPECT_TRUE(text.starts_with("1 problem, 1 warning found\n\nVanishingGradient")) << text;
  EXPECT_NE(text.find("SlowDataLoader  1 tensor at step 0 (warning)\n"), std::string::npos) << text;
}

TEST(SummaryTextTest, AnIncidentHasAtMostEightLines) {
  RuleReport divergence = Vanishing(9);
  divergence.name = divergence.rule = "Divergence";
  divergence.doc = std::string(40, 'd') + " " + std::string(60, 'e');
  for (Finding& finding : divergence.findings) {
    finding.message = finding.tensor + ": " + std::string(60, 'm') + " at step 0";
    finding.advice = std::string(50, 'a') + " " + std::string(50, 'b') + " " + std::string(50, 'c');
  }
  divergence.findings[0].spread = {"fc1 (step 0)", "fc2"};
  RuleReport spike = Vanishing(3);
  spike.name = spike.rule = "LossSpike";
  const std::string text = Summary({divergence, spike}, {});
  const std::string block = text.substr(text.find("Divergence"));
  EXPECT_LE(std::count(block.begin(), block.end(), '\n'), 8) << text;
  EXPECT_NE(block.find("Then: LossSpike"), std::string::npos);
  SummaryOptions verbose;
  verbose.verbose = true;
  EXPECT_NE(Summary({divergence, spike}, verbose).find("gradient/Sequential_8.bias"),
            std::string::npos);
}

TEST(SummaryTextTest, HowItSpreadIsOneLine) {
  RuleReport report = Vanishing(1);
  report.findings[0].spread = {"decoder.3 (step 51)", "decoder.4", "all gradients"};
  EXPECT_NE(Summary({report}, {})
                .find("(step 0)\n"
                      "  Spread: decoder.3 (step 51) -> decoder.4 -> all gradients\n"
                      "  Try: "),
            std::string::npos)
      << Summary({report}, {});
  report.findings[0].spread.assign(8, "a_module_with_a_long_name");
  EXPECT_NE(Summary({report}, {})
                .find("  Spread: a_module_with_a_long_name -> "
                      "a_module_with_a_long_name -> ...\n  Try: "),
            std::string::npos)
      << Summary({report}, {});
}

TEST(SummaryTextTest, TheCountOfTheScriptIsShownWhereItDiffers) {
  RuleReport report = Vanishing(1);
  report.findings[0].step = report.findings[0].last_step = 108;
  report.findings[0].optimizer_step = 54;
  report.findings[0].epoch = 2;
  EXPECT_NE(Summary({report}, {}).find("at step 108 (optimizer step 54, epoch 2)"),
            std::string::npos);
}

TEST(SummaryTextTest, SaysWhatTheMachineDid) {
  constexpr int64_t kThen = 1'700'000'040;
  timeline::ProfilerFolderForTest folder;
  std::string lines;
  const auto add = [&](std::string_view type, std::string_view name, std::string_view dimension,
                       double value) {
    format::AppendMetricLine({type, name, dimension, value, "algo-1", double{kThen}}, &lines);
  };
  add("memory", "MemoryUsedPercent", "", 97);
  add("accelerator", "gpu0", "ThrottleReasons", 64);
  folder.Write(format::MetricFileKey(kThen / 60 * 60, "algo-1"), lines);
  watch::MachineLog machine(folder.path());
  SummaryOptions options;
  options.machine = &machine;
  std::vector<RuleReport> reports = {Vanishing(1)};
  const std::string line =
      "  Machine: GPU 0 slowed down (heat); host memory 97 % full (around step 0)\n";
  EXPECT_EQ(Summary(reports, options).find("Machine"), std::string::npos);
  reports[0].findings[0].wall_time = kThen;
  EXPECT_NE(Summary(reports, options).find(line + "  Try: "), std::string::npos)
      << Summary(reports, options);
  EXPECT_EQ(ReportsJson("run", reports, &machine)["incidents"][0]["machine"].size(), 2u);
  EXPECT_FALSE(ReportsJson("run", reports, nullptr)["incidents"][0].contains("machine"));
  // It stays on its line.
  add("pressure", "memory", "SomePercent", 50);
  add("swap", "SwapInBytesPerSecond", "", 1e9);
  folder.Write(format::MetricFileKey(kThen / 60 * 60, "algo-1"), lines);
  watch::MachineLog more(folder.path());
  options.machine = &more;
  const std::string text = Summary(reports, options);
  EXPECT_NE(text.find("host memory 97 % full; ... (around step 0)\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace warden::cli
