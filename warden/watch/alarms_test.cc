#include "warden/watch/alarms.h"

#include <fmt/format.h>

#include <sstream>

#include "warden/base/json.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"
#include "warden/rules/training/training_for_test.h"
#include "warden/trial/trial.h"

namespace warden::watch {
namespace {

using rules::Finding;
using rules::FloatTensor;
using rules::RuleState;

// Rules on a run, whose findings run the command `true`.
class AlarmsTest : public rules::RuleTest {
 protected:
  // own_action: of the last rule alone.
  void Prepare(const std::string& text, const AlarmOptions& options,
               const std::string& own_action = "") {
    Manifest(1);
    auto configs = rules::ParseRuleText(text).value();
    configs.back().action_json = own_action;
    std::vector<std::string> notices;
    auto prepared = rules::PrepareRules(configs, &notices);
    ASSERT_TRUE(prepared.ok()) << prepared.status().message();
    auto alarms = Alarms::Make(options, prepared.value());
    ASSERT_TRUE(alarms.ok()) << alarms.status().message();
    alarms_.emplace(std::move(alarms.value()));
    const Status started = alarms_->Start({"job", "", "runs/job"}, folder_.path(), nullptr);
    ASSERT_TRUE(started.ok()) << started.message();
    auto trial = trial::Trial::Open(store_, trial::LookOptions());
    ASSERT_TRUE(trial.ok()) << trial.status().message();
    trial_ = std::move(trial.value());
    engine_ = rules::Engine::Make(std::move(prepared.value()), trial_, {}).value();
  }
  // Checks what was saved since.
  void Check(bool known = false) {
    ASSERT_TRUE(trial_->Refresh().ok());
    engine_->Advance(INT64_MAX, [&](const RuleState& rule, const Finding& finding) {
      known ? alarms_->Known(rule, finding) : alarms_->Found(rule, finding);
    });
    alarms_->Flush(*engine_, nullptr);
  }
  // "RULE STEP: FINDINGS" of each message so far.
  std::vector<std::string> Messages() const {
    std::vector<std::string> messages;
    std::istringstream lines(os::ReadWholeFile(folder_.File("actions.jsonl")).value_or(""));
    for (std::string line; std::getline(lines, line);) {
      const Json json = ParseJson(line).value();
      if (!json.contains("firing")) continue;
      const Json& firing = json["firing"];
      messages.push_back(fmt::format("{} {}: {}", firing["rule"].get<std::string>(),
                                     firing["finding"]["step"].get<int64_t>(),
                                     firing["incident"]["findings"].get<int64_t>()));
    }
    return messages;
  }
  void SaveGradients(Step step, float a, float b, float c) {
    Save(step, Tensors{{"gradient/a", FloatTensor({1}, {a})},
                       {"gradient/b", FloatTensor({1}, {b})},
                       {"gradient/c", FloatTensor({1}, {c})}});
  }

  void SaveSlowLoader() {
    for (Step step = 0; step < 60; ++step) {
      Save(step, rules::LogTensors({{"step_seconds", 0.1}, {"loader_seconds", 0.08}}));
    }
  }

  os::TempFolder folder_;
  std::optional<Alarms> alarms_;
  std::shared_ptr<trial::Trial> trial_;
  std::unique_ptr<rules::Engine> engine_;
};

constexpr char kTwoRules[] = "AllZero:collection_names=gradients,VanishingGradient";

AlarmOptions Notify(rules::Severity at_least = rules::Severity::kNote) {
  AlarmOptions options;
  options.notify = {actions::ExecConfig{{"true"}, ""}};
  actions::SetLeastSeverity(at_least, &options.notify[0]);
  return options;
}

TEST_F(AlarmsTest, OneMessageForAllFindingsWithOneCause) {
  SaveGradients(0, 1, 1, 1);
  Prepare(kTwoRules, Notify());
  Check();
  EXPECT_TRUE(Messages().empty());
  SaveGradients(1, 0, 0, 1);
  Check();
  EXPECT_EQ(Messages(), (std::vector<std::string>{"AllZero 1: 4"}));
  SaveGradients(2, 0, 0, 0);  // It spreads.
  Check();
  EXPECT_EQ(Messages().size(), 1u);
}

TEST_F(AlarmsTest, WhatAnEarlierWatcherKnewIsNotToldAgain) {
  SaveGradients(0, 0, 1, 1);
  Prepare(kTwoRules, Notify());
  Check(/*known=*/true);
  SaveGradients(1, 0, 0, 1);
  Check();
  EXPECT_TRUE(Messages().empty());
}

TEST_F(AlarmsTest, AReceiverOfProblemsIsNotToldOfWarnings) {
  SaveSlowLoader();
  Prepare("SlowDataLoader", Notify(rules::Severity::kProblem));
  Check();
  EXPECT_TRUE(Messages().empty());
}

TEST_F(AlarmsTest, AReceiverOfWarningsIs) {
  SaveSlowLoader();
  Prepare("SlowDataLoader", Notify(rules::Severity::kWarning));
  Check();
  EXPECT_EQ(Messages().size(), 1u);
}

TEST_F(AlarmsTest, EachReceiverIsToldOnce) {
  SaveGradients(0, 0, 1, 1);
  Prepare(kTwoRules, Notify(), R"({"name": "exec", "command": ["echo"]})");
  Check();
  // One for the receiver of both rules, one for that of VanishingGradient.
  EXPECT_EQ(Messages(), (std::vector<std::string>{"AllZero 0: 2", "AllZero 0: 2"}));
}

}  // namespace
}  // namespace warden::watch
