#include "warden/view/values/run_values.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/local_store.h"
#include "warden/storage/storage_for_test.h"
#include "warden/trial/trial_for_test.h"

namespace warden::view {
namespace {

using trial::FloatTensor;

class RunValuesTest : public testing::Test {
 protected:
  // One float a step.
  void Save(Step step, const std::string& tensor, float value, trial::StepOptions options = {},
            int worker = 0) {
    builder_.Step(step, worker, {{tensor, value}}, options);
  }
  // Ten steps of training, then two of evaluation, and so on.
  void SaveTurns(Step steps) {
    Step train = 0, eval = 0;
    for (Step step = 0; step < steps; ++step) {
      const bool training = step % 12 < 10;
      Save(step, training ? "loss" : "accuracy", static_cast<float>(step),
           {training ? Mode::kTrain : Mode::kEval, training ? train++ : eval++});
    }
  }
  float ValueAt(const RunValues::At& at) {
    const auto found = run_.Find(at);
    EXPECT_TRUE(found.ok()) << found.status().message();
    if (!found.ok()) return -1;
    EXPECT_EQ(found.value().step, at.step);
    const auto value = run_.Read(found.value(), at.tensor);
    EXPECT_TRUE(value.ok()) << value.status().message();
    float number = -1;
    if (value.ok()) std::memcpy(&number, value.value().data.data(), sizeof(number));
    return number;
  }
  Status ErrorAt(const RunValues::At& at) { return run_.Find(at).status(); }
  std::vector<Step> Sampled(const RunValues::Span& span) {
    const auto found = run_.Sample(span);
    EXPECT_TRUE(found.ok()) << found.status().message();
    std::vector<Step> steps;
    if (found.ok()) {
      for (const SavedTensor& saved : found.value()) steps.push_back(saved.step);
    }
    return steps;
  }

  os::TempFolder folder_;
  std::unique_ptr<storage::Store> store_ = storage::NewLocalStore(folder_.path());
  trial::RunBuilder builder_{store_.get()};
  RunValues run_{folder_.path()};
};

TEST_F(RunValuesTest, FindsStepsOfEveryMode) {
  SaveTurns(120);
  EXPECT_EQ(ValueAt({"loss", Mode::kGlobal, 13}), 13);
  for (Step step = 0; step < 100; ++step) {
    EXPECT_EQ(ValueAt({"loss", Mode::kTrain, step}), step + step / 10 * 2);
  }
  for (Step step = 0; step < 20; ++step) {
    EXPECT_EQ(ValueAt({"accuracy", Mode::kEval, step}), 10 + step / 2 * 12 + step % 2);
  }
}

TEST_F(RunValuesTest, FindsStepsOfThreeModesAndGaps) {
  // Every third step of training was saved; predictions came in between.
  Step train = 0, eval = 0, predict = 0;
  for (Step step = 0; step < 200; ++step) {
    if (step % 20 == 19) {
      Save(step, "x", static_cast<float>(step), {Mode::kPredict, predict++});
    } else if (step % 10 == 8) {
      Save(step, "x", static_cast<float>(step), {Mode::kEval, eval++});
    } else if (train++ % 3 == 0) {
      Save(step, "x", static_cast<float>(step), {Mode::kTrain, train - 1});
    }
  }
  EXPECT_EQ(ValueAt({"x", Mode::kPredict, 9}), 199);
  EXPECT_EQ(ValueAt({"x", Mode::kEval, 19}), 198);
  EXPECT_EQ(ValueAt({"x", Mode::kTrain, 0}), 0);
  for (Step step = 0; step < train; step += 3) {
    EXPECT_TRUE(run_.Find({"x", Mode::kTrain, step}).ok()) << step;
  }
  EXPECT_EQ(ErrorAt({"x", Mode::kTrain, 31}).message(),
            "step 31 of mode TRAIN was not saved; nearest saved steps: 30 and 33");
}

TEST_F(RunValuesTest, SeesWhatComesLater) {
  EXPECT_EQ(ErrorAt({"loss", Mode::kGlobal, 0}).code(), Code::kStepUnavailable);
  Save(0, "loss", 1);
  EXPECT_EQ(ValueAt({"loss", Mode::kGlobal, 0}), 1);
  Save(1, "loss", 2);
  Save(5000, "loss", 3);
  EXPECT_EQ(ValueAt({"loss", Mode::kGlobal, 1}), 2);
  EXPECT_EQ(ValueAt({"loss", Mode::kGlobal, 5000}), 3);
  // A late worker, of a step in between.
  Save(1, "late", 4, {}, 1);
  EXPECT_EQ(ValueAt({"late", Mode::kGlobal, 1}), 4);
}

TEST_F(RunValuesTest, TakesTheFirstWorkerThatSavedIt) {
  Save(0, "loss", 1, {}, 1);
  Save(0, "loss", 2, {}, 0);
  Save(1, "loss", 3, {}, 1);
  EXPECT_EQ(ValueAt({"loss", Mode::kGlobal, 0}), 2);
  EXPECT_EQ(ValueAt({"loss", Mode::kGlobal, 0, "worker_1"}), 1);
  EXPECT_EQ(ValueAt({"loss", Mode::kGlobal, 1}), 3);
  EXPECT_EQ(ErrorAt({"loss", Mode::kGlobal, 1, "worker_0"}).message(),
            "tensor 'loss' at step 1 of mode GLOBAL was not saved by worker 'worker_0'");
  const Status unknown = ErrorAt({"loss", Mode::kGlobal, 1, "worker_7"});
  EXPECT_EQ(unknown.code(), Code::kInvalidWorker);
  EXPECT_EQ(unknown.message(), "unknown worker 'worker_7'; expected one of: worker_0, worker_1");
}

TEST_F(RunValuesTest, ErrorsSayWhatThereIs) {
  SaveTurns(24);
  EXPECT_EQ(ErrorAt({"none", Mode::kGlobal, 3}).code(), Code::kTensorUnavailableForStep);
  EXPECT_EQ(ErrorAt({"loss", Mode::kGlobal, 99}).message(),
            "step 99 of mode GLOBAL was not saved; nearest saved steps: 23");
  EXPECT_EQ(ErrorAt({"loss", Mode::kPredict, 0}).message(),
            "step 0 of mode PREDICT was not saved; no saved steps nearby");
  EXPECT_EQ(run_.Sample({.tensor = "none"}).status().message(),
            "tensor 'none' not found in mode GLOBAL");
  EXPECT_EQ(run_.Sample({.tensor = "loss", .from = 10, .to = 11}).status().message(),
            "tensor 'loss' not found in mode GLOBAL from step 10 to step 11");
}

TEST_F(RunValuesTest, SamplesEvenlyOverTheStepsThatHaveTheTensor) {
  SaveTurns(120);
  EXPECT_EQ(Sampled({.tensor = "accuracy", .most = 3}), (std::vector<Step>{10, 59, 119}));
  EXPECT_EQ(Sampled({.tensor = "accuracy", .mode = Mode::kEval, .most = 3}),
            (std::vector<Step>{0, 9, 19}));
  EXPECT_EQ(Sampled({.tensor = "loss", .mode = Mode::kTrain, .from = 8, .to = 12}),
            (std::vector<Step>{8, 9, 10, 11, 12}));
  EXPECT_EQ(Sampled({.tensor = "loss", .most = 1}), (std::vector<Step>{117}));
}

// Too many steps to look into each: a tensor of every twentieth is found all the same.
TEST_F(RunValuesTest, SamplesLongRunsFromEveryPart) {
  for (Step step = 0; step < 4'200; ++step) {
    format::IndexFile index;
    index.event_file = "events/none";
    index.entries = {{step % 20 == 7 ? "rare" : "loss", 0, 10}};
    builder_.Put(format::IndexFileKey(step, "worker_0"), format::EncodeIndexFile(index));
  }
  const std::vector<Step> rare = Sampled({.tensor = "rare", .most = 60});
  EXPECT_EQ(rare.size(), 60U);
  for (size_t i = 0; i < rare.size(); ++i) {
    EXPECT_EQ(rare[i] % 20, 7);
    EXPECT_EQ(static_cast<size_t>(rare[i]) * 60 / 4'200, i);
  }
  EXPECT_EQ(Sampled({.tensor = "loss", .most = 60}).size(), 60U);
}

// Evaluations are few and far between, and found by their mode.
TEST_F(RunValuesTest, SamplesLongRunsOfTurns) {
  Step train = 0, eval = 0;
  for (Step step = 0; step < 4'200; ++step) {
    const bool training = step < 3'000 || step % 300 < 298;
    format::IndexFile index;
    index.mode = training ? Mode::kTrain : Mode::kEval;
    index.mode_step = training ? train++ : eval++;
    index.event_file = "events/none";
    index.entries = {{training ? "loss" : "accuracy", 0, 10}};
    builder_.Put(format::IndexFileKey(step, "worker_0"), format::EncodeIndexFile(index));
  }
  EXPECT_EQ(Sampled({.tensor = "accuracy", .mode = Mode::kEval, .most = 4}),
            (std::vector<Step>{0, 2, 4, 7}));
  EXPECT_EQ(Sampled({.tensor = "accuracy", .most = 3}), (std::vector<Step>{3'298, 3'599, 4'199}));
  EXPECT_EQ(Sampled({.tensor = "loss", .mode = Mode::kTrain, .most = 3}).size(), 3U);
}

TEST_F(RunValuesTest, PassesOverWhatIsDamaged) {
  Save(0, "loss", 1);
  builder_.Put(format::IndexFileKey(1, "worker_0"), "{");
  builder_.Put("index/000000000/000000000002_.json", "{}");
  builder_.Put("index/000000000/readme.txt", "");
  builder_.Put("index/000000005/000000000002_worker_0.json", "{}");
  builder_.Put("index/zzz/000000000003_worker_0.json", "{}");
  builder_.Put("index/000000000000_worker_0.json", "{}");
  Save(4, "loss", 5, {.without_event_file = true});
  Save(5, "loss", 6);
  EXPECT_EQ(Sampled({.tensor = "loss"}), (std::vector<Step>{0, 4, 5}));
  EXPECT_EQ(ValueAt({"loss", Mode::kGlobal, 5}), 6);
  EXPECT_EQ(ErrorAt({"loss", Mode::kGlobal, 1}).code(), Code::kTensorUnavailableForStep);
  const auto lost = run_.Find({"loss", Mode::kGlobal, 4});
  ASSERT_TRUE(lost.ok());
  EXPECT_EQ(run_.Read(lost.value(), "loss").status().code(), Code::kTensorUnavailableForStep);
  // Overwritten with something shorter.
  builder_.Put(format::EventFileKey(5, "worker_0"), "short");
  const auto damaged = run_.Find({"loss", Mode::kGlobal, 5});
  ASSERT_TRUE(damaged.ok());
  EXPECT_EQ(run_.Read(damaged.value(), "loss").status().code(), Code::kCorrupt);
}

TEST_F(RunValuesTest, FindsModesWhereMetaIsNotAtTheBeginning) {
  std::string text = R"({"tensor_payload": [)";
  for (int i = 0; i < 100; ++i) {
    text += R"({"tensorname": "some_tensor", "start_idx": 0, "length": 4}, )";
  }
  text += R"({"tensorname": "x}", "start_idx": 0, "length": 4}], )"
          R"("meta": {"mode_step": 3, "mode": "EVAL"}})";
  builder_.Put("index/000000000/000000000008_worker_0.csv", text);
  const auto found = run_.Find({"x}", Mode::kEval, 3});
  EXPECT_TRUE(found.ok()) << found.status().message();
}

TEST_F(RunValuesTest, HostileStepsDoNotOverflow) {
  constexpr Step kLast = std::numeric_limits<Step>::max();
  Save(kLast, "x", 1);
  builder_.Put(format::IndexFileKey(7, "worker_0"),
               R"({"meta": {"mode": "TRAIN", "mode_step": -9223372036854775808},)"
               R"( "tensor_payload": []})");
  EXPECT_EQ(ValueAt({"x", Mode::kGlobal, kLast}), 1);
  EXPECT_EQ(Sampled({.tensor = "x", .from = 8, .to = kLast}), (std::vector<Step>{kLast}));
  EXPECT_EQ(ErrorAt({"x", Mode::kEval, kLast}).code(), Code::kStepUnavailable);
}

}  // namespace
}  // namespace warden::view
