#include "warden/trial/trial.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/local_store.h"
#include "warden/storage/mem_store.h"
#include "warden/storage/storage_for_test.h"
#include "warden/trial/trial_for_test.h"

namespace warden::trial {
namespace {

using std::chrono::milliseconds;
using Steps = std::vector<Step>;
using Names = std::vector<std::string>;

float Number(const Result<TensorValue>& value) {
  EXPECT_TRUE(value.ok()) << value.status().message();
  if (!value.ok()) return -1;
  float number = 0;
  EXPECT_EQ(value.value().data.size(), sizeof(number));
  std::memcpy(&number, value.value().data.data(), sizeof(number));
  return number;
}

class TrialTest : public testing::Test {
 protected:
  std::unique_ptr<Trial> Open(TrialOptions options = {}) {
    auto trial = Trial::Open(store_, options);
    EXPECT_TRUE(trial.ok()) << trial.status().message();
    return trial.ok() ? std::move(trial.value()) : nullptr;
  }

  std::shared_ptr<storage::Store> store_ = storage::NewMemStore();
  RunBuilder run_{store_.get()};
};

TEST_F(TrialTest, FollowsALiveRun) {
  run_.Manifests(1);
  auto trial = Open();
  EXPECT_EQ(trial->Steps(), Steps());
  EXPECT_EQ(trial->HasPassedStep(0), StepState::kNotYetAvailable);
  run_.Step(0, 0, {{"a", 1}});
  EXPECT_EQ(trial->Steps(), Steps()) << "answers change only with Refresh";
  EXPECT_EQ(trial->Refresh().value().new_files, 1);
  EXPECT_EQ(trial->Steps(), Steps({0}));
  EXPECT_EQ(Number(trial->Value("a", 0)), 1);
  run_.Step(3, 0, {{"a", 2}, {"b", 5}});
  run_.End();
  EXPECT_TRUE(trial->Refresh().value().ended);
  EXPECT_EQ(trial->Steps(), Steps({0, 3}));
  EXPECT_EQ(Number(trial->Value("b", 3)), 5);
  EXPECT_TRUE(trial->loaded_all_steps());
}

// The trace of the format's description: two workers, a window of four.
TEST_F(TrialTest, CompletenessWithTwoWorkers) {
  run_.Manifests(2);
  TrialOptions options;
  options.incomplete_step_window = 4;
  auto trial = Open(options);
  const auto write = [&](int worker, std::initializer_list<Step> steps) {
    for (const Step step : steps) {
      run_.Step(step, worker, {{"a", static_cast<float>(step)}});
      ASSERT_TRUE(trial->Refresh().ok());
    }
  };
  write(0, {0, 1});
  EXPECT_EQ(trial->Steps(), Steps());
  EXPECT_EQ(trial->Steps(Mode::kGlobal, true), Steps({0, 1}));
  write(1, {1});
  EXPECT_EQ(trial->Steps(), Steps({0, 1}));
  write(0, {2, 3, 4, 5});
  EXPECT_EQ(trial->Steps(), Steps({0, 1}));
  EXPECT_EQ(trial->last_complete_step(), 1);
  write(0, {6});
  EXPECT_EQ(trial->last_complete_step(), 3);
  write(0, {7, 8});
  EXPECT_EQ(trial->last_complete_step(), 5);
  EXPECT_EQ(trial->HasPassedStep(5), StepState::kAvailable);
  EXPECT_EQ(trial->HasPassedStep(6), StepState::kNotYetAvailable);
  run_.End();
  ASSERT_TRUE(trial->Refresh().ok());
  EXPECT_EQ(trial->Steps(), Steps({0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(trial->HasPassedStep(9), StepState::kUnavailable);
}

TEST_F(TrialTest, ALateWorkersStepIsNotLost) {
  run_.Manifests(2);
  auto trial = Open();
  run_.Step(0, 0, {{"a", 1}});
  run_.Step(1, 0, {{"a", 2}});
  run_.Step(1, 1, {{"a", 3}});
  ASSERT_TRUE(trial->Refresh().ok());
  EXPECT_EQ(trial->last_complete_step(), 1);
  run_.Step(0, 1, {{"a", 4}});
  ASSERT_TRUE(trial->Refresh().ok());
  EXPECT_EQ(Number(trial->Value("a", 0, Mode::kGlobal, "worker_1")), 4);
  EXPECT_EQ(trial->TensorWorkers("a", 0).value(), Names({"worker_0", "worker_1"}));
}

TEST_F(TrialTest, StepStates) {
  run_.Manifests(1);
  run_.Step(0, 0, {{"a", 1}}, {Mode::kTrain, 0});
  run_.Step(5, 0, {{"a", 1}}, {Mode::kTrain, 4});
  auto trial = Open();
  EXPECT_EQ(trial->HasPassedStep(0), StepState::kAvailable);
  EXPECT_EQ(trial->HasPassedStep(3), StepState::kUnavailable);
  EXPECT_EQ(trial->HasPassedStep(6), StepState::kNotYetAvailable);
  EXPECT_EQ(trial->HasPassedStep(4, Mode::kTrain), StepState::kAvailable);
  EXPECT_EQ(trial->HasPassedStep(2, Mode::kTrain), StepState::kUnavailable);
  EXPECT_EQ(trial->HasPassedStep(0, Mode::kEval), StepState::kNotYetAvailable);
}

TEST_F(TrialTest, ErrorsOfAValue) {
  run_.Manifests(1);
  run_.Step(0, 0, {{"a", 1}});
  run_.Step(2, 0, {{"b", 1}});
  auto trial = Open();
  EXPECT_EQ(trial->Value("nope", 0).status().code(), Code::kTensorUnavailable);
  EXPECT_EQ(trial->Value("a", 2).status().code(), Code::kTensorUnavailableForStep);
  EXPECT_EQ(trial->Value("a", 1).status().code(), Code::kStepUnavailable);
  EXPECT_EQ(trial->Value("a", 3).status().code(), Code::kStepNotYetAvailable);
  EXPECT_EQ(trial->Value("a", 0, Mode::kEval).status().code(), Code::kStepNotYetAvailable);
  EXPECT_EQ(trial->Value("a", 0, Mode::kGlobal, "w9").status().code(), Code::kInvalidWorker);
  EXPECT_EQ(trial->SavedReduction("a", 0, {}).status().code(), Code::kTensorUnavailableForStep);
  run_.End();
  ASSERT_TRUE(trial->Refresh().ok());
  EXPECT_EQ(trial->Value("a", 3).status().code(), Code::kStepUnavailable);
}

TEST_F(TrialTest, WaitingEndsAtTheEndOfTheJob) {
  run_.Manifests(1);
  run_.Step(0, 0, {{"a", 1}});
  run_.Step(4, 0, {{"a", 1}});
  run_.End();
  auto trial = Open();
  const auto wait = [&](Step step) { return trial->WaitForSteps(std::span(&step, 1)).code(); };
  EXPECT_EQ(wait(0), Code::kOk);
  EXPECT_EQ(wait(3), Code::kStepUnavailable);
  EXPECT_EQ(wait(4), Code::kOk);
  EXPECT_EQ(wait(5), Code::kNoMoreData);
}

TEST_F(TrialTest, WaitingHasATimeout) {
  run_.Manifests(1);
  auto trial = Open();
  const Step step = 7;
  EXPECT_EQ(trial->WaitForSteps(std::span(&step, 1), Mode::kGlobal, milliseconds(20)).code(),
            Code::kUnavailable);
}

TEST_F(TrialTest, RangeOfSteps) {
  run_.Manifests(1);
  for (const Step step : {0, 2, 3, 6, 8}) run_.Step(step, 0, {{"a", 1}});
  run_.End();
  TrialOptions options;
  options.range_begin = 2;
  options.range_end = 6;
  EXPECT_EQ(Open(options)->Steps(), Steps({2, 3}));
  options.range_end = 2;
  EXPECT_EQ(Trial::Open(store_, options).status().code(), Code::kInvalid);
}

TEST_F(TrialTest, NamesByStepModeCollectionAndPattern) {
  run_.Manifests(1);
  run_.Step(0, 0, {{"fc.weight", 1}, {"gradient/fc.weight", 1}}, {Mode::kTrain, 0});
  run_.Step(1, 0, {{"fc.weight", 1}, {"Loss_output_0", 1}}, {Mode::kEval, 0});
  auto trial = Open();
  const auto names = [&](NameFilter filter) { return trial->TensorNames(filter).value(); };
  EXPECT_EQ(names({}), Names({"Loss_output_0", "fc.weight", "gradient/fc.weight"}));
  EXPECT_EQ(names({.step = 0}), Names({"fc.weight", "gradient/fc.weight"}));
  EXPECT_EQ(names({.mode = Mode::kEval}), Names({"Loss_output_0", "fc.weight"}));
  EXPECT_EQ(names({.step = 0, .mode = Mode::kEval}), Names({"Loss_output_0", "fc.weight"}));
  EXPECT_EQ(names({.step = 9, .mode = Mode::kEval}), Names());
  EXPECT_EQ(names({.mode = Mode::kPredict}), Names());
  EXPECT_EQ(names({.collection = "weights"}), Names({"fc.weight"}));
  EXPECT_EQ(names({.step = 0, .collection = "losses"}), Names());
  EXPECT_EQ(names({.collection = "unknown"}), Names());
  EXPECT_EQ(names({.regex = {"^grad", "Loss"}}), Names({"Loss_output_0", "gradient/fc.weight"}));
  EXPECT_EQ(names({.worker = "worker_0"}).size(), 3U);
  EXPECT_EQ(names({.worker = "worker_1"}), Names());
  EXPECT_EQ(trial->TensorNames({.collection = "weights", .regex = {"a"}}).status().code(),
            Code::kInvalid);
  EXPECT_EQ(trial->TensorNames({.regex = {"("}}).status().code(), Code::kInvalid);
}

TEST_F(TrialTest, ARestartedJobReplacesItsSteps) {
  run_.Manifests(1);
  auto trial = Open();
  run_.Step(0, 0, {{"a", 1}, {"gone", 1}});
  ASSERT_TRUE(trial->Refresh().ok());
  EXPECT_EQ(Number(trial->Value("a", 0)), 1);
  run_.Step(0, 0, {{"a", 2}});
  ASSERT_TRUE(trial->Refresh().ok());
  EXPECT_EQ(Number(trial->Value("a", 0)), 2);
  EXPECT_EQ(trial->Value("gone", 0).status().code(), Code::kTensorUnavailableForStep);
}

TEST_F(TrialTest, DamageIsToldAndPassedOver) {
  run_.Manifests(1);
  run_.Step(0, 0, {{"a", 1}});
  run_.Step(1, 0, {{"a", 2}});
  run_.Put("index/000000000/000000000002_worker_0.json", "{not json");
  run_.Put("index/000000000/000000000003_worker_0.json", "");
  run_.Put("index/000000000/notes.json", "{}");
  run_.Put("events/000000000001/000000000001_worker_0.tfevents", "short");
  run_.End();
  auto trial = Open(LookOptions());
  EXPECT_EQ(trial->Steps(), Steps({0, 1}));
  EXPECT_EQ(trial->problems().size(), 2U);
  EXPECT_EQ(Number(trial->Value("a", 0)), 1);
  const auto damaged = trial->Value("a", 1);
  EXPECT_EQ(damaged.status().code(), Code::kCorrupt);
  EXPECT_NE(damaged.status().message().find("000000000001_worker_0.tfevents"), std::string::npos);
}

TEST_F(TrialTest, AnEventFileThatIsLost) {
  run_.Manifests(1);
  run_.Step(0, 0, {{"a", 1}}, {.without_event_file = true});
  run_.Step(1, 0, {{"a", 2}});
  auto trial = Open();
  EXPECT_EQ(trial->Value("a", 0).status().code(), Code::kTensorUnavailableForStep);
}

TEST_F(TrialTest, AnEventFileThatComesLate) {
  run_.Manifests(1);
  run_.Step(0, 0, {{"a", 1}}, {.without_event_file = true});
  TrialOptions options;
  options.retry_interval = milliseconds(5);
  auto trial = Open(options);
  std::thread uploader([&] {
    std::this_thread::sleep_for(milliseconds(30));
    run_.Step(0, 0, {{"a", 1}});
  });
  EXPECT_EQ(Number(trial->Value("a", 0)), 1);
  uploader.join();
}

TEST_F(TrialTest, GivingUpAWait) {
  run_.Manifests(1);
  run_.Step(0, 0, {{"a", 1}}, {.without_event_file = true});
  TrialOptions options;
  bool give_up = false;
  options.give_up = [&] { return give_up; };
  options.end_delay = options.retry_interval = std::chrono::hours(1);
  auto trial = Open(options);
  give_up = true;
  EXPECT_EQ(trial->Value("a", 0).status().code(), Code::kUnavailable);
  run_.End();
  EXPECT_EQ(trial->Refresh().status().code(), Code::kUnavailable);
  EXPECT_FALSE(trial->loaded_all_steps());
}

TEST_F(TrialTest, GivingUpARunThatHasNotBegun) {
  TrialOptions options;
  int asked = 0;
  options.give_up = [&] { return ++asked > 2; };
  EXPECT_EQ(Trial::Open(store_, options).status().code(), Code::kUnavailable);
  EXPECT_EQ(asked, 3);
}

TEST_F(TrialTest, AnIndexThatNamesAFileOutside) {
  run_.Manifests(1);
  run_.Put("index/000000000/000000000000_worker_0.json",
           R"({"meta": {"mode": "GLOBAL", "mode_step": 0, "event_file_name": "../../secret"},)"
           R"( "tensor_payload": [{"tensorname": "a", "start_idx": 0, "length": 10}],)"
           R"( "shape_payload": []})");
  run_.End();
  auto trial = Open(LookOptions());
  EXPECT_FALSE(trial->Value("a", 0).ok());
}

TEST_F(TrialTest, WithoutCollectionsFiles) {
  run_.Step(0, 0, {{"a", 1}});
  run_.Step(0, 1, {{"a", 2}});
  TrialOptions options;
  options.collections_timeout = milliseconds(10);
  EXPECT_EQ(Trial::Open(store_, options).status().code(), Code::kUnavailable);
  auto trial = Open(LookOptions());
  EXPECT_EQ(trial->num_workers(), 2);
  EXPECT_EQ(trial->Steps(), Steps({0}));
  run_.End();
  EXPECT_EQ(Trial::Open(store_, TrialOptions()).status().code(), Code::kMissingCollectionFiles);
}

TEST_F(TrialTest, WaitsForTheCollectionsOfAllWorkers) {
  config::Manifest manifest;
  manifest.num_workers = 2;
  run_.Put(format::ManifestKey("worker_0"), config::EncodeManifest(manifest));
  std::thread second([&] {
    std::this_thread::sleep_for(milliseconds(30));
    run_.Put(format::ManifestKey("worker_1"), config::EncodeManifest(manifest));
  });
  auto trial = Open();
  EXPECT_EQ(trial->workers(), Names({"worker_0", "worker_1"}));
  second.join();
}

// On a disk, with a writer beside: what a watcher of a live run meets.
TEST(LiveTrialTest, SeesStepsAsTheyAreWritten) {
  const os::TempFolder folder;
  std::shared_ptr<storage::Store> store = storage::NewLocalStore(folder.path().string());
  RunBuilder run(store.get());
  run.Manifests(1);
  constexpr Step kSteps = 1200;  // More than one bucket of index files.
  std::thread writer([&] {
    for (Step step = 0; step < kSteps; ++step) {
      run.Step(step, 0, {{"a", static_cast<float>(step)}, {"b", 1}});
    }
    run.End();
  });
  auto trial = Trial::Open(store, TrialOptions()).value();
  for (Step step = 0; step < kSteps; ++step) {
    const Status status = trial->WaitForSteps(std::span(&step, 1));
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(Number(trial->Value("a", step)), static_cast<float>(step));
  }
  writer.join();
  const Step beyond = kSteps;
  EXPECT_EQ(trial->WaitForSteps(std::span(&beyond, 1)).code(), Code::kNoMoreData);
  EXPECT_TRUE(trial->problems().empty());
}

TEST(LiveTrialTest, ManyReadersWhileOneRefreshes) {
  std::shared_ptr<storage::Store> store = storage::NewMemStore();
  RunBuilder run(store.get());
  run.Manifests(1);
  auto trial = Trial::Open(store, TrialOptions()).value();
  std::atomic<bool> stop = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        for (const Step step : trial->Steps()) {
          ASSERT_EQ(Number(trial->Value("a", step)), static_cast<float>(step));
        }
        ASSERT_TRUE(trial->TensorNames({.regex = {"a"}}).ok());
      }
    });
  }
  for (Step step = 0; step < 50; ++step) {
    run.Step(step, 0, {{"a", static_cast<float>(step)}});
    ASSERT_TRUE(trial->Refresh().ok());
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace warden::trial
