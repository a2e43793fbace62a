#include "warden/rules/loss_pairs.h"

#include <gtest/gtest.h>

namespace warden::rules {
namespace {

TensorView View(uint32_t id, std::string_view name, std::string_view worker) {
  return {id, name, worker, {}, nullptr};
}

LossPlace Place(const TensorView& tensor, Mode mode) { return {mode, tensor.name()}; }

TEST(LossPairs, ALossIsItsOwnCounterpart) {
  LossPairs<int> losses;
  const TensorView a = View(0, "a", "w0");
  losses.Of(a, Place(a, Mode::kTrain)) = 1;
  losses.Of(a, Place(a, Mode::kEval)) = 2;
  losses.Of(View(1, "b", "w0"), Place(View(1, "b", "w0"), Mode::kTrain)) = 3;
  EXPECT_EQ(losses.Of(a, Place(a, Mode::kTrain)), 1);
  ASSERT_EQ(losses.Counterparts(losses.At(a, Place(a, Mode::kTrain)), Mode::kTrain).size(), 1u);
  EXPECT_EQ(*losses.Counterparts(losses.At(a, Place(a, Mode::kTrain)), Mode::kTrain)[0], 1);
  EXPECT_EQ(*losses.Counterparts(losses.At(a, Place(a, Mode::kTrain)), Mode::kEval)[0], 2);
}

TEST(LossPairs, ElseAllOfTheWorkerThatHaveNone) {
  LossPairs<int> losses;
  const TensorView eval = View(9, "val_loss", "w0");
  losses.Of(eval, Place(eval, Mode::kEval)) = 1;
  losses.Of(View(0, "loss", "w0"), Place(View(0, "loss", "w0"), Mode::kTrain)) = 2;
  losses.Of(View(1, "aux", "w0"), Place(View(1, "aux", "w0"), Mode::kTrain)) = 3;
  losses.Of(View(2, "loss", "w1"), Place(View(2, "loss", "w1"), Mode::kTrain)) = 4;
  losses.Of(View(3, "both", "w0"), Place(View(3, "both", "w0"), Mode::kTrain)) = 5;
  losses.Of(View(3, "both", "w0"), Place(View(3, "both", "w0"), Mode::kEval)) = 6;
  const auto found = losses.Counterparts(losses.At(eval, Place(eval, Mode::kEval)), Mode::kTrain);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(*found[0], 3);
  EXPECT_EQ(*found[1], 2);
}

TEST(LossPairs, TwoNamesOfOneLossGoByThatOfEvaluation) {
  LossPairs<int> losses;
  const TensorView train = View(0, "train-rmse", "w0");
  const TensorView eval = View(1, "validation-rmse", "w0");
  losses.Of(train, {Mode::kTrain, "rmse"}) = 1;
  losses.Of(eval, {Mode::kEval, "rmse"}) = 2;
  losses.Of(View(2, "train-mae", "w0"), {Mode::kTrain, "mae"}) = 3;
  auto& loss = losses.At(eval, {Mode::kEval, "rmse"});
  EXPECT_EQ(loss.tensor.name(), "validation-rmse");
  ASSERT_EQ(losses.Counterparts(loss, Mode::kTrain).size(), 1u);
  EXPECT_EQ(*losses.Counterparts(loss, Mode::kTrain)[0], 1);
}

TEST(LossPairs, AllByNameThenWorker) {
  LossPairs<int> losses;
  for (const auto& [name, worker] :
       std::vector<std::pair<const char*, const char*>>{{"b", "w0"}, {"a", "w1"}, {"a", "w0"}}) {
    losses.Of(View(0, name, worker), Place(View(0, name, worker), Mode::kTrain));
  }
  std::vector<std::string> order;
  for (const auto* loss : losses.All()) {
    order.push_back(std::string(loss->tensor.name()) + std::string(loss->tensor.worker()));
  }
  EXPECT_EQ(order, (std::vector<std::string>{"aw0", "aw1", "bw0"}));
}

}  // namespace
}  // namespace warden::rules
