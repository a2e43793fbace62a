#include "warden/watch/backtest/score.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"

namespace warden::watch {
namespace {

trial::RunLabel Bad(std::optional<Step> since) {
  trial::RunLabel label;
  label.good = false;
  label.since = since;
  return label;
}

RunOutcome Outcome(const trial::RunLabel& label, const std::vector<Step>& steps) {
  std::vector<rules::Finding> findings(steps.size());
  std::vector<const rules::Finding*> pointers;
  for (size_t i = 0; i < steps.size(); ++i) {
    findings[i].step = steps[i];
    pointers.push_back(&findings[i]);
  }
  return OutcomeOf(label, pointers);
}

TEST(ScoreTest, FindingsInGoodRunsAreFalseAlarms) {
  EXPECT_TRUE(Outcome({}, {3}).false_alarm);
  EXPECT_FALSE(Outcome({}, {3}).found);
  EXPECT_FALSE(Outcome({}, {}).false_alarm);
}

TEST(ScoreTest, FindingsBeforeTheFaultAreFalseAlarms) {
  const RunOutcome late = Outcome(Bad(100), {130, 104});
  EXPECT_TRUE(late.found);
  EXPECT_FALSE(late.false_alarm);
  EXPECT_EQ(late.delay, 4);
  EXPECT_EQ(late.step, 104);
  const RunOutcome early = Outcome(Bad(100), {99});
  EXPECT_FALSE(early.found);
  EXPECT_TRUE(early.false_alarm);
  const RunOutcome both = Outcome(Bad(100), {20, 100});
  EXPECT_TRUE(both.found);
  EXPECT_TRUE(both.false_alarm);
  EXPECT_EQ(both.delay, 0);
  const RunOutcome unknown = Outcome(Bad(std::nullopt), {20});
  EXPECT_TRUE(unknown.found);
  EXPECT_FALSE(unknown.delay);
}

TEST(ScoreTest, SharesAreKnownOnlyWithSomethingToDivideBy) {
  Score score;
  EXPECT_FALSE(score.precision());
  EXPECT_FALSE(score.recall());
  EXPECT_FALSE(score.median_delay());
  EXPECT_TRUE(ToJson(score)["precision"].is_null());
  const auto add = [&](const trial::RunLabel& label, const std::vector<Step>& steps) {
    score.Add(label, Outcome(label, steps));
  };
  add({}, {});
  add({}, {4});
  add(Bad(10), {12});
  add(Bad(10), {18});
  add(Bad(10), {});
  EXPECT_EQ(score.good, 2);
  EXPECT_EQ(score.missed(), 1);
  EXPECT_NEAR(*score.precision(), 2.0 / 3, 1e-12);
  EXPECT_NEAR(*score.recall(), 2.0 / 3, 1e-12);
  EXPECT_EQ(score.median_delay(), 5);
  add(Bad(10), {110});
  EXPECT_EQ(score.median_delay(), 8);
  EXPECT_EQ(ToJson(score)["runs"], 6);
}

}  // namespace
}  // namespace warden::watch
