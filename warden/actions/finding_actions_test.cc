#include "warden/actions/finding_actions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "warden/actions/actions_for_test.h"
#include "warden/base/json.h"
#include "warden/os/whole_file.h"

namespace warden::actions {
namespace {

using MoreStyle = FindingActions::MoreStyle;

class FindingActionsTest : public testing::Test {
 protected:
  static Firing At(const std::string& rule, Step step, const std::string& tensor) {
    Firing firing = SomeFiring();
    firing.rule = rule;
    firing.finding.step = step;
    firing.finding.tensor = tensor;
    return firing;
  }
  void Open(FindingActions* acting) const {
    const auto make = [](const ActionConfig&) -> Result<std::unique_ptr<Action>> {
      return Status(Code::kInvalid, "not in this test");
    };
    const Status status = acting->Open({.journal = folder_.File("actions.jsonl")}, make);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  // "RULE STEP TENSOR: MESSAGE" of all that was submitted.
  std::vector<std::string> Submitted() const {
    std::vector<std::string> submitted;
    std::istringstream journal(os::ReadWholeFile(folder_.File("actions.jsonl")).value_or(""));
    for (std::string line; std::getline(journal, line);) {
      const auto json = ParseJson(line);
      if (!json.ok() || !json.value().contains("firing")) continue;
      const Firing firing = FiringFromJson(json.value()["firing"]).value();
      submitted.push_back(fmt::format("{} {} {}: {}", firing.rule, firing.finding.step,
                                      firing.finding.tensor, firing.finding.message));
    }
    return submitted;
  }

  os::TempFolder folder_;
  const std::string text_ = SomeFiring().finding.message;
};

TEST_F(FindingActionsTest, AJobIsStoppedOnceByTheFirstRule) {
  FindingActions acting(MoreStyle::kInParentheses);
  Open(&acting);
  const std::vector<ActionConfig> stop = {StopTrainingConfig{}};
  acting.Found(At("A", 1, "x"), stop);
  acting.Found(At("B", 1, "x"), stop);
  EXPECT_EQ(acting.stopped_by(), "A");
  (void)acting.Finish(std::chrono::seconds(60));
  EXPECT_EQ(Submitted(), std::vector<std::string>({"A 1 x: " + text_}));
}

TEST_F(FindingActionsTest, PeopleGetOneMessageForARuleAndAStep) {
  FindingActions acting(MoreStyle::kInParentheses);
  Open(&acting);
  const std::vector<ActionConfig> mail = {EmailConfig{"a@b.com"}};
  for (const auto& [rule, step] : {std::pair("A", 1), {"B", 1}, {"A", 1}, {"A", 2}, {"A", 1}}) {
    acting.Found(At(rule, step, "x"), mail);
  }
  EXPECT_TRUE(Submitted().empty()) << "they wait";
  acting.Flush();
  (void)acting.Finish(std::chrono::seconds(60));
  EXPECT_EQ(Submitted(),
            std::vector<std::string>({"A 1 x: " + text_ + " (2 more findings at step 1)",
                                      "B 1 x: " + text_, "A 2 x: " + text_}));
}

TEST_F(FindingActionsTest, AnActionIgnoresWhatIsLessSevereThanItSays) {
  FindingActions acting(MoreStyle::kInParentheses);
  Open(&acting);
  const std::vector<ActionConfig> stop = {StopTrainingConfig{"", rules::Severity::kProblem}};
  Firing slow = At("Slow", 1, "x");
  slow.finding.severity = rules::Severity::kWarning;
  acting.Found(slow, stop);
  EXPECT_EQ(acting.stopped_by(), "");
  acting.Found(At("Broken", 2, "x"), stop);
  EXPECT_EQ(acting.stopped_by(), "Broken");
  (void)acting.Finish(std::chrono::seconds(60));
  EXPECT_EQ(Submitted(), std::vector<std::string>({"Broken 2 x: " + text_}));
}

TEST_F(FindingActionsTest, NothingIsDoneUnlessItIsOpen) {
  FindingActions acting(MoreStyle::kAfterSemicolon);
  acting.Found(At("A", 1, "x"), std::vector<ActionConfig>{StopTrainingConfig{}});
  acting.Flush();
  EXPECT_TRUE(acting.Finish(std::chrono::seconds(1)).empty());
  EXPECT_EQ(acting.stopped_by(), "");
}

}  // namespace
}  // namespace warden::actions
