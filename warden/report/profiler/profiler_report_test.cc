#include "warden/report/profiler/profiler_report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/report/report_for_test.h"

namespace warden::report {
namespace {

const Section& SectionOf(const Report& report, std::string_view id) {
  for (const Section& section : report.sections) {
    if (section.id == id) return section;
  }
  ADD_FAILURE() << "no section " << id;
  return report.sections.front();
}

std::string TextOf(const Section& section) {
  std::string text;
  for (const Paragraph& paragraph : section.text) text += paragraph.text + "\n";
  return text;
}

std::vector<std::string> TitlesOf(const std::vector<Chart>& charts) {
  std::vector<std::string> titles;
  for (const Chart& chart : charts) titles.push_back(chart.title);
  return titles;
}

void ReplaceDetails(ProfilerInputs* inputs, std::string_view rule, Json details) {
  for (rules::ProfilerResult& result : inputs->results) {
    if (result.rule == rule) result.details = std::make_shared<const Json>(std::move(details));
  }
}

TEST(ProfilerReportTest, EverySectionIsThere) {
  const Report report = BuildProfilerReport(FullInputs());
  std::vector<std::string> ids;
  for (const Section& section : report.sections) ids.push_back(section.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"job", "system", "framework", "rules", "steps", "gpu",
                                           "balance", "loading", "batch", "cpu-bottlenecks",
                                           "io-bottlenecks", "gpu-memory"}));
  for (const Section& section : report.sections) {
    EXPECT_FALSE(section.tables.empty() && section.charts.empty()) << section.id;
  }
}

TEST(ProfilerReportTest, TheJobHasElevenFields) {
  const Report report = BuildProfilerReport(FullInputs());
  const Table& table = SectionOf(report, "job").tables[0];
  const std::vector<std::vector<std::string>> expected = {
      {"start_time", "2026-11-15 11:00:00 UTC"},
      {"end_time", "2026-11-15 12:00:00 UTC"},
      {"job_duration_in_seconds", "3,600.0"},
      {"training_loop_start", "2026-11-15 11:05:00 UTC"},
      {"training_loop_end", "2026-11-15 11:58:20 UTC"},
      {"training_loop_duration_in_seconds", "3,200.0"},
      {"initialization_in_seconds", "300.0"},
      {"finalization_in_seconds", "100.0"},
      {"initialization (%)", "8.3"},
      {"training loop (%)", "88.9"},
      {"finalization (%)", "2.8"}};
  EXPECT_EQ(table.rows, expected);
}

TEST(ProfilerReportTest, AJobWithoutStepsSaysThatItsPartsAreUnknown) {
  ProfilerInputs inputs = FullInputs();
  ReplaceDetails(&inputs, "MaxInitializationTime",
                 {{"step_num", Json::object()}, {"job_start", 1000.0}, {"job_end", 1060.0}});
  const Report report = BuildProfilerReport(inputs);
  const Section& job = SectionOf(report, "job");
  EXPECT_NE(TextOf(job).find("No steps"), std::string::npos);
  EXPECT_TRUE(job.charts.empty());
  EXPECT_EQ(job.tables[0].rows[2][1], "60.0");
  EXPECT_EQ(job.tables[0].rows[6][1], "–");
}

TEST(ProfilerReportTest, RanksAreARowEachAndTheSlowOneIsMarked) {
  ProfilerInputs inputs = FullInputs();
  for (const char* worker : {"worker_0", "worker_1"}) {
    view::Rank& rank = inputs.ranks.emplace_back();
    rank.worker = worker;
    rank.steps = 1200;
    rank.step = 0.1;
  }
  EXPECT_NE(TextOf(SectionOf(BuildProfilerReport(inputs), "ranks")).find("is not known"),
            std::string::npos);
  inputs.ranks[0].own = 0.02;
  inputs.ranks[0].exchange = 0.08;
  inputs.ranks[0].clock = {0, 0, 1200};
  inputs.ranks[1].host = "algo-2";
  inputs.ranks[1].own = 0.0995;
  inputs.ranks[1].exchange = 0.0005;
  inputs.ranks[1].clock = {-0.25, 0.0011, 1200};
  inputs.ranks[1].slow = true;
  const Report report = BuildProfilerReport(inputs);
  const Section& ranks = SectionOf(report, "ranks");
  EXPECT_EQ(ranks.text[0].text,
            "worker_1 on algo-2 is slower than the others: its part of a step takes 99.5 ms. The "
            "others wait for it, up to 80 % of a step.");
  const std::vector<std::vector<std::string>> expected = {
      {"worker_0", "–", "1,200", "100.0", "20.0", "80.0", "80 %", "–", "reference"},
      {"worker_1 (slow)", "algo-2", "1,200", "100.0", "99.5", "0.5", "0.5 %", "–",
       "−250 ms ± 1.1 ms"}};
  EXPECT_EQ(ranks.tables[0].rows, expected);
  // Its cells read files, which do not have the ranks.
  EXPECT_EQ(ToNotebook(inputs).find("report.section(\\\"ranks\\\")"), std::string::npos);
}

TEST(ProfilerReportTest, SystemUsageEvaluatesEachNode) {
  ProfilerInputs inputs = FullInputs();
  const auto statistics = [](double p50, double p95) { return Json{{"p50", p50}, {"p95", p95}}; };
  ReplaceDetails(&inputs, "OverallSystemUsage",
                 {{"CPU",
                   {{"idle", statistics(10, 20)},
                    {"held-up", statistics(80, 95)},
                    {"busy", statistics(50, 60)},
                    {"no-gpu", statistics(30, 40)}}},
                  {"GPU",
                   {{"idle", statistics(10, 30)},
                    {"held-up", statistics(10, 30)},
                    {"busy", statistics(85, 99)}}}});
  const Report report = BuildProfilerReport(inputs);
  const Section& system = SectionOf(report, "system");
  ASSERT_EQ(system.text.size(), 4u);
  EXPECT_NE(system.text[0].text.find("neither GPUs nor CPUs are busy"), std::string::npos);
  EXPECT_EQ(system.text[0].tone, Tone::kWarning);
  EXPECT_NE(system.text[1].text.find("The CPUs are probably the bottleneck"), std::string::npos);
  EXPECT_NE(system.text[2].text.find("well used, 85 % at the median"), std::string::npos);
  EXPECT_EQ(system.text[2].tone, Tone::kGood);
  EXPECT_NE(system.text[3].text.find("no GPU was measured"), std::string::npos);
}

TEST(ProfilerReportTest, SystemChartsAreSeriesAndAMap) {
  const Report report = BuildProfilerReport(FullInputs());
  const Section& system = SectionOf(report, "system");
  EXPECT_EQ(
      TitlesOf(system.charts),
      (std::vector<std::string>{"CPU utilization", "GPU utilization", "CPU memory", "GPU memory",
                                "I/O wait", "Network", "Utilization per device"}));
  const Json& map = *system.charts.back().data;
  EXPECT_EQ(map["rows"].size(), 10u);  // Two nodes with a CPU and four GPUs each.
  EXPECT_EQ(map["rows"][0]["values"].size(), 600u);
}

TEST(ProfilerReportTest, OperatorsAreSortedByTime) {
  const Report report = BuildProfilerReport(FullInputs());
  const Section& framework = SectionOf(report, "framework");
  ASSERT_EQ(framework.parts.size(), 2u);
  const Table& cpu = framework.parts[0].tables[0];
  EXPECT_EQ(cpu.rows[0][3], "aten::conv2d");
  EXPECT_EQ(cpu.rows[0][1], "41,000.000");
  EXPECT_EQ(cpu.rows[0][2], "82,000.000");
  EXPECT_EQ(cpu.rows.size(), 60u);
  double sum = 0;
  for (const auto& row : cpu.rows) sum += std::stod(row[0]);
  EXPECT_NEAR(sum, 100, 0.5);
}

TEST(ProfilerReportTest, RulesAreSortedByTriggers) {
  const Report report = BuildProfilerReport(FullInputs());
  const Section& rules = SectionOf(report, "rules");
  EXPECT_EQ(rules.text[0].text,
            "StepOutlier was triggered most often: in 15 intervals, on 7,212 data points.");
  ASSERT_EQ(rules.tables[0].rows.size(), 11u);
  EXPECT_EQ(rules.tables[0].rows[1][0], "LowGPUUtilization");
  EXPECT_EQ(rules.tables[0].rows[0][5], "threshold:3, mode:None, n_outliers:10, stddev:3");
}

TEST(ProfilerReportTest, StepsHaveHistogramSeriesOutliersAndCauses) {
  const Report report = BuildProfilerReport(FullInputs());
  const Section& steps = SectionOf(report, "steps");
  EXPECT_EQ(
      TitlesOf(steps.charts),
      (std::vector<std::string>{"Step time over the run (dots: outliers)", "Step durations"}));
  EXPECT_EQ((*steps.charts[1].data)["series"].size(), 2u);
  const Table& outliers = steps.tables[1];
  EXPECT_EQ(outliers.rows.size(), 42u);
  EXPECT_GE(std::stod(outliers.rows[0][3]), std::stod(outliers.rows[1][3]));
  ASSERT_EQ(steps.parts.size(), 1u);
  EXPECT_EQ(steps.parts[0].charts.size(), 4u);
}

TEST(ProfilerReportTest, BottlenecksAreSharesOfAllPoints) {
  const Report report = BuildProfilerReport(FullInputs());
  const Section& cpu = SectionOf(report, "cpu-bottlenecks");
  EXPECT_NE(TextOf(cpu).find("At 4,100 of 7,212 data points"), std::string::npos) << TextOf(cpu);
  EXPECT_NE(TextOf(cpu).find("56.8 % of the time (limit 50 %)"), std::string::npos);
  EXPECT_EQ(cpu.charts[0].summary,
            "GPUs busy 31.8 %, idle for other reasons 11.4 %, idle in a "
            "bottleneck 56.8 %.");
}

TEST(ProfilerReportTest, LoadingAdvisesWorkersAndPinning) {
  ProfilerInputs inputs = FullInputs();
  const Report few = BuildProfilerReport(inputs);
  EXPECT_NE(TextOf(SectionOf(few, "loading")).find("num_workers=16"), std::string::npos);
  EXPECT_NE(TextOf(SectionOf(few, "loading")).find("pin_memory=True"), std::string::npos);
  ReplaceDetails(&inputs, "Dataloader", {{"pin_memory", true}, {"cores", 4}, {"dataloaders", 12}});
  const Report many = BuildProfilerReport(inputs);
  EXPECT_NE(TextOf(SectionOf(many, "loading")).find("compete with each other"), std::string::npos);
  EXPECT_NE(TextOf(SectionOf(many, "loading")).find("Memory is pinned"), std::string::npos);
}

TEST(ProfilerReportTest, LoadersThatWereNotSeenAreNotCounted) {
  ProfilerInputs inputs = FullInputs();
  ReplaceDetails(&inputs, "Dataloader", {{"cores", 4}, {"dataloaders", 0}, {"seconds", 0}});
  const Report report = BuildProfilerReport(inputs);
  EXPECT_EQ(TextOf(SectionOf(report, "loading")), "No data: Dataloader recorded no values.\n");
}

TEST(ProfilerReportTest, TheLargestGainComesFirst) {
  const Report report = BuildProfilerReport(FullInputs());
  std::vector<std::string> sections;
  for (const Advice& advice : report.first) sections.push_back(advice.section);
  EXPECT_EQ(sections, (std::vector<std::string>{"gpu-memory", "batch", "cpu-bottlenecks", "balance",
                                                "framework", "loading", "steps"}));
  EXPECT_EQ(report.first[2].gain, "up to 56.8 % of the time");
}

TEST(ProfilerReportTest, AdviceLeadsToASection) {
  const Report report = BuildProfilerReport(FullInputs());
  for (const Advice& advice : report.first) SectionOf(report, advice.section);
}

TEST(ProfilerReportTest, WithoutFindingsNothingNeedsAttention) {
  ProfilerInputs inputs = FullInputs();
  for (rules::ProfilerResult& result : inputs.results) result.triggered = 0;
  ReplaceDetails(&inputs, "OverallFrameworkMetrics", Json::object());
  const Report report = BuildProfilerReport(inputs);
  EXPECT_TRUE(report.first.empty());
  ASSERT_EQ(report.no_advice.size(), 1u);
  EXPECT_EQ(report.no_advice[0].text, "No problems found (9 rules checked).")
      << "two of them only describe the run";
  EXPECT_EQ(report.no_advice[0].tone, Tone::kGood);
}

TEST(ProfilerReportTest, WithoutTheKeyRulesNothingIsSaidToBeGood) {
  ProfilerInputs inputs = FullInputs();
  for (rules::ProfilerResult& result : inputs.results) {
    result.triggered = 0;
    const bool evaluated = result.rule == "MaxInitializationTime" || result.rule == "IOBottleneck";
    if (!evaluated) result.not_evaluated = "needs 1000 data points, found 12";
  }
  ReplaceDetails(&inputs, "OverallFrameworkMetrics", Json::object());
  const Report report = BuildProfilerReport(inputs);
  ASSERT_EQ(report.no_advice.size(), 2u);
  EXPECT_EQ(report.no_advice[0].text,
            "Too little data to tell: 2 of 9 rules found no problems; StepOutlier, CPUBottleneck "
            "could not be evaluated.");
  EXPECT_NE(report.no_advice[0].tone, Tone::kGood);
}

TEST(ProfilerReportTest, OneSectionHasOneVerdict) {
  ProfilerInputs inputs = FullInputs();
  const Report report = BuildProfilerReport(inputs);
  const Section& found = SectionOf(report, "balance");
  const auto good = [](const Section& section) {
    return std::count_if(section.text.begin(), section.text.end(),
                         [](const Paragraph& one) { return one.tone == Tone::kGood; });
  };
  EXPECT_EQ(found.text[0].tone, Tone::kWarning);
  EXPECT_EQ(good(found), 0);
}

TEST(ProfilerReportTest, OnlySectionsOfRulesThatWereRun) {
  ProfilerInputs inputs = FullInputs();
  std::erase_if(inputs.results, [](const rules::ProfilerResult& result) {
    return !result.rule.starts_with("Overall");
  });
  const Report report = BuildProfilerReport(inputs);
  EXPECT_EQ(report.sections.size(), 4u);
  EXPECT_EQ(report.sections.back().id, "rules");
}

TEST(ProfilerReportTest, BottlenecksWithoutAGpu) {
  ProfilerInputs inputs = FullInputs();
  ReplaceDetails(&inputs, "CPUBottleneck",
                 {{"points", 3608}, {"bottleneck_points", 0}, {"gpus", false}});
  const Report report = BuildProfilerReport(inputs);
  const Section& section = SectionOf(report, "cpu-bottlenecks");
  EXPECT_NE(TextOf(section).find("No GPU was found, so no GPU waited."), std::string::npos);
  EXPECT_TRUE(section.charts.empty());
}

TEST(ProfilerReportTest, SectionsWithNothingToSaySayWhy) {
  const Report report = BuildProfilerReport(EmptyInputs());
  EXPECT_TRUE(report.first.empty());
  for (const Section& section : report.sections) {
    EXPECT_TRUE(section.charts.empty()) << section.id;
    if (section.id == "job" || section.id == "rules") continue;
    ASSERT_EQ(section.text.size(), 1u) << section.id;
    EXPECT_NE(section.text[0].text.find("needs 1000 data points, found 12"), std::string::npos);
  }
}

TEST(ProfilerReportTest, WithoutAnyRuleThereIsAPage) {
  const Report report = BuildProfilerReport({});
  EXPECT_EQ(TextOf(SectionOf(report, "rules")), "No rules were run.\n");
  EXPECT_NE(ToHtml(report).find("was not run"), std::string::npos);
}

TEST(ProfilerReportTest, DetailsOfTheWrongShapeAreLeftOut) {
  const std::vector<Json> shapes = {
      Json(),
      Json("text"),
      Json(3),
      Json::array({1, 2}),
      Json{{"CPU", 3}, {"series", {{"a", 1}}}},
      Json{{"a", {{"b", {{"p25", "x"}, {"p50", std::numeric_limits<double>::infinity()}}}}},
           {"points", 1e308},
           {"step_details",
            {{"n",
              {{"outliers", {1, {1}, {"a", "b", "c"}}}, {"series", {{1}, 2}}, {"probs", 3}}}}}}};
  for (const Json& shape : shapes) {
    ProfilerInputs inputs = FullInputs();
    for (rules::ProfilerResult& result : inputs.results) {
      result.details = std::make_shared<const Json>(shape);
    }
    EXPECT_FALSE(ToHtml(BuildProfilerReport(inputs)).empty());
    EXPECT_TRUE(ParseJson(ToNotebook(inputs)).ok());
  }
  ProfilerInputs inputs = FullInputs();
  for (rules::ProfilerResult& result : inputs.results) result.details = nullptr;
  EXPECT_FALSE(ToHtml(BuildProfilerReport(inputs)).empty());
}

}  // namespace
}  // namespace warden::report
