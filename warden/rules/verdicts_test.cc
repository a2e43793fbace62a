#include "warden/rules/verdicts.h"

#include <gtest/gtest.h>

namespace warden::rules {
namespace {

class VerdictsTest : public testing::Test {
 protected:
  static TensorView View(uint32_t id, std::string_view name, std::string_view worker = "w0") {
    return {id, name, worker, {}, nullptr};
  }
  // One step in which `say` is told.
  template <class Say>
  void At(Step step, Say say, Mode mode = Mode::kTrain) {
    verdicts_.BeginStep(step, mode);
    say();
    verdicts_.EndStep([this](const Finding& finding) { told_.push_back(finding.id); });
  }
  void Fire(Step step, Mode mode = Mode::kTrain) {
    At(step, [&] { verdicts_.Fire(a_, {double(step), 9, "is bad"}); }, mode);
  }
  void Healthy(Step step, Mode mode = Mode::kTrain) {
    At(step, [&] { verdicts_.Healthy(a_); }, mode);
  }

  Verdicts verdicts_{"Mend it."};
  TensorView a_ = View(0, "a");
  TensorView b_ = View(5, "b", "w1");
  std::vector<int64_t> told_;
};

TEST_F(VerdictsTest, AFindingTellsOfItsFirstStep) {
  Fire(4);
  ASSERT_EQ(verdicts_.findings().size(), 1u);
  const Finding& finding = verdicts_.findings()[0];
  EXPECT_EQ(finding.id, 1);
  EXPECT_EQ(finding.step, 4);
  EXPECT_EQ(finding.value, 4);
  EXPECT_EQ(finding.threshold, 9);
  EXPECT_EQ(finding.worker, "w0");
  EXPECT_EQ(finding.message, "a: is bad at step 4");
  EXPECT_EQ(finding.advice, "Mend it.");
  EXPECT_EQ(told_, std::vector<int64_t>{1});
}

TEST_F(VerdictsTest, AnUnbrokenRunIsOneFinding) {
  Fire(0);
  At(1, [] {});  // Not evaluated at all.
  Fire(2);
  Healthy(3);
  Fire(4);
  ASSERT_EQ(verdicts_.findings().size(), 2u);
  EXPECT_EQ(verdicts_.findings()[0].last_step, 2);
  EXPECT_EQ(verdicts_.findings()[0].count, 2);
  EXPECT_EQ(verdicts_.findings()[0].value, 0);
  EXPECT_EQ(verdicts_.findings()[1].step, 4);
  EXPECT_EQ(told_, (std::vector<int64_t>{1, 2}));
}

TEST_F(VerdictsTest, ModesAndTensorsAreKeptApart) {
  Fire(0);
  Fire(1, Mode::kEval);
  Healthy(2, Mode::kEval);
  At(3, [&] { verdicts_.Fire(b_, {1, 1, "is bad"}); });
  Fire(4);
  ASSERT_EQ(verdicts_.findings().size(), 3u);
  EXPECT_EQ(verdicts_.findings()[0].last_step, 4);
  EXPECT_EQ(verdicts_.findings()[1].message, "a: is bad at step 1 (EVAL)");
  EXPECT_EQ(verdicts_.findings()[2].worker, "w1");
}

TEST_F(VerdictsTest, CoverageCountsWhatWasEvaluated) {
  Healthy(0);
  Fire(1);
  At(2, [&] {
    verdicts_.Healthy(a_);
    verdicts_.Healthy(b_);
  });
  At(3, [&] { verdicts_.Skip(a_, "had no values"); });
  EXPECT_EQ(verdicts_.coverage().tensors, 2);
  EXPECT_EQ(verdicts_.coverage().steps, 3);
}

TEST_F(VerdictsTest, SkippedTensorsAreCountedByReason) {
  const TensorView c = View(2, "c");
  At(0, [&] {
    verdicts_.Skip(a_, "had no values");
    verdicts_.Skip(b_, "had no values");
    verdicts_.Skip(c, "had a cold");
  });
  At(1, [&] { verdicts_.Skip(a_, "had no values"); });
  verdicts_.Note("something else");
  verdicts_.Note("something else");
  EXPECT_EQ(
      verdicts_.notes(),
      (std::vector<std::string>{"1 tensor skipped (first: c): had a cold",
                                "2 tensors skipped (first: a): had no values", "something else"}));
  EXPECT_EQ(verdicts_.WhySkipped(), "had no values");
  EXPECT_EQ(Verdicts("").WhySkipped(), "");
}

TEST_F(VerdictsTest, TooLittleHoldsUntilSomethingIsEvaluated) {
  At(0, [&] { verdicts_.TooLittle("needs 2, found 1"); });
  EXPECT_EQ(verdicts_.too_little(), "needs 2, found 1");
  Healthy(1);
  EXPECT_EQ(verdicts_.too_little(), "");
}

TEST_F(VerdictsTest, AboutTheRunAsAWhole) {
  const auto fire = [&](Step step, std::string_view worker) {
    At(step, [&] {
      verdicts_.FireRun("", worker, {1, 1, "it is bad"});
      verdicts_.HealthyRun();  // Of all others.
    });
  };
  fire(0, "w0");
  fire(1, "w0");
  fire(2, "w1");
  fire(3, "w0");
  ASSERT_EQ(verdicts_.findings().size(), 3u);
  EXPECT_EQ(verdicts_.findings()[0].message, "it is bad at step 0");
  EXPECT_EQ(verdicts_.findings()[0].last_step, 1);
  EXPECT_EQ(verdicts_.findings()[2].step, 3);
}

TEST_F(VerdictsTest, AHealthyStepEndsWhatWasFoundInNoMode) {
  const auto fire = [&] { verdicts_.FireRun("", "", {1, 1, "silence"}); };
  At(0, fire, Mode::kGlobal);
  At(1, [&] { verdicts_.HealthyRun(); }, Mode::kTrain);
  At(1, fire, Mode::kGlobal);
  EXPECT_EQ(verdicts_.findings().size(), 2u);
}

TEST_F(VerdictsTest, AboutAnEarlierStep) {
  At(10, [&] {
    verdicts_.About(8, Mode::kEval);
    verdicts_.Fire(a_, {1, 1, "was bad"});
  });
  EXPECT_EQ(verdicts_.findings().at(0).message, "a: was bad at step 8 (EVAL)");
  EXPECT_EQ(verdicts_.findings().at(0).mode, Mode::kEval);
  Fire(11);
  EXPECT_EQ(verdicts_.findings().at(1).step, 11);
}

TEST_F(VerdictsTest, AnAdviceOfItsOwn) {
  At(0, [&] { verdicts_.Fire(a_, {1, 1, "is bad", "Sleep over it."}); });
  EXPECT_EQ(verdicts_.findings().at(0).advice, "Sleep over it.");
}

}  // namespace
}  // namespace warden::rules
