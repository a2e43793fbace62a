#include "warden/capture/capture_hook.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <limits>
#include <thread>

#include "warden/format/crc32c.h"
#include "warden/format/event_message.h"
#include "warden/format/index_file.h"
#include "warden/format/layout.h"
#include "warden/format/own_checksum.h"
#include "warden/format/record.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/fault_store.h"
#include "warden/storage/mem_store.h"
#include "warden/storage/storage_for_test.h"

namespace warden::capture {
namespace {

using Names = std::vector<std::string>;

class HookTest : public testing::Test {
 protected:
  HookTest() {
    options_.config.out_dir = "run";
    for (const Mode mode : kAllModes) options_.config.save_config.mode(mode).save_interval = 2;
    options_.config.include_collections = {"weights", "gradients"};
  }

  std::unique_ptr<Hook> Make() {
    auto hook = Hook::Create(options_, store_);
    EXPECT_TRUE(hook.ok()) << hook.status().message();
    return std::move(hook.value());
  }

  static void SaveAll(Hook* hook) {
    const float value[6] = {1, 2, 3, 4, 5, 6};
    const int64_t shape[2] = {2, 3};
    const Names names = {"fc.weight", "fc.bias", "gradient/fc.weight", "Loss_output_0"};
    for (const std::string& name : names) {
      hook->Save(name, {value, DType::kFloat32, shape});
    }
  }

  // The names in the index file of a step, in the order of writing; nothing if there is no file.
  Names SavedAt(Step step, Names* shapes = nullptr) {
    const std::string text = storage::Text(*store_, format::IndexFileKey(step, "worker_0"));
    format::IndexParser parser;
    const auto index = parser.Parse(text);
    Names names;
    if (!index.ok()) return names;
    for (const auto& entry : index.value()->entries) names.emplace_back(entry.tensor);
    if (shapes != nullptr) {
      for (const auto& shape : index.value()->shapes) shapes->emplace_back(shape.tensor);
    }
    return names;
  }

  HookOptions options_;
  std::shared_ptr<storage::Store> store_ = storage::NewMemStore();
};

TEST_F(HookTest, SavesWhatCollectionsAskForWhenTheyAskForIt) {
  auto hook = Make();
  for (int i = 0; i < 4; ++i) {
    hook->BeginStep();
    SaveAll(hook.get());
  }
  ASSERT_TRUE(hook->Close().ok());
  const Names wanted = {"fc.weight", "gradient/fc.weight", "Loss_output_0"};
  EXPECT_EQ(SavedAt(0), wanted);
  EXPECT_EQ(SavedAt(1), Names());
  EXPECT_EQ(SavedAt(2), wanted);
  EXPECT_EQ(hook->counters().saved_steps, 2U);
  EXPECT_EQ(hook->counters().saved_tensors, 6U);
  EXPECT_TRUE(store_->Exists("training_job_end.ts"));
  EXPECT_FALSE(store_->Exists("claim.smd"));
}

TEST_F(HookTest, IndexFilesHaveTheChecksumOfTheirEventFile) {
  auto hook = Make();
  hook->BeginStep();
  SaveAll(hook.get());
  const std::vector<float> large(100'000, 0.5F);  // Written from where it lies.
  const int64_t shape = std::ssize(large);
  hook->Save("large.weight", {large.data(), DType::kFloat32, std::span(&shape, 1)});
  ASSERT_TRUE(hook->Close().ok());
  const std::string index = storage::Text(*store_, format::IndexFileKey(0, "worker_0"));
  const std::string events = storage::Text(*store_, format::EventFileKey(0, "worker_0"));
  format::IndexParser parser;
  EXPECT_EQ(parser.Parse(index).value()->event_file_crc32c, format::Crc32c(AsBytes(events)));
  const std::string manifest = storage::Text(*store_, format::ManifestKey("worker_0"));
  for (const std::string& text : {index, manifest}) {
    EXPECT_EQ(format::CheckOwnChecksum(text), format::OwnChecksum::kRight) << text;
  }
}

TEST_F(HookTest, ATensorWithoutElementsIsToldOnce) {
  auto hook = Make();
  const int64_t shape[] = {0, 3};
  testing::internal::CaptureStderr();
  for (int i = 0; i < 4; ++i) {
    hook->BeginStep();
    hook->Save("empty.weight", {nullptr, DType::kFloat32, shape});
  }
  ASSERT_TRUE(hook->Close().ok());
  const std::string told = testing::internal::GetCapturedStderr();
  const size_t first = told.find("tensor 'empty.weight' is not saved");
  EXPECT_NE(first, std::string::npos) << told;
  EXPECT_NE(told.find("(0, 3)"), std::string::npos) << told;
  EXPECT_EQ(told.find("empty.weight", first + 20), std::string::npos) << told;
}

// The limit of one name would not help: a large model has thousands, and training waits for each.
TEST_F(HookTest, ARunawayPatternIsDroppedAndToldOnce) {
  constexpr std::string_view kPattern = "(a+)+$";
  options_.config.include_collections = {"runaway", "weights"};
  options_.config.collections["runaway"].include_regex = {std::string(kPattern)};
  auto hook = Make();
  testing::internal::CaptureStderr();
  hook->BeginStep();
  const float value = 1;
  const std::string name = std::string(40, 'a') + ".weight";
  for (int i = 0; i < 1500; ++i) {
    hook->Save(name + std::to_string(i), {&value, DType::kFloat32, {}});
  }
  hook->Save("aa", {&value, DType::kFloat32, {}});
  ASSERT_TRUE(hook->Close().ok());
  const std::string told = testing::internal::GetCapturedStderr();
  const size_t first = told.find(kPattern);
  EXPECT_NE(first, std::string::npos) << told;
  EXPECT_EQ(told.find(kPattern, first + 1), std::string::npos) << told;
  const Names saved = SavedAt(0);
  EXPECT_EQ(saved.size(), 1500u) << "other patterns go on";
  EXPECT_EQ(std::count(saved.begin(), saved.end(), "aa"), 0) << "it was dropped";
}

class RemovedFolderTest : public HookTest {
 protected:
  RemovedFolderTest() { store_ = storage::OpenStore(folder_.File("run")).value(); }

  void SaveStep(Hook* hook) {
    hook->BeginStep();
    SaveAll(hook);
    hook->EndStep();
    hook->BeginStep();  // One that is not saved.
    EXPECT_TRUE(hook->Flush().ok());
  }
  void RemoveFolder() { std::filesystem::remove_all(folder_.File("run")); }

  os::TempFolder folder_;
};

TEST_F(RemovedFolderTest, LaterStepsBringTheRunBack) {
  auto hook = Make();
  SaveStep(hook.get());
  RemoveFolder();
  SaveStep(hook.get());
  EXPECT_TRUE(store_->Exists("claim.smd"));
  SaveStep(hook.get());
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(SavedAt(0), Names());
  EXPECT_EQ(SavedAt(2).size(), 3U);
  EXPECT_EQ(SavedAt(4).size(), 3U);
  const auto manifest =
      config::ParseManifest(storage::Text(*store_, format::ManifestKey("worker_0")));
  ASSERT_TRUE(manifest.ok());
  EXPECT_EQ(manifest.value().collections.at("weights").tensor_names.count("fc.weight"), 1U);
  EXPECT_TRUE(store_->Exists("training_job_end.ts"));
  EXPECT_FALSE(store_->Exists("claim.smd"));
}

TEST_F(RemovedFolderTest, RunsAreBroughtToTheDiskWhenThatIsAskedFor) {
  for (const config::Fsync fsync : {config::Fsync::kStep, config::Fsync::kClose}) {
    options_.config.fsync = fsync;
    auto hook = Make();
    SaveStep(hook.get());
    EXPECT_TRUE(hook->Close().ok());
    EXPECT_EQ(SavedAt(0).size(), 3U);
    RemoveFolder();
  }
}

TEST_F(RemovedFolderTest, WithoutALaterStepItStaysRemoved) {
  auto hook = Make();
  SaveStep(hook.get());
  RemoveFolder();
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(store_->List("").value(), Names());
}

TEST_F(RemovedFolderTest, IsLeftToAnotherRunThatBeganThere) {
  auto hook = Make();
  SaveStep(hook.get());
  RemoveFolder();
  auto other = Make();
  other->BeginStep();
  SaveAll(other.get());
  hook->BeginStep();
  SaveAll(hook.get());
  hook->EndStep();
  EXPECT_EQ(hook->Flush().code(), Code::kExists);
  EXPECT_EQ(hook->Close().code(), Code::kExists);
  EXPECT_FALSE(store_->Exists("training_job_end.ts"));
  ASSERT_TRUE(other->Close().ok());
  EXPECT_EQ(SavedAt(0).size(), 3U);
}

TEST_F(HookTest, RolesAreInTheManifestAlsoThoseAddedLate) {
  const auto roles = [&] {
    const std::string text = storage::Text(*store_, format::ManifestKey("worker_0"));
    return config::ParseManifest(text).value().roles;
  };
  auto hook = Make();
  hook->AddRoles({{"relu_output", {"relu1_output_"}}, {"labels", {}}});
  hook->BeginStep();
  SaveAll(hook.get());
  hook->EndStep();
  ASSERT_TRUE(hook->Flush().ok());
  EXPECT_EQ(roles(), (config::Roles{{"relu_output", {"relu1_output_"}}}));
  hook->AddRoles({{"relu_output", {"relu1_output_", "relu2_output_"}}});
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(roles(), (config::Roles{{"relu_output", {"relu1_output_", "relu2_output_"}}}));
}

TEST_F(HookTest, ACollectionIsWidened) {
  auto hook = Make();
  const TensorHandle* bias = hook->Register("fc.bias");
  hook->BeginStep();
  EXPECT_FALSE(hook->Wants(bias));
  const Names patterns = {R"(^fc\.bias$)", "^late_"};
  ASSERT_TRUE(hook->Include("weights", patterns).ok());
  EXPECT_TRUE(hook->Wants(bias)) << "known before";
  EXPECT_TRUE(hook->Wants("late_output_0"));
  EXPECT_TRUE(hook->Wants("fc.weight")) << "as before";
  EXPECT_FALSE(hook->Wants("other.bias"));
  const Names broken = {"("};
  EXPECT_EQ(hook->Include("weights", broken).code(), Code::kInvalid);
  EXPECT_EQ(hook->Include("biases", patterns).code(), Code::kNotFound);
  ASSERT_TRUE(hook->Close().ok());
  const std::string text = storage::Text(*store_, format::ManifestKey("worker_0"));
  const auto manifest = config::ParseManifest(text).value();
  const config::Collection& weights = manifest.collections.at("weights");
  EXPECT_EQ(weights.include_regex, Names({"^(?!gradient).*weight", patterns[0], patterns[1]}));
  EXPECT_TRUE(weights.tensor_names.contains("fc.bias"));
}

TEST_F(HookTest, WantsIsExact) {
  auto hook = Make();
  const TensorHandle* weight = hook->Register("fc.weight");
  const TensorHandle* bias = hook->Register("fc.bias");
  EXPECT_EQ(hook->Register("fc.weight"), weight);
  EXPECT_FALSE(hook->Wants(weight)) << "before the first step";
  const uint64_t due = hook->BeginStep();
  EXPECT_TRUE(hook->Wants(weight));
  EXPECT_FALSE(hook->Wants(bias));
  EXPECT_NE(hook->Matches("other.weight") & due, 0U);
  EXPECT_EQ(hook->Matches("other.bias"), 0U);
  EXPECT_EQ(hook->BeginStep(), 0U);
  EXPECT_FALSE(hook->Wants(weight));
}

TEST_F(HookTest, ModesCountForThemselves) {
  auto hook = Make();
  hook->SetMode(Mode::kTrain);
  hook->BeginStep();
  hook->BeginStep();
  hook->SetMode(Mode::kEval);
  hook->BeginStep();
  EXPECT_EQ(hook->step(), 2);
  EXPECT_EQ(hook->mode_step(Mode::kTrain), 1);
  EXPECT_EQ(hook->mode_step(Mode::kEval), 0);
  EXPECT_EQ(hook->mode_step(Mode::kGlobal), 2);
  SaveAll(hook.get());
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(SavedAt(2), Names({"fc.weight", "Loss_output_0"})) << "no gradients in EVAL";
}

TEST_F(HookTest, AStepKeepsItsModeWhenAnotherIsSet) {
  auto hook = Make();
  hook->SetMode(Mode::kTrain);
  hook->BeginStep();
  hook->SetMode(Mode::kEval);
  SaveAll(hook.get());
  const float value = 1;
  const Names collections = {"weights", "new"};
  hook->SaveTensor("by_hand", {&value, DType::kFloat32, {}}, collections);
  hook->BeginStep();
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(SavedAt(0), Names({"fc.weight", "gradient/fc.weight", "Loss_output_0", "by_hand"}));
  const std::string text = storage::Text(*store_, format::IndexFileKey(0, "worker_0"));
  format::IndexParser parser;
  const auto index = parser.Parse(text);
  ASSERT_TRUE(index.ok());
  EXPECT_EQ(index.value()->mode, Mode::kTrain);
  EXPECT_EQ(index.value()->mode_step, 0);
}

TEST_F(HookTest, QuietStepsNeedNotBegin) {
  for (const Mode mode : kAllModes) options_.config.save_config.mode(mode).save_interval = 5;
  auto hook = Make();
  hook->SetMode(Mode::kTrain);
  EXPECT_NE(hook->BeginStep(), 0u);
  EXPECT_EQ(hook->QuietSteps(100), 0) << "something is due";
  EXPECT_EQ(hook->BeginStep(), 0u);
  EXPECT_EQ(hook->QuietSteps(100), 3) << "2, 3 and 4";
  EXPECT_EQ(hook->QuietSteps(2), 2);
  hook->SkipSteps(3);
  EXPECT_EQ(hook->step(), 4);
  EXPECT_EQ(hook->mode_step(Mode::kTrain), 4);
  EXPECT_NE(hook->BeginStep(), 0u);
  EXPECT_EQ(hook->step(), 5);
  // A scalar that is given outside of a step makes the next one due.
  hook->EndStep();
  hook->SaveScalar("late", 1);
  EXPECT_EQ(hook->QuietSteps(100), 0);
}

TEST_F(HookTest, SavesEverySoManySeconds) {
  std::chrono::steady_clock::time_point now;
  options_.clock = [&] { return now; };
  for (const Mode mode : kAllModes) {
    config::SaveConfigMode& config = options_.config.save_config.mode(mode);
    config = {.save_interval = 1, .end_step = 0, .save_steps = {4}};
    if (mode != Mode::kEval) config.save_seconds = 10;
  }
  auto hook = Make();
  EXPECT_EQ(hook->QuietSteps(100), 0) << "nobody knows when a step begins";
  std::vector<Step> saved;
  const auto step = [&](Step number, int seconds) {
    now += std::chrono::seconds(seconds);
    if (hook->BeginStep() != 0) saved.push_back(number);
    SaveAll(hook.get());
  };
  // Begins at 0, 5, 11, 20, 20 (listed), 29, 30, 40 s.
  const int pauses[] = {0, 5, 6, 9, 0, 9, 1, 10};
  for (size_t i = 0; i < std::size(pauses); ++i) step(static_cast<Step>(i), pauses[i]);
  EXPECT_EQ(saved, (std::vector<Step>{0, 2, 4, 6, 7}));
  hook->SetMode(Mode::kEval);
  step(8, 100);
  EXPECT_EQ(saved.back(), 7) << "this mode has no seconds";
  hook->SetMode(Mode::kPredict);
  step(9, 0);
  step(10, 0);
  EXPECT_EQ(saved.back(), 9) << "each mode counts for itself";
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(SavedAt(2).size(), 3U);
  EXPECT_EQ(SavedAt(3), Names());
}

TEST_F(HookTest, StepNumbersOfTheCaller) {
  auto hook = Make();
  hook->BeginStepAt(40);
  EXPECT_EQ(hook->step(), 40);
  SaveAll(hook.get());
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_FALSE(SavedAt(40).empty());
}

TEST_F(HookTest, ReductionsWithoutValues) {
  config::Collection weights = config::BuiltinCollections(options_.framework).at("weights");
  weights.reduction_config = config::ReductionConfig{};
  weights.reduction_config->save_raw_tensor = false;
  weights.reduction_config->save_shape = true;
  weights.reduction_config->reductions = config::ParseReductions("mean,l2_norm,abs_max").value();
  options_.config.collections.insert_or_assign("weights", weights);
  auto hook = Make();
  hook->BeginStep();
  const float value[2] = {-3, 1};
  const int64_t shape[1] = {2};
  hook->Save("fc.weight:0", {value, DType::kFloat32, shape});
  ASSERT_TRUE(hook->Close().ok());
  Names shapes;
  EXPECT_EQ(SavedAt(0, &shapes),
            Names({"smdebug/reductions/mean/fc.weight", "smdebug/reductions/l2/fc.weight",
                   "smdebug/reductions/abs_max/fc.weight"}));
  EXPECT_EQ(shapes, Names({"fc.weight:0"}));
}

TEST_F(HookTest, EmptyTensorsAreNotWritten) {
  auto hook = Make();
  hook->BeginStep();
  const int64_t shape[2] = {0, 3};
  hook->Save("fc.weight", {nullptr, DType::kFloat32, shape});
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(SavedAt(0), Names());
}

TEST_F(HookTest, ScalarsBelongToTheStepOfTheCall) {
  auto hook = Make();
  hook->SaveScalar("early", 1);
  hook->BeginStep();
  hook->BeginStep();
  hook->SaveScalar("lr", 0.1);  // No collection is due at step 1.
  hook->EndStep();
  hook->SaveScalar("between", 2);
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(SavedAt(0), Names({"scalar/early"}));
  EXPECT_EQ(SavedAt(1), Names({"scalar/lr"}));
  EXPECT_EQ(SavedAt(2), Names({"scalar/between"}));
}

TEST_F(HookTest, TensorsSavedNowNeedNothingDue) {
  auto hook = Make();
  const float value = 1;
  const Names collections = {"losses"};
  hook->SaveTensorNow("before", {&value, DType::kFloat32, {}}, collections);
  hook->BeginStep();
  hook->BeginStep();
  hook->SaveTensorNow("val_loss", {&value, DType::kFloat32, {}}, collections);
  hook->EndStep();
  hook->SaveTensorNow("between", {&value, DType::kFloat32, {}}, collections);
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(SavedAt(0), Names());
  EXPECT_EQ(SavedAt(1), Names({"val_loss"}));
  EXPECT_TRUE(hook->collections().at("losses").tensor_names.contains("val_loss"));
}

TEST_F(HookTest, NumbersSavedNowAreTensorsOfOneElement) {
  auto hook = Make();
  const std::vector<Hook::NamedNumber> numbers = {{"training/rate", 0.5}, {"training/epoch", 2}};
  const Names collections = {"training"};
  hook->SaveNumbersNow(numbers, collections);  // Not within a step.
  hook->BeginStep();
  hook->SaveNumbersNow(numbers, collections);
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(SavedAt(0), Names({"training/rate", "training/epoch"}));
  EXPECT_EQ(hook->collections().at("training").tensor_names.size(), 2U);
}

TEST_F(HookTest, TensorsPutIntoCollectionsByHand) {
  auto hook = Make();
  const float value = 1;
  hook->BeginStep();
  const Names collections = {"weights", "mine"};
  hook->SaveTensor("by_hand", {&value, DType::kFloat32, {}}, collections);
  const Names unsaved = {"biases"};
  hook->SaveTensor("other", {&value, DType::kFloat32, {}}, unsaved);
  hook->Save("fc.bias", {&value, DType::kFloat32, {}});  // 'biases' itself was not asked for.
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(SavedAt(0), Names({"by_hand", "other"}));
  EXPECT_TRUE(hook->collections().at("mine").tensor_names.contains("by_hand"));
}

// A summary as a GPU writes it.
class LentRow final : public Lender {
 public:
  explicit LentRow(double mean, double nan_count) {
    row_[0] = 4;
    row_[1] = nan_count;
    row_[14] = mean;
  }
  Status Wait() override { return Status(); }
  const double* row() const { return row_.data(); }

 private:
  std::array<double, 18> row_ = {};
};

TEST_F(HookTest, TheFirstTensorOfAStepThatIsNotFinite) {
  options_.config.reduction_config.reductions = config::ParseReductions("mean").value();
  options_.config.reduction_config.save_raw_tensor = false;
  auto hook = Make();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const int64_t shape = 1;
  const Names mine = {"mine"};
  const auto lend = [&](const TensorHandle* tensor, double nan_count, uint64_t sequence) {
    const auto row = std::make_shared<LentRow>(0.5, nan_count);
    hook->LendSummary(tensor, DType::kFloat32, std::span(&shape, 1),
                      {{row->row(), DType::kFloat64, {}}, row}, sequence);
  };
  const TensorHandle* early = hook->RegisterIn("early", mine);
  const TensorHandle* late = hook->RegisterIn("late", mine);
  hook->BeginStep();
  lend(early, 0, hook->NextSequence());
  hook->EndStep();
  ASSERT_TRUE(hook->Flush().ok());
  EXPECT_FALSE(hook->first_not_finite());
  hook->SkipSteps(1);
  hook->BeginStep();
  const uint64_t seen = hook->NextSequence();  // On the GPU; what is on the host is written before.
  hook->SaveTensor("host", {&nan, DType::kFloat32, std::span(&shape, 1)}, mine);
  lend(late, 2, hook->NextSequence());
  lend(early, 1, seen);
  hook->SkipSteps(1);
  hook->BeginStep();
  lend(late, 1, hook->NextSequence());
  ASSERT_TRUE(hook->Close().ok());
  ASSERT_TRUE(hook->first_not_finite());
  EXPECT_EQ(hook->first_not_finite()->step, 2);
  EXPECT_EQ(hook->first_not_finite()->tensor, "early");
  EXPECT_EQ(hook->first_not_finite()->sequence, 0U);
}

TEST_F(HookTest, AFinishedRunIsNotOverwritten) {
  storage::PutCode(*store_, "training_job_end.ts", "");
  EXPECT_EQ(Hook::Create(options_, store_).status().code(), Code::kExists);
}

TEST_F(HookTest, OnlyTheChiefWritesUnlessAllAreAsked) {
  options_.world_size = 2;
  options_.is_chief = false;
  options_.worker = "worker_1";
  {
    auto hook = Make();
    hook->BeginStep();
    SaveAll(hook.get());
    hook->SaveScalar("lr", 1);
    ASSERT_TRUE(hook->Close().ok());
    EXPECT_EQ(store_->List("").value(), Names());
  }
  options_.config.all_workers = true;
  auto hook = Make();
  hook->BeginStep();
  SaveAll(hook.get());
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_TRUE(store_->Exists(format::IndexFileKey(0, "worker_1")));
  EXPECT_NE(storage::Text(*store_, format::ManifestKey("worker_1")).find("\"num_workers\": 2"),
            std::string::npos);
  EXPECT_FALSE(store_->Exists("training_job_end.ts")) << "the chief may not be done";
}

TEST_F(HookTest, ADryRunWritesNoTensors) {
  options_.config.dry_run = true;
  auto hook = Make();
  hook->BeginStep();
  SaveAll(hook.get());
  hook->SaveScalar("lr", 1);
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(store_->List("").value(),
            Names({std::string(format::ManifestKey("worker_0")), "training_job_end.ts"}));
}

TEST_F(HookTest, InsideASageMakerJobThePlatformMarksTheEnd) {
  setenv("TRAINING_JOB_NAME", "job", 1);
  auto hook = Make();
  hook->BeginStep();
  SaveAll(hook.get());
  ASSERT_TRUE(hook->Close().ok());
  unsetenv("TRAINING_JOB_NAME");
  EXPECT_FALSE(store_->Exists("training_job_end.ts"));
}

TEST_F(HookTest, ASecondProcessIsKeptOut) {
  storage::PutCode(*store_, "claim.smd", "1 another-machine 5");
  auto hook = Make();
  hook->BeginStep();
  SaveAll(hook.get());
  EXPECT_EQ(hook->Close().code(), Code::kExists);
  EXPECT_EQ(store_->List("").value(), Names({"claim.smd"}));
}

TEST_F(HookTest, AFolderThatWasClearedForAnotherRunIsLeftToIt) {
  auto first = Make();
  first->BeginStep();
  SaveAll(first.get());
  first->EndStep();
  ASSERT_TRUE(first->Flush().ok());
  for (const std::string& key : store_->List("").value()) ASSERT_TRUE(store_->Remove(key).ok());
  auto second = Make();
  second->BeginStep();
  SaveAll(second.get());
  EXPECT_TRUE(first->Close().ok());
  EXPECT_FALSE(store_->Exists(format::kEndMarker));
  EXPECT_TRUE(store_->Exists(format::kClaim));
  EXPECT_TRUE(second->Close().ok());
  EXPECT_TRUE(store_->Exists(format::kEndMarker));
}

// Training goes on whatever the storage does, and what was whole stays whole.
TEST_F(HookTest, FailureAtEachWriteInTurn) {
  for (uint64_t n = 1;; ++n) {
    auto base = storage::NewMemStore();
    auto faulty = std::make_shared<storage::FaultStore>(
        base.get(), storage::FaultOptions{.fail_from_write = n, .tear_append = true});
    auto hook = Hook::Create(options_, faulty);
    ASSERT_TRUE(hook.ok());
    for (int i = 0; i < 6; ++i) {
      hook.value()->BeginStep();
      SaveAll(hook.value().get());
    }
    const Status closed = hook.value()->Close();
    EXPECT_EQ(closed.ok(), !faulty->has_failed()) << n << ": " << closed.message();
    for (const std::string& key : base->List("index/").value()) {
      format::IndexParser parser;
      const std::string text = storage::Text(*base, key);
      const auto index = parser.Parse(text);
      ASSERT_TRUE(index.ok()) << key;
      const std::string events = storage::Text(*base, index.value()->event_file);
      for (const auto& entry : index.value()->entries) {
        ASSERT_LE(entry.start + entry.length, events.size());
        EXPECT_TRUE(format::ParseRecord(AsBytes(events).subspan(entry.start, entry.length)).ok());
      }
    }
    if (!faulty->has_failed()) break;
    ASSERT_LT(n, 1000U);
  }
}

// A step of an earlier run in the folder is replaced or gone, never half the one and half the
// other.
TEST_F(HookTest, ReplacingAStepFailsAtEachWriteInTurn) {
  const std::vector<float> values(100);
  const auto record = [&](std::shared_ptr<storage::Store> store, int64_t size) {
    auto hook = Hook::Create(options_, std::move(store)).value();
    hook->BeginStep();
    hook->Save("fc.weight", {values.data(), DType::kFloat32, std::span(&size, 1)});
    (void)hook->Close();
  };
  for (uint64_t n = 1;; ++n) {
    store_ = storage::NewMemStore();
    record(store_, 100);
    ASSERT_TRUE(store_->Remove(format::kEndMarker).ok());  // As if it had been killed.
    auto faulty = std::make_shared<storage::FaultStore>(
        store_.get(), storage::FaultOptions{.fail_from_write = n});
    record(faulty, 7);
    const std::string text = storage::Text(*store_, format::IndexFileKey(0, "worker_0"));
    format::IndexParser parser;
    const auto index = parser.Parse(text);
    if (index.ok()) {
      EXPECT_EQ(index.value()->entries.at(0).length,
                storage::Text(*store_, format::EventFileKey(0, "worker_0")).size())
          << "at write " << n;
    }
    if (!faulty->has_failed()) break;
  }
}

// As a data loader's worker: it has the hook, but must leave the run alone.
TEST_F(HookTest, AForkedChildWritesNothingAndHangsNowhere) {
  auto hook = Make();
  hook->BeginStep();
  SaveAll(hook.get());
  const pid_t child = fork();
  if (child == 0) {
    SaveAll(hook.get());
    hook->BeginStep();
    SaveAll(hook.get());
    hook->SaveScalar("lr", 1);
    const bool closed = hook->Close().ok();
    hook.reset();
    _exit(closed ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(SavedAt(0).size(), 3U);
}

TEST_F(HookTest, CountingGoesOnWhereItEnded) {
  options_.last_step = 9;
  options_.last_mode_steps[ModeIndex(Mode::kTrain)] = 5;
  auto hook = Make();
  hook->SetMode(Mode::kTrain);
  EXPECT_NE(hook->BeginStep(), 0U) << "6 is saved";
  EXPECT_EQ(hook->step(), 10);
  EXPECT_EQ(hook->mode_step(Mode::kTrain), 6);
}

TEST_F(HookTest, ManyThreadsSave) {
  options_.config.save_all = true;
  auto hook = Make();
  constexpr int kThreads = 4;
  constexpr int kTensors = 200;
  for (int step = 0; step < 3; ++step) {
    hook->BeginStep();
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kTensors; ++i) {
          const float value = 1;
          const std::string name = "t" + std::to_string(t) + "." + std::to_string(i);
          if (hook->Wants(name)) hook->Save(name, {&value, DType::kFloat32, {}});
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  ASSERT_TRUE(hook->Close().ok());
  EXPECT_EQ(SavedAt(0).size(), static_cast<size_t>(kThreads * kTensors));
}

}  // namespace
}  // namespace warden::capture
