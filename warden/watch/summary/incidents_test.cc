#include "warden/watch/summary/incidents.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"
#include "warden/format/profiler_layout.h"
#include "warden/rules/catalog/registry.h"
#include "warden/timeline/timeline_for_test.h"

namespace warden::watch {
namespace {

using IncidentNames = std::vector<std::string>;

rules::Finding IncidentFinding(Step step, const std::string& tensor = "",
                               const std::string& advice = "Fix it.") {
  rules::Finding finding;
  finding.tensor = tensor;
  finding.step = step;
  finding.last_step = step + 10;
  finding.value = 1;
  finding.message =
      (tensor.empty() ? "" : tensor + ": ") + "it is broken at step " + std::to_string(step);
  finding.advice = advice;
  return finding;
}

rules::RuleReport IncidentReport(const std::string& rule, std::vector<rules::Finding> findings) {
  rules::RuleReport report;
  report.name = report.rule = rule;
  report.status = rules::RuleStatus::kIssuesFound;
  report.findings = std::move(findings);
  const auto known = rules::FindRule(rule);
  for (rules::Finding& finding : report.findings) {
    finding.id = &finding - report.findings.data() + 1;
    if (known.ok()) finding.severity = known.value().entry->spec->severity;
  }
  return report;
}

void WriteFullMemory(int64_t seconds, timeline::ProfilerFolderForTest* folder) {
  std::string line;
  format::AppendMetricLine(
      {"memory", "MemoryUsedPercent", "", 97, "algo-1", static_cast<double>(seconds)}, &line);
  folder->Write(format::MetricFileKey(seconds / 60 * 60, "algo-1"), line);
}

IncidentNames CausesOf(const std::vector<Incident>& incidents) {
  IncidentNames names;
  for (const Incident& incident : incidents) names.push_back(incident.cause.report->name);
  return names;
}

IncidentNames EffectsOf(const Incident& incident) {
  IncidentNames names;
  for (const FindingGroup& group : incident.effects) names.push_back(group.report->name);
  return names;
}

TEST(IncidentsTest, NoFindingsNoIncidents) {
  EXPECT_TRUE(FindIncidents({}).empty());
  EXPECT_TRUE(FindIncidents({IncidentReport("Divergence", {})}).empty());
}

TEST(IncidentsTest, AMistakeInTheScriptExplainsWhatFollows) {
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("VanishingGradient", {IncidentFinding(80, "gradient/fc")}),
      IncidentReport("NaNOrigin", {IncidentFinding(60, "fc_output_0")}),
      IncidentReport("Divergence", {IncidentFinding(40)}),
      IncidentReport("GradientsNotCleared", {IncidentFinding(3)}),
  };
  const auto incidents = FindIncidents(reports);
  ASSERT_EQ(CausesOf(incidents), IncidentNames{"GradientsNotCleared"});
  EXPECT_EQ(incidents[0].severity, rules::Severity::kProblem);
  EXPECT_EQ(EffectsOf(incidents[0]),
            (IncidentNames{"Divergence", "NaNOrigin", "VanishingGradient"}));
}

TEST(IncidentsTest, AMistakeExplainsSymptomsThatWereNoticedBefore) {
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("OptimizerCoverage", {IncidentFinding(5000)}),
      IncidentReport("NotLearning", {IncidentFinding(80)}),
  };
  const auto incidents = FindIncidents(reports);
  ASSERT_EQ(CausesOf(incidents), IncidentNames{"OptimizerCoverage"});
  EXPECT_EQ(EffectsOf(incidents[0]), IncidentNames{"NotLearning"});
}

TEST(IncidentsTest, ADivergenceDoesNotExplainWhatWasLongBefore) {
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("Divergence", {IncidentFinding(9000)}),
      IncidentReport("VanishingGradient", {IncidentFinding(10, "gradient/fc")}),
  };
  EXPECT_EQ(FindIncidents(reports).size(), 2u);
}

TEST(IncidentsTest, UnrelatedSubjectsAreDifferentIncidents) {
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("SlowDataLoader", {IncidentFinding(15)}),
      IncidentReport("LowGPUUtilization", {IncidentFinding(30)}),
      IncidentReport("LossInputs", {IncidentFinding(20)}),
      IncidentReport("NotLearning", {IncidentFinding(80)}),
  };
  const auto incidents = FindIncidents(reports);
  ASSERT_EQ(CausesOf(incidents), (IncidentNames{"LossInputs", "SlowDataLoader"}));
  EXPECT_EQ(EffectsOf(incidents[0]), IncidentNames{"NotLearning"});
  EXPECT_EQ(EffectsOf(incidents[1]), IncidentNames{"LowGPUUtilization"});
}

TEST(IncidentsTest, ProblemsComeBeforeWarnings) {
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("SlowDataLoader", {IncidentFinding(1)}),
      IncidentReport("Overfitting", {IncidentFinding(2)}),
      IncidentReport("NotLearning", {IncidentFinding(900)}),
  };
  const auto incidents = FindIncidents(reports);
  ASSERT_EQ(incidents.size(), 3u);
  EXPECT_EQ(incidents[0].cause.report->name, "NotLearning");
  EXPECT_EQ(incidents[0].severity, rules::Severity::kProblem);
  EXPECT_EQ(incidents[1].severity, rules::Severity::kWarning);
  EXPECT_EQ(incidents[2].severity, rules::Severity::kWarning);
}

TEST(IncidentsTest, SomeRulesStandAlone) {
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("GradientsNotCleared", {IncidentFinding(3)}),
      IncidentReport("EvaluationMode", {IncidentFinding(10)}),
      IncidentReport("GraphsKeptAlive", {IncidentFinding(60)}),
      IncidentReport("Overfitting", {IncidentFinding(90)}),
  };
  const auto incidents = FindIncidents(reports);
  EXPECT_EQ(incidents.size(), 4u);
  for (const Incident& incident : incidents) EXPECT_TRUE(incident.effects.empty());
}

TEST(IncidentsTest, TwoMistakesOfOneRuleAreTwoIncidents) {
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("OptimizerCoverage", {IncidentFinding(3, "parameters", "Pass all parameters."),
                                           IncidentFinding(3, "gradients", "Look for detach().")})};
  EXPECT_EQ(FindIncidents(reports).size(), 2u);
}

TEST(IncidentsTest, TwoMistakesOfDifferentRulesAreTwoIncidents) {
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("LossInputs", {IncidentFinding(20)}),
      IncidentReport("GradientsNotCleared", {IncidentFinding(3)}),
      IncidentReport("NotLearning", {IncidentFinding(80)}),
  };
  const auto incidents = FindIncidents(reports);
  EXPECT_EQ(CausesOf(incidents), (IncidentNames{"GradientsNotCleared", "LossInputs"}));
}

TEST(IncidentsTest, ManyTensorsAreOneIncident) {
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("DeadUnits", {IncidentFinding(50, "Net_fc1"), IncidentFinding(40, "Net_fc2"),
                                   IncidentFinding(60, "Net_fc3")})};
  const auto incidents = FindIncidents(reports);
  ASSERT_EQ(incidents.size(), 1u);
  EXPECT_EQ(incidents[0].cause.first_step, 40);
  EXPECT_EQ(incidents[0].cause.tensors, 3u);
  EXPECT_EQ(HeadlineOf(incidents[0]), "Net_fc2: it is broken");
}

TEST(IncidentsTest, FindingsOfCustomRulesStandAlone) {
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("MyRule", {IncidentFinding(100, "fc.weight")}),
      IncidentReport("LossInputs", {IncidentFinding(4)}),
  };
  ASSERT_EQ(CausesOf(FindIncidents(reports)), (IncidentNames{"LossInputs", "MyRule"}));
}

TEST(IncidentsTest, TheHeadlineNamesTheWorkerWhereItMatters) {
  rules::Finding finding = IncidentFinding(7);
  finding.worker = "worker_3";
  const std::vector<rules::RuleReport> reports = {IncidentReport("Divergence", {finding})};
  EXPECT_EQ(HeadlineOf(FindIncidents(reports).at(0)), "[worker_3]: it is broken");
}

TEST(IncidentsTest, TheJsonForm) {
  EXPECT_EQ(ToJson(std::vector<Incident>()).dump(), "[]");
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("DeadUnits", {IncidentFinding(40, "Net_fc1"), IncidentFinding(45, "Net_fc2")}),
      IncidentReport("Overfitting", {IncidentFinding(90, "", "Stop earlier.")}),
      IncidentReport("InputScale", {IncidentFinding(3, "scale", "Normalize inputs.")}),
  };
  const auto incidents = FindIncidents(reports);
  const Json json = ToJson(incidents);
  EXPECT_EQ(DumpLikePython(json),
            R"([{"severity": "problem", "confidence": "medium", "rule": "InputScale", )"
            R"("headline": "scale: it is broken", )"
            R"("since": "step 3", "step": 3, "last_step": 13, "advice": "Normalize inputs.", )"
            R"("doc": "", "finding": 1, "tensors": 1, "findings": 3, "effects": [)"
            R"({"rule": "DeadUnits", "since": "step 40", "step": 40, "finding": 1, "tensors": 2, )"
            R"("findings": 2}]}, )"
            R"({"severity": "warning", "confidence": "medium", "rule": "Overfitting", )"
            R"("headline": "it is broken", )"
            R"("since": "step 90", "step": 90, "last_step": 100, "advice": "Stop earlier.", )"
            R"("doc": "", "finding": 1, "tensors": 0, "findings": 1, "effects": []}])");
}

TEST(IncidentsTest, TheCountOfTheScriptIsTold) {
  rules::Finding finding = IncidentFinding(108);
  finding.optimizer_step = 54;
  finding.epoch = 2;
  const std::vector<rules::RuleReport> reports = {IncidentReport("Divergence", {finding})};
  const Json json = ToJson(FindIncidents(reports).at(0));
  EXPECT_EQ(json["since"], "step 108 (optimizer step 54, epoch 2)");
  EXPECT_EQ(json["optimizer_step"], 54);
  EXPECT_EQ(json["epoch"], 2);
}

TEST(IncidentsTest, AnIncidentIsAsSureAsItsCause) {
  std::vector<rules::RuleReport> reports = {
      IncidentReport("GradientsNotCleared", {IncidentFinding(3)}),
      IncidentReport("NaNOrigin", {IncidentFinding(60, "fc_output_0")}),
      IncidentReport("LowGPUUtilization", {IncidentFinding(30)}),
      IncidentReport("MyRule", {IncidentFinding(40)}),
  };
  const auto confidences = [&] {
    std::vector<std::string> names;
    for (const Incident& incident : FindIncidents(reports)) {
      names.push_back(incident.cause.report->name + " " +
                      std::string(ConfidenceName(incident.confidence)));
    }
    return names;
  };
  EXPECT_EQ(confidences(),
            (IncidentNames{"GradientsNotCleared high", "MyRule medium", "LowGPUUtilization low"}));
  reports.erase(reports.begin());
  EXPECT_EQ(confidences()[0], "NaNOrigin medium");
  reports[0].findings[0].confidence = rules::Confidence::kHigh;  // It proves it.
  EXPECT_EQ(confidences()[0], "NaNOrigin high");
}

TEST(IncidentsTest, LayersThatGoBadOneAfterTheOtherAreASpread) {
  std::vector<rules::RuleReport> reports = {
      IncidentReport("DeadUnits", {IncidentFinding(40, "fc3"), IncidentFinding(60, "fc1"),
                                   IncidentFinding(60, "fc2"), IncidentFinding(90, "fc3")})};
  EXPECT_EQ(SpreadOf(FindIncidents(reports).at(0)),
            (IncidentNames{"fc3 (step 40)", "fc1, fc2 (step 60)"}));
  for (int i = 0; i < 8; ++i) {
    reports[0].findings.push_back(IncidentFinding(100 + i, "late" + std::to_string(i)));
    reports[0].findings.push_back(IncidentFinding(100, "more" + std::to_string(i)));
  }
  EXPECT_EQ(SpreadOf(FindIncidents(reports).at(0)),
            (IncidentNames{"fc3 (step 40)", "fc1, fc2 (step 60)", "9 tensors (step 100)",
                           "late1 (step 101)", "late2 (step 102)", "more"}));
}

TEST(IncidentsTest, WhatBeginsAtOnceHasNoSpread) {
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("DeadUnits", {IncidentFinding(40, "fc3"), IncidentFinding(40, "fc1")})};
  const Incident incident = FindIncidents(reports).at(0);
  EXPECT_TRUE(SpreadOf(incident).empty());
  EXPECT_FALSE(ToJson(incident).contains("spread"));
}

TEST(IncidentsTest, WhatARuleHasFollowedIsTheSpread) {
  rules::Finding nan = IncidentFinding(51, "decoder.3_output_0");
  nan.spread = {"decoder.3 (step 51)", "all gradients"};
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("Divergence", {IncidentFinding(51)}), IncidentReport("NaNOrigin", {nan})};
  const auto incidents = FindIncidents(reports);
  ASSERT_EQ(CausesOf(incidents), IncidentNames{"Divergence"});
  EXPECT_EQ(ToJson(incidents[0])["spread"], Json(nan.spread));
}

TEST(IncidentsTest, WhatBeganBeforeIsNoSpread) {
  rules::Finding vanishing = IncidentFinding(40, "fc1");
  vanishing.spread = {"fc3 0.03", "fc1 2e-10"};
  const std::vector<rules::RuleReport> reports = {
      IncidentReport("Divergence", {IncidentFinding(51)}),
      IncidentReport("GradientFlow", {vanishing})};
  for (const Incident& incident : FindIncidents(reports)) {
    if (CausesOf({incident}) != IncidentNames{"Divergence"}) continue;
    EXPECT_TRUE(SpreadOf(incident).empty());
  }
}

TEST(IncidentsTest, AnIncidentIsAsBadAsItsWorstFinding) {
  std::vector<rules::RuleReport> reports = {
      IncidentReport("Divergence", {IncidentFinding(10)}),
      IncidentReport("LossSpike", {IncidentFinding(12)}),
      IncidentReport("MyRule", {IncidentFinding(3)}),
  };
  reports[0].findings[0].severity = rules::Severity::kWarning;
  reports[2].findings[0].severity = rules::Severity::kNote;
  const auto incidents = FindIncidents(reports);
  ASSERT_EQ(CausesOf(incidents), (IncidentNames{"Divergence", "MyRule"}));
  EXPECT_EQ(incidents[0].severity, rules::Severity::kProblem);
  EXPECT_EQ(incidents[1].severity, rules::Severity::kNote);
}

TEST(IncidentsTest, SaysWhatTheMachineDidWhenItBegan) {
  constexpr int64_t kThen = 1'700'000'040;
  timeline::ProfilerFolderForTest folder;
  WriteFullMemory(kThen, &folder);
  MachineLog machine(folder.path());
  std::vector<rules::RuleReport> reports = {
      IncidentReport("NotLearning", {IncidentFinding(80), IncidentFinding(90)}),
      IncidentReport("LowGPUUtilization", {IncidentFinding(5)})};
  reports[0].findings[0].wall_time = kThen;
  reports[0].findings[1].wall_time = kThen + 500;
  reports[1].findings[0].time_s = kThen + 300;
  auto incidents = FindIncidents(reports, &machine);
  ASSERT_EQ(incidents.size(), 2u);
  ASSERT_EQ(incidents[0].machine.size(), 1u);
  EXPECT_EQ(ToJson(incidents[0])["machine"][0]["text"], "host memory 97 % full");
  EXPECT_FALSE(ToJson(incidents[1]).contains("machine"));
  reports[1].findings[0].time_s = kThen;  // Findings of profiler rules have their own time.
  EXPECT_EQ(FindIncidents(reports, &machine)[1].machine.size(), 1u);
  EXPECT_TRUE(FindIncidents(reports)[0].machine.empty());
}

TEST(IncidentsTest, OnlyTheWorstAreLookedUp) {
  constexpr int64_t kThen = 1'700'000'040;
  timeline::ProfilerFolderForTest folder;
  WriteFullMemory(kThen, &folder);
  MachineLog machine(folder.path());
  std::vector<rules::RuleReport> reports;
  for (int i = 0; i < 25; ++i) {
    reports.push_back(IncidentReport("Mine" + std::to_string(i), {IncidentFinding(i)}));
    reports.back().findings[0].wall_time = kThen;
  }
  const auto incidents = FindIncidents(reports, &machine);
  ASSERT_EQ(incidents.size(), 25u);
  EXPECT_EQ(incidents[19].machine.size(), 1u);
  EXPECT_TRUE(incidents[20].machine.empty());
}

TEST(IncidentsTest, SaysThatTheDataLoaderWasWaitedFor) {
  std::vector<rules::RuleReport> reports = {IncidentReport("NaNOrigin", {IncidentFinding(5)})};
  reports[0].findings[0].loader_share = 0.49;
  EXPECT_TRUE(FindIncidents(reports)[0].machine.empty());
  reports[0].findings[0].loader_share = 0.63;
  EXPECT_EQ(FindIncidents(reports)[0].machine.at(0).text, "data loader took 63 % of the step time");
  reports[0].rule = "SlowDataLoader";  // It says so itself.
  EXPECT_TRUE(FindIncidents(reports)[0].machine.empty());
}

}  // namespace
}  // namespace warden::watch
