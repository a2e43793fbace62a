#include "warden/watch/backtest/backtest.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/base/json.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/rules/engine/records.h"
#include "warden/trial/trial_for_test.h"

namespace warden::watch {
namespace {

class BacktestTest : public testing::Test {
 protected:
  // A run of 20 steps whose tensor has this share of zeros from a step on.
  std::string Run(const std::string& name, double zeros, Step since = 0) {
    const std::string run = folder_.File(name);
    auto store = storage::OpenStore(run);
    trial::RunBuilder builder(store.value().get());
    builder.Manifests(1);
    for (Step step = 0; step < 20; ++step) {
      std::vector<float> values(100, 1.0f);
      const auto count = static_cast<size_t>(step >= since ? 100 * zeros : 0);
      std::fill_n(values.begin(), count, 0.0f);
      builder.Tensors(step, 0, {{"Net_a.weight", trial::FloatTensor({100}, values)}});
    }
    builder.End();
    runs_.push_back(run);
    return run;
  }
  static void Label(const std::string& run, bool good, std::optional<Step> since = std::nullopt) {
    trial::RunLabel label;
    label.good = good;
    label.since = since;
    ASSERT_TRUE(trial::WriteRunLabel(run, label).ok());
  }
  BacktestResult Test(BacktestTask task) {
    task.runs = runs_;
    auto result = Backtest(task, nullptr);
    EXPECT_TRUE(result.ok()) << result.status().message();
    return result.ok() ? std::move(result.value()) : BacktestResult();
  }
  static BacktestTask With(const std::string& rules) {
    BacktestTask task;
    if (!rules.empty()) task.rules.rules = {rules};
    return task;
  }

  const os::TempFolder folder_;
  std::vector<std::string> runs_;
};

constexpr char kZeros[] = "AllZero:tensor_regex=weight;threshold=50";

TEST_F(BacktestTest, CountsTrueAndFalseAlarms) {
  Label(Run("good", 0.1), true);
  Label(Run("noisy", 0.6), true);
  Label(Run("bad", 0.9, 10), false, 8);
  Label(Run("missed", 0.2, 10), false, 10);
  Run("unlabeled", 1);
  const BacktestResult result = Test(With(kZeros));
  ASSERT_EQ(result.rules.size(), 1u);
  const Score& score = result.rules[0].score;
  EXPECT_EQ(score.good, 2);
  EXPECT_EQ(score.bad, 2);
  EXPECT_EQ(score.found, 1);
  EXPECT_EQ(score.false_alarms, 1);
  EXPECT_EQ(score.median_delay(), 2);
  EXPECT_EQ(ToJson(result.total), ToJson(score));
  ASSERT_EQ(result.runs.size(), 5u);
  EXPECT_TRUE(result.runs[1].outcome.false_alarm);
  EXPECT_EQ(result.runs[2].alarms, (std::vector<std::pair<Step, std::string>>{{10, "AllZero"}}));
  EXPECT_FALSE(result.runs[4].label);
  const Json json = ToJson(result);
  EXPECT_EQ(json["runs"][2]["delay"], 2);
  EXPECT_TRUE(json["runs"][4]["label"].is_null());
  EXPECT_EQ(json["total"]["precision"], 0.5);
}

TEST_F(BacktestTest, ValuesOfAParameterAreScoredOneByOne) {
  Label(Run("good", 0.6), true);
  Label(Run("bad", 0.9), false, 0);
  BacktestTask task = With(kZeros);
  task.vary = {{"AllZero", "threshold", {"50", "80", "95"}}};
  const BacktestResult result = Test(task);
  ASSERT_EQ(result.rules.size(), 1u);
  ASSERT_EQ(result.varied.size(), 3u);
  const auto counts = [&](size_t i) {
    return std::pair(result.varied[i].score.found, result.varied[i].score.false_alarms);
  };
  EXPECT_EQ(counts(0), (std::pair<int64_t, int64_t>(1, 1)));
  EXPECT_EQ(counts(1), (std::pair<int64_t, int64_t>(1, 0)));
  EXPECT_EQ(counts(2), (std::pair<int64_t, int64_t>(0, 0)));
  EXPECT_EQ(result.varied[1].name, "AllZero");
  EXPECT_EQ(result.varied[1].value, "80");
  EXPECT_EQ(result.total.false_alarms, 1);  // As it is configured.
}

TEST_F(BacktestTest, WithoutRulesTheVariedOnesAreTestedAlone) {
  Label(Run("good", 0), true);
  BacktestTask task;
  task.vary = {{"AllZero", "tensor_regex", {"weight"}}};
  const BacktestResult result = Test(task);
  EXPECT_TRUE(result.rules.empty());
  EXPECT_EQ(result.varied.size(), 1u);
}

TEST_F(BacktestTest, RunsThatCannotBeReadDoNotCount) {
  Label(Run("good", 0), true);
  const std::string damaged = Run("damaged", 0);
  std::filesystem::create_directories(damaged + "/warden");
  std::ofstream(damaged + "/warden/label.json") << "{";
  const BacktestResult result = Test(With(kZeros));
  EXPECT_TRUE(result.runs[0].status.ok());
  EXPECT_FALSE(result.runs[1].status.ok());
  EXPECT_EQ(result.total.good, 1);
  EXPECT_TRUE(ToJson(result)["runs"][1]["error"].is_string());
}

TEST_F(BacktestTest, RulesThatAreNotAcceptedAreRefusedAtOnce) {
  BacktestTask task = With("NoSuchRule");
  EXPECT_EQ(Backtest(task, nullptr).status().code(), Code::kInvalid);
  task = With("");
  task.vary = {{"AllZero", "no_such_parameter", {"1"}}};
  const auto result = Backtest(task, nullptr);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.status().message().find("no_such_parameter"), std::string::npos);
}

TEST_F(BacktestTest, RecordsOfShadowRulesAreCountedApart) {
  const std::string run = Run("bad", 0);
  Label(run, false, 3);
  auto records = rules::Records::Open(rules::RecordsFolder(run));
  ASSERT_TRUE(records.ok());
  std::vector<rules::RuleReport> reports(2);
  reports[0].name = reports[0].rule = reports[1].name = reports[1].rule = "AllZero";
  reports[0].status = reports[1].status = rules::RuleStatus::kNoIssuesFound;
  reports[1].shadow = true;
  records.value().Begin(reports);
  rules::Finding finding;
  finding.step = finding.last_step = 5;
  records.value().Add("AllZero", finding, /*shadow=*/true);
  ASSERT_TRUE(records.value().Write(&reports, 19).ok());

  Label(Run("without", 0), true);
  BacktestTask task;
  task.recorded = true;
  const BacktestResult result = Test(task);
  ASSERT_EQ(result.rules.size(), 2u);
  EXPECT_FALSE(result.rules[0].shadow);
  EXPECT_EQ(result.rules[0].score.found, 0);
  EXPECT_TRUE(result.rules[1].shadow);
  EXPECT_EQ(result.rules[1].score.found, 1);
  EXPECT_EQ(result.rules[1].score.median_delay(), 2);
  EXPECT_EQ(result.total.found, 0);  // Shadow rules do not act.
  EXPECT_FALSE(result.runs[1].status.ok());
}

}  // namespace
}  // namespace warden::watch
