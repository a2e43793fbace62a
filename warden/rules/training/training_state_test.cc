#include "warden/rules/training/training_state.h"

#include "warden/rules/training/training_for_test.h"
#include "warden/rules/view_for_test.h"

namespace warden::rules {
namespace {

class TrainingStateTest : public ViewTest {
 protected:
  void Train(Step step, double loss, const LogNumbers& numbers = {}, Mode mode = Mode::kTrain) {
    Tensors tensors = LogTensors(numbers);
    tensors[kLoss] = FloatTensor({1}, {static_cast<float>(loss)});
    Save(step, tensors, mode);
  }
  // After all steps were saved.
  void Read(Step first, Step last) {
    if (!tensors_) Look(TrainingState::Inputs());
    for (Step step = first; step <= last; ++step) {
      At(step);
      const std::vector<const StepView::Tensors*> inputs = {&tensors_->Selected(0),
                                                            &tensors_->Selected(1)};
      state_.Read(StepView(step, reader_->mode(), *trial_, inputs));
    }
  }
  TrainingState state_;
};

TEST_F(TrainingStateTest, FollowsLosses) {
  for (Step step = 0; step < 30; ++step) Train(step, 2);
  Read(0, 29);
  EXPECT_EQ(state_.steps(), 30);
  EXPECT_EQ(state_.most_losses(), 30);
  ASSERT_EQ(state_.losses().size(), 1u);
  EXPECT_EQ(state_.losses().begin()->first, kLoss);
  EXPECT_EQ(state_.losses().begin()->second.recent(), 2);
  EXPECT_FALSE(state_.is_new_phase());
}

TEST_F(TrainingStateTest, ANewOptimizerBeginsAPhase) {
  for (Step step = 0; step < 20; ++step) {
    Train(step, 2, {{"optimizers_created", step < 15 ? 1. : 2.}});
  }
  Read(0, 14);
  EXPECT_FALSE(state_.is_new_phase());
  EXPECT_EQ(state_.steps(), 15);
  Read(15, 15);
  EXPECT_TRUE(state_.is_new_phase());
  EXPECT_EQ(state_.steps(), 1);
  EXPECT_EQ(state_.most_losses(), 1);
  Read(16, 19);
  EXPECT_FALSE(state_.is_new_phase());
  EXPECT_EQ(state_.steps(), 5);
}

TEST_F(TrainingStateTest, ANumberThatIsSavedOnceStays) {
  for (Step step = 0; step < 20; ++step) {
    Train(step, 2, step == 0 ? LogNumbers{{"optimizers_created", 1}} : LogNumbers());
  }
  Read(0, 19);
  EXPECT_FALSE(state_.is_new_phase());
  EXPECT_EQ(state_.steps(), 20);
}

TEST_F(TrainingStateTest, OptimizersThatAreMadeTogetherAreOnePhase) {
  for (Step step = 0; step < 20; ++step) {
    Train(step, 2, {{"optimizers_created", step == 0 ? 1. : 2.}});
  }
  Read(0, 1);
  EXPECT_FALSE(state_.is_new_phase());
  Read(2, 19);
  EXPECT_EQ(state_.steps(), 20);
}

TEST_F(TrainingStateTest, EvaluationDoesNotCount) {
  for (Step step = 0; step < 20; ++step) {
    Train(step, step % 2 == 0 ? 2 : NAN, {}, step % 2 == 0 ? Mode::kTrain : Mode::kEval);
  }
  Read(0, 19);
  EXPECT_EQ(state_.steps(), 10);
  EXPECT_EQ(state_.most_losses(), 10);
  EXPECT_TRUE(state_.broken().empty());
}

TEST_F(TrainingStateTest, AnOptimizerMadeDuringEvaluationBeginsThePhaseAfterIt) {
  for (Step step = 0; step < 10; ++step) Train(step, 2, {{"optimizers_created", 1}});
  Train(10, 2, {{"optimizers_created", 2}}, Mode::kEval);
  Train(11, 2);
  Read(0, 10);
  EXPECT_FALSE(state_.is_new_phase());
  Read(11, 11);
  EXPECT_TRUE(state_.is_new_phase());
}

TEST_F(TrainingStateTest, KnowsTheLargestOfTheFirstUpdates) {
  for (Step step = 0; step < 80; ++step) {
    const double update = step == 2 ? 7 : step == 65 ? 99 : 0.5;
    Train(step, 2, {{"optimizers_created", step < 70 ? 1. : 2.}, {"update_ratio", update}});
  }
  Read(0, 1);
  EXPECT_EQ(state_.first_updates(), 0.5);
  Read(2, 69);
  EXPECT_EQ(state_.first_updates(), 7);
  Read(70, 79);
  EXPECT_EQ(state_.first_updates(), 0.5);
}

TEST_F(TrainingStateTest, LossesThatAreNotFiniteAreBrokenAtTheirStep) {
  Train(0, 2);
  Train(1, NAN);
  Train(2, INFINITY);
  Train(3, 2);
  Read(0, 0);
  EXPECT_TRUE(state_.broken().empty());
  for (const Step step : {1, 2}) {
    Read(step, step);
    EXPECT_EQ(state_.broken(), std::vector<std::string>{kLoss});
    EXPECT_EQ(state_.most_losses(), 1);
  }
  Read(3, 3);
  EXPECT_TRUE(state_.broken().empty());
  EXPECT_EQ(state_.most_losses(), 2);
}

TEST_F(TrainingStateTest, IsFlatWhenNothingFalls) {
  for (Step step = 0; step < 100; ++step) Train(step, step < 60 ? 2 : 1);
  Read(0, 9);
  EXPECT_FALSE(state_.IsFlat(0.1, 20));  // Too few to know.
  Read(10, 59);
  EXPECT_TRUE(state_.IsFlat(0.1, 20));
  EXPECT_FALSE(state_.IsFlat(0.1, 80));
  Read(60, 99);
  EXPECT_FALSE(state_.IsFlat(0.1, 20));
  EXPECT_TRUE(state_.IsFlat(0.6, 20));
}

TEST_F(TrainingStateTest, OneLossThatFallsIsEnough) {
  for (Step step = 0; step < 100; ++step) {
    Save(step, Tensors{{"a_loss_output", FloatTensor({1}, {2})},
                       {"b_loss_output", FloatTensor({1}, {step < 20 ? 2.F : 1.F})}});
  }
  Read(0, 99);
  EXPECT_EQ(state_.losses().size(), 2u);
  EXPECT_FALSE(state_.IsFlat(0.1, 20));
}

TEST_F(TrainingStateTest, WithoutLossesItIsNotFlat) {
  for (Step step = 0; step < 100; ++step) Save(step, LogTensors({{"optimizer_step", 1}}));
  Read(0, 99);
  EXPECT_FALSE(state_.IsFlat(0.1, 1));
  EXPECT_EQ(state_.most_losses(), 0);
  EXPECT_EQ(state_.steps(), 100);
}

}  // namespace
}  // namespace warden::rules
