#include "warden/watch/baseline_choice.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "warden/os/temp_folder_for_test.h"
#include "warden/rules/engine/records.h"
#include "warden/trial/run_label.h"
#include "warden/trial/run_record.h"

namespace warden::watch {
namespace {

class BaselineChoiceTest : public testing::Test {
 protected:
  std::string Run(const std::string& name, double started, const std::string& script = "train.py",
                  int64_t exit_code = 0) {
    const std::string run = folder_.File(name);
    std::filesystem::create_directories(run + "/index");
    trial::RunRecord record;
    record.command = {"python", script};
    record.started = started;
    record.ended = started + 1;
    record.exit_code = exit_code;
    EXPECT_TRUE(trial::WriteRunRecord(run, record).ok());
    return run;
  }
  static void Label(const std::string& run, bool good) {
    trial::RunLabel label;
    label.good = good;
    ASSERT_TRUE(trial::WriteRunLabel(run, label).ok());
  }
  static void Found(const std::string& run, const std::string& rule, bool shadow,
                    rules::Severity severity = rules::Severity::kProblem) {
    auto records = rules::Records::Open(rules::RecordsFolder(run));
    std::vector<rules::RuleReport> reports(1);
    reports[0].name = reports[0].rule = rule;
    reports[0].shadow = shadow;
    reports[0].findings.emplace_back().severity = severity;
    ASSERT_TRUE(records.value().Write(&reports, 1).ok());
  }
  std::string Last(const std::string& script = "train.py", const std::string& except = "") {
    const auto found = FindLastGoodRun({folder_.path().string(), script, except});
    return found.ok() ? std::filesystem::path(found.value()).filename().string()
                      : found.status().message();
  }

  const os::TempFolder folder_;
};

TEST_F(BaselineChoiceTest, TheNewestGoodRunOfTheScript) {
  Run("first", 100);
  const std::string second = Run("second", 200);
  Run("failed", 300, "train.py", 1);
  Run("other", 400, "other.py");
  Found(Run("noisy", 500), "NotLearning", /*shadow=*/false);
  EXPECT_EQ(Last(), "second");
  EXPECT_EQ(Last("./src/train.py"), "second");
  EXPECT_EQ(Last("train.py", second), "first");
  // Shadow rules and warnings do not make a run bad.
  Found(Run("shadow", 600), "NotLearning", /*shadow=*/true);
  EXPECT_EQ(Last(), "shadow");
  Found(Run("slow", 700), "CPUBottleneck", /*shadow=*/false, rules::Severity::kWarning);
  EXPECT_EQ(Last(), "slow");
}

TEST_F(BaselineChoiceTest, LabelsDecide) {
  const std::string noisy = Run("noisy", 100);
  Found(noisy, "NotLearning", /*shadow=*/false);
  Label(noisy, true);
  Label(Run("bad", 200), false);
  Run("unlabeled", 300);
  EXPECT_EQ(Last(), "noisy");
}

TEST_F(BaselineChoiceTest, NoneSaysHowToLabelOne) {
  Label(Run("bad", 200), false);
  const std::string message = Last();
  for (const char* word : {"train.py", "1 of this script", "warden label RUN good"}) {
    EXPECT_NE(message.find(word), std::string::npos) << message;
  }
}

TEST_F(BaselineChoiceTest, ARunIsComparedWithThoseNextToIt) {
  const std::string good = Run("good", 100);
  const std::string run = Run("new", 200);
  std::vector<rules::RuleConfig> configs;
  ASSERT_TRUE(AddBaselineRuleFor(run, "", &configs).ok());
  EXPECT_TRUE(configs.empty());
  ASSERT_TRUE(AddBaselineRuleFor(run + "/", "last-good", &configs).ok());
  ASSERT_TRUE(AddBaselineRuleFor(run, "x.json", &configs).ok());
  ASSERT_EQ(configs.size(), 2u);
  EXPECT_EQ(configs[0].rule, "OutsideBaseline");
  EXPECT_EQ(configs[0].params.at("baseline"), good);
  EXPECT_EQ(configs[1].params.at("baseline"), "x.json");
  const std::string unknown = folder_.File("unknown");
  std::filesystem::create_directories(unknown);
  EXPECT_EQ(AddBaselineRuleFor(unknown, "last-good", &configs).code(), Code::kInvalid);
}

TEST_F(BaselineChoiceTest, RunsToLearnFrom) {
  const std::string a = Run("a", 1);
  const std::string b = Run("b", 2);
  EXPECT_EQ(GoodRunsAmong({a, b, a}).value(), (std::vector<std::string>{a, b}));
  const std::string all = folder_.path().string();
  EXPECT_EQ(GoodRunsAmong({all}).status().code(), Code::kInvalid);
  Label(b, true);
  EXPECT_EQ(GoodRunsAmong({all}).value(), (std::vector<std::string>{b}));
  Label(a, false);
  EXPECT_EQ(GoodRunsAmong({all}).value(), (std::vector<std::string>{b}));
  EXPECT_NE(GoodRunsAmong({a}).status().message().find("labeled bad"), std::string::npos);
  const std::string other = Run("c", 3, "other.py");
  EXPECT_NE(GoodRunsAmong({b, other}).status().message().find("one script"), std::string::npos);
  EXPECT_EQ(GoodRunsAmong({folder_.File("none")}).status().code(), Code::kNotFound);
}

}  // namespace
}  // namespace warden::watch
