#include "warden/report/xgboost/xgboost_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "warden/base/json.h"
#include "warden/os/whole_file.h"

namespace warden::report {
namespace {

namespace fs = std::filesystem;
using xgboost::Task;

// A training of the kind of which nothing but a metric was saved.
XgboostInputs Bare(Task task) {
  XgboostInputs inputs;
  inputs.job.name = "</script><b>";
  inputs.job.written_at = 1794740400;
  inputs.statistics.recognised.task = task;
  inputs.statistics.why_no_labels = "no labels";
  inputs.statistics.why_no_predictions = "no predictions";
  xgboost::MetricCurve curve{"validation-rmse", "validation", "rmse"};
  curve.steps = {0, 1, 2, 3, 4, 5};
  curve.values = {9, 5, 3, INFINITY, 4, 8};
  curve.best = 2;
  inputs.statistics.curves = {curve};
  return inputs;
}

std::set<std::string> Ids(const Report& report) {
  std::set<std::string> ids;
  for (const Section& section : report.sections) EXPECT_TRUE(ids.insert(section.id).second);
  return ids;
}

TEST(XgboostReport, HasTheSectionsOfItsTask) {
  const std::set<std::string> always = {"job", "labels", "loss", "importance"};
  const std::pair<Task, std::set<std::string>> more_by_task[] = {
      {Task::kBinary, {"confusion", "evaluation", "class-accuracy", "roc"}},
      {Task::kMulticlass, {"confusion", "evaluation", "class-accuracy", "roc"}},
      {Task::kRegression, {"residuals", "bins"}},
      {Task::kRanking, {"predictions"}},
      {Task::kSurvival, {"predictions"}},
      {Task::kUnknown, {"predictions"}}};
  for (const auto& [task, more] : more_by_task) {
    std::set<std::string> expected = always;
    expected.insert(more.begin(), more.end());
    const Report report = BuildXgboostReport(Bare(task));
    EXPECT_EQ(Ids(report), expected) << xgboost::TaskName(task);
    for (const Advice& advice : report.first) EXPECT_TRUE(expected.contains(advice.section));
    for (const Section& section : report.sections) EXPECT_FALSE(section.text.empty());
  }
}

TEST(XgboostReport, SaysFirstThatTheModelIsOverfit) {
  const Report report = BuildXgboostReport(Bare(Task::kRegression));
  ASSERT_FALSE(report.first.empty());
  EXPECT_EQ(report.first[0].title, "Stop at step 2");
  EXPECT_NE(report.first[0].gain.find("83.3 %"), std::string::npos) << report.first[0].gain;
}

TEST(XgboostReport, WritesItsFiles) {
  const std::string folder = testing::TempDir() + "/xgboost_report_test";
  fs::remove_all(folder);
  ASSERT_TRUE(WriteXgboostReport(folder, Bare(Task::kBinary)).ok());
  const auto page = os::ReadWholeFile(folder + "/xgboost_report.html");
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->find("</script><b>"), std::string::npos);
  EXPECT_NE(page->find("xgboost_report.json"), std::string::npos);
  const auto statistics = ParseJson(*os::ReadWholeFile(folder + "/xgboost_report.json"));
  ASSERT_TRUE(statistics.ok());
  EXPECT_EQ(statistics.value()["task"], "binary classification");
  EXPECT_TRUE(statistics.value()["metrics"][0]["values"][3].is_null()) << "others know no infinity";
  const auto notebook = ParseJson(*os::ReadWholeFile(folder + "/xgboost_report.ipynb"));
  ASSERT_TRUE(notebook.ok());
  EXPECT_NE(notebook.value()["cells"][1]["source"][0].dump().find("XgboostReport"),
            std::string::npos);
  fs::remove_all(folder);
}

TEST(XgboostReport, AFolderThatCannotBeIsNamed) {
  const Status status = WriteXgboostReport("/proc/no/such", Bare(Task::kBinary));
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("/proc/no"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace warden::report
