#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kGraphsKeptAlive[] = "GraphsKeptAlive:graphs=60";
using GraphsKeptAliveTest = TrainingTest;

TEST_F(GraphsKeptAliveTest, FiresWhenLossesPileUp) {
  for (Step step = 0; step < 200; ++step) {
    Note(step, {{"live_graphs", static_cast<double>(step)}},
         step == 0 ? R"({"backward_line": "train.py:31"})" : "");
  }
  const Finding finding = Only(Evaluate(kGraphsKeptAlive));
  EXPECT_GE(finding.step, 60);
  EXPECT_LT(finding.step, 120);
  EXPECT_EQ(finding.last_step, 199);
  EXPECT_TRUE(Says(finding.message, {"losses are still in memory", "graphs", "(train.py:31)"}));
  EXPECT_TRUE(Says(finding.advice, {"loss.item()"}));
}

TEST_F(GraphsKeptAliveTest, AListThatIsEmptiedEachEpochIsFine) {
  for (Step step = 0; step < 300; ++step) {
    Note(step, {{"live_graphs", static_cast<double>(step % 30)}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kGraphsKeptAlive)));
}

TEST_F(GraphsKeptAliveTest, SomeLossesOfAStepAreUsual) {
  for (Step step = 0; step < 300; ++step) Note(step, {{"live_graphs", 12}});
  EXPECT_TRUE(IsSilent(Evaluate(kGraphsKeptAlive)));
}

TEST_F(GraphsKeptAliveTest, BadInputIsLeftOut) {
  BadSteps({"live_graphs"});
  EXPECT_TRUE(IsSilent(Evaluate("GraphsKeptAlive")));
}

}  // namespace
}  // namespace warden::rules
