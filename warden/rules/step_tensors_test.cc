#include "warden/rules/step_tensors.h"

#include "warden/rules/view_for_test.h"

namespace warden::rules {
namespace {

class StepTensorsTest : public ViewTest {
 protected:
  static std::vector<std::string> Names(const StepView::Tensors& tensors) {
    std::vector<std::string> names;
    for (const TensorView* tensor : tensors) {
      names.push_back(std::string(tensor->name()) + "@" + std::string(tensor->worker()));
    }
    return names;
  }
  using List = std::vector<std::string>;
};

TEST_F(StepTensorsTest, ByNameThenWorker) {
  Manifest(2);
  // The later names come first in the run, so that their numbers are not in order.
  Save(0, {{"c", FloatTensor({}, {1})}}, Mode::kTrain, 1);
  Save(0, {{"b", FloatTensor({}, {1})}}, Mode::kTrain, 0);
  Save(1, {{"a", FloatTensor({}, {1})}, {"c", FloatTensor({}, {1})}}, Mode::kTrain, 1);
  Save(1, {{"a", FloatTensor({}, {1})}, {"b", FloatTensor({}, {1})}}, Mode::kTrain, 0);
  Look();
  EXPECT_EQ(Names(At(0)), (List{"b@worker_0", "c@worker_1"}));
  EXPECT_EQ(Names(At(1)), (List{"a@worker_0", "a@worker_1", "b@worker_0", "c@worker_1"}));
}

TEST_F(StepTensorsTest, ATensorKeepsItsId) {
  Save(0, {{"b", FloatTensor({}, {1})}});
  Save(1, {{"a", FloatTensor({}, {1})}, {"b", FloatTensor({}, {1})}});
  Save(2, {{"b", FloatTensor({}, {2})}});
  const uint32_t id = At(0).at(0)->id();
  EXPECT_EQ(At(1).at(1)->id(), id);
  EXPECT_NE(At(1).at(0)->id(), id);
  EXPECT_EQ(At(2).at(0)->id(), id);
  EXPECT_EQ(At(2).at(0)->Summary()->mean, 2);
}

TEST_F(StepTensorsTest, SelectorsShareTheViews) {
  Save(0, {{"gradient/a", FloatTensor({}, {1})}, {"a", FloatTensor({}, {1})}});
  Look({{.all = true}, {.collections = {"gradients"}}, {.patterns = {"nonesuch"}}});
  EXPECT_EQ(At(0, 1).size(), 1u);
  EXPECT_EQ(tensors_->Selected(0).at(1), tensors_->Selected(1).at(0));
  EXPECT_TRUE(tensors_->EverMatched(1));
  EXPECT_FALSE(tensors_->EverMatched(2));
}

TEST_F(StepTensorsTest, ReductionsBelongToTheirTensor) {
  Tensors tensors = SavedReduction("x", "mean", 5);
  tensors.merge(SavedReduction("x", "abs_max", 7));
  tensors["y"] = FloatTensor({2}, {1, 3});
  Save(0, tensors);
  const StepView::Tensors& at = At(0);
  ASSERT_EQ(Names(at), (List{"x@worker_0", "y@worker_0"}));
  EXPECT_TRUE(at[0]->has_saved());
  EXPECT_EQ(at[0]->Saved({ReductionOp::kMean, false}), 5);
  EXPECT_EQ(at[0]->Saved({ReductionOp::kMax, true}), 7);
  EXPECT_EQ(at[0]->Saved({ReductionOp::kMax, false}), std::nullopt);
  EXPECT_EQ(at[0]->Raw(), nullptr);
  EXPECT_EQ(at[0]->Summary(), nullptr);
  EXPECT_FALSE(at[1]->has_saved());
  EXPECT_EQ(at[1]->Raw()->shape, std::vector<int64_t>{2});
  EXPECT_EQ(at[1]->Summary()->mean, 2);
  EXPECT_EQ(at[1]->Summary(), at[1]->Summary());
}

}  // namespace
}  // namespace warden::rules
