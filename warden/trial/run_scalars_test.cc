#include "warden/trial/run_scalars.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "warden/trial/trial_for_test.h"

namespace warden::trial {
namespace {

class RunScalarsTest : public testing::Test {
 protected:
  RunScalars Read() {
    auto scalars = ReadRunScalars(*store_, {});
    EXPECT_TRUE(scalars.ok()) << scalars.status().message();
    return scalars.ok() ? scalars.value() : RunScalars();
  }
  // As Python saves JSON.
  static TestTensor TextTensor(const std::string& text) {
    return {DType::kUInt8, {static_cast<int64_t>(text.size())}, text, {}};
  }
  static std::vector<std::string> NamesOf(const RunScalars& run) {
    std::vector<std::string> names;
    for (const auto& [name, summary] : run.scalars) names.push_back(name);
    return names;
  }

  std::unique_ptr<storage::Store> store_ = storage::OpenStore("mem:").value();
  RunBuilder run_{store_.get()};
};

TEST_F(RunScalarsTest, TellsLastAndExtremesWithTheirSteps) {
  run_.Manifests(2);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const StepOptions train{.mode = Mode::kTrain};
  run_.Step(0, 0, {{"scalar/accuracy", 0.25F}, {"CrossEntropyLoss_output_0", 4}}, train);
  run_.Step(5, 0, {{"scalar/accuracy", 0.75F}, {"CrossEntropyLoss_output_0", 1}}, train);
  run_.Step(7, 0, {{"scalar/accuracy", 0.5F}, {"CrossEntropyLoss_output_0", nan}}, train);
  run_.Step(8, 1, {{"scalar/accuracy", 9}});  // Of another worker.
  const RunScalars run = Read();
  // The loss first, although it was saved behind the other.
  ASSERT_EQ(NamesOf(run), (std::vector<std::string>{"CrossEntropyLoss_output_0", "accuracy"}));
  const ScalarSummary& loss = run.scalars[0].second;
  EXPECT_TRUE(std::isnan(loss.last));
  EXPECT_EQ(loss.last_step, 7);
  EXPECT_EQ(loss.min, std::pair(1.0, Step{5}));
  EXPECT_EQ(loss.max, std::pair(4.0, Step{0}));
  EXPECT_EQ(run.scalars[1].second.last, 0.5);
}

TEST_F(RunScalarsTest, TellsWhatTheOthersWereWhenOneWasBest) {
  run_.Manifests(1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  run_.Step(0, 0, {{"scalar/val_loss", 3}, {"scalar/accuracy", 0.25F}});
  run_.Step(1, 0, {{"scalar/accuracy", 0.5F}});
  // "late" was not there before.
  run_.Step(2, 0, {{"scalar/accuracy", 0.75F}, {"scalar/val_loss", 1}, {"scalar/late", 9}});
  run_.Step(3, 0, {{"scalar/accuracy", 1}, {"scalar/val_loss", nan}});
  run_.Step(4, 0, {{"scalar/val_loss", 2}});
  const auto best = Read().best;
  ASSERT_EQ(best.size(), 6U);
  using Values = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(best[2].name, "val_loss");
  EXPECT_TRUE(best[2].lowest);
  EXPECT_EQ(best[2].step, 2);
  EXPECT_EQ(best[2].values, (Values{{"accuracy", 0.75}, {"val_loss", 1}, {"late", 9}}));
  EXPECT_FALSE(best[3].lowest);
  EXPECT_EQ(best[3].values, (Values{{"accuracy", 0.25}, {"val_loss", 3}}));
  // Accuracy was highest when the loss was NaN; "late" was last saved the step before.
  EXPECT_EQ(best[1].step, 3);
  EXPECT_TRUE(std::isnan(best[1].values[1].second));
  EXPECT_EQ(best[1].values[2], std::pair(std::string("late"), 9.0));
}

TEST_F(RunScalarsTest, ModesAreToldApartAndParametersAreNoScalars) {
  run_.Manifests(1);
  run_.Step(0, 0, {{"scalar/m", 1}, {"fc.bias", 3}, {"gradient/fc.bias", 3}, {"training/epoch", 1}},
            {.mode = Mode::kTrain});
  run_.Tensors(1, 0, {{"scalar/m", FloatTensor({1}, {2})}, {"odd", FloatTensor({2}, {1, 2})}},
               {.mode = Mode::kEval, .mode_step = 0});
  EXPECT_EQ(NamesOf(Read()), (std::vector<std::string>{"m (TRAIN)", "m (EVAL)"}));
}

TEST_F(RunScalarsTest, TellsHyperParametersThatTheHookSaved) {
  config::Manifest manifest;
  manifest.collections = config::BuiltinCollections(config::Framework::kXgBoost);
  manifest.num_workers = 1;
  run_.Put(format::ManifestKey("worker_0"), config::EncodeManifest(manifest));
  TestTensor text{DType::kString, {1}, {}, {"hist"}};
  run_.Tensors(0, 0,
               {{"hyperparameters/eta", FloatTensor({1}, {0.3F})},
                {"hyperparameters/max_depth", MakeTensor<int64_t>(DType::kInt64, {1}, {6})},
                {"hyperparameters/tree_method", text},
                {"hyperparameters/many", FloatTensor({9}, {1, 2, 3, 4, 5, 6, 7, 8, 9})},
                {"validation-rmse", FloatTensor({1}, {2})}});
  const RunScalars run = Read();
  EXPECT_EQ(run.hyper_parameters,
            (std::map<std::string, std::string>{{"eta", "0.3"},
                                                {"many", "1, 2, 3, 4, 5, 6, 7, 8, …"},
                                                {"max_depth", "6"},
                                                {"tree_method", "hist"}}));
  EXPECT_EQ(NamesOf(run), std::vector<std::string>{"validation-rmse"});
}

TEST_F(RunScalarsTest, TellsArgumentsOfTheScriptOnceByTheirOwnNames) {
  const std::string json = R"({"batch_size": 32, "lr": 0.001, "layers": [64, 10], "amp": false,
                               "data": "a,b", "none": null, "deep": {"er": 1}})";
  run_.Manifests(1);
  run_.Tensors(3, 0, {{"training/arguments", TextTensor(json)}});
  const RunScalars run = Read();
  using Texts = std::map<std::string, std::string>;
  const Texts all = {{"amp", "false"},     {"batch_size", "32"}, {"data", "a,b"}, {"deep", ""},
                     {"layers", "64, 10"}, {"lr", "0.001"},      {"none", ""}};
  EXPECT_EQ(run.arguments, all);
  EXPECT_TRUE(run.scalars.empty());
  // 1e-3 and the default 0.001 are the same; -x is not an option that the script's parser has.
  Texts with = all;
  with["x"] = "1";
  EXPECT_EQ(run.AllParameters({{"batch-size", "32"}, {"lr", "1e-3"}, {"x", "1"}}), with);
  run_.Tensors(4, 0, {{"training/arguments", TextTensor("[1")}});
  EXPECT_TRUE(Read().arguments.empty());
}

TEST_F(RunScalarsTest, DamageAndEmptyRunsHaveNoScalars) {
  EXPECT_TRUE(Read().scalars.empty());
  run_.Step(0, 0, {{"scalar/a", 1}});
  run_.Step(1, 0, {{"scalar/a", 2}}, {.without_event_file = true});
  ASSERT_TRUE(store_->Put(format::IndexFileKey(2, "worker_0"), AsBytes("{")).ok());
  const RunScalars run = Read();
  ASSERT_EQ(run.scalars.size(), 1u);
  EXPECT_EQ(run.scalars[0].second.last, 1);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(ReadRunScalars(*store_, stop.get_token()).status().code(), Code::kUnavailable);
}

}  // namespace
}  // namespace warden::trial
