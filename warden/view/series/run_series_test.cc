#include "warden/view/series/run_series.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>
#include <thread>

#include "warden/base/checkout_for_test.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/local_store.h"
#include "warden/storage/mem_store.h"
#include "warden/storage/storage_for_test.h"
#include "warden/trial/trial.h"
#include "warden/trial/trial_for_test.h"
#include "warden/view/series/compare.h"
#include "warden/view/series/curve.h"
#include "warden/view/series/tensor_list.h"

namespace warden::view {
namespace {

using std::chrono::seconds;
using trial::FloatTensor;
using Numbers = std::vector<double>;

constexpr float kFloatNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
// Nothing here takes so long; it ends a test that would hang.
constexpr seconds kLong{60};

Curve CurveOf(const RunSeries& run, std::string_view tensor, std::string_view statistic = "value",
              StepRange range = {}, std::string_view worker = {}) {
  return run.With([&](const Table& table) -> Curve {
    const TensorEntry* entry = table.Find(tensor);
    if (entry == nullptr) return {};
    const SlotAxis axis(table, range);
    const Wanted wanted{*ParseStatistic(statistic), worker};
    return MakeCurve(table, PointsOf(table, *entry, wanted, axis), 4000);
  });
}

// Until the condition holds; what a live run tells comes when it comes.
bool Eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kLong;
  while (std::chrono::steady_clock::now() < deadline) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

class RunSeriesTest : public testing::Test {
 protected:
  std::unique_ptr<RunSeries> Read(SeriesOptions options = {}) {
    auto run = std::make_unique<RunSeries>(store_, options);
    EXPECT_TRUE(run->WaitUntilRead(kLong));
    return run;
  }

  os::TempFolder folder_;
  std::shared_ptr<storage::Store> store_ = storage::NewLocalStore(folder_.path());
  trial::RunBuilder builder_{store_.get()};
};

TEST_F(RunSeriesTest, OfAnEmptyFolderThereIsNothing) {
  const auto run = Read();
  EXPECT_TRUE(run->WaitForShape(kLong));
  EXPECT_EQ(run->progress().total, 0u);
  EXPECT_TRUE(run->progress().done);
  EXPECT_FALSE(run->progress().last_step);
  EXPECT_TRUE(ListTensors(*run).empty());
  EXPECT_TRUE(run->problems().empty());
}

TEST_F(RunSeriesTest, ValuesModesAndWorkersComeApart) {
  builder_.Manifests(2);
  for (int i = 0; i < 300; ++i) {
    const bool eval = i % 3 == 2;
    const trial::StepOptions options{.mode = eval ? Mode::kEval : Mode::kTrain,
                                     .mode_step = eval ? i / 3 : i - i / 3};
    const float value = static_cast<float>(i) + (eval ? 1000 : 0);
    builder_.Step(i * 2, 0, {{"loss_output_0", value}}, options);
    builder_.Step(i * 2, 1, {{"loss_output_0", -value}}, options);
  }
  const auto run = Read();
  EXPECT_EQ(run->progress().steps, 300u);
  EXPECT_EQ(run->progress().last_step, 598);
  EXPECT_TRUE(run->problems().empty());
  EXPECT_EQ(WorkersOf(*run), (std::vector<std::string>{"worker_0", "worker_1"}));
  EXPECT_EQ(ModesOf(*run), (std::vector<Mode>{Mode::kTrain, Mode::kEval}));

  const Curve all = CurveOf(*run, "loss_output_0");
  ASSERT_EQ(all.x.size(), 300u);
  EXPECT_EQ(all.x[2], 4);
  EXPECT_EQ(all.low[2], 1002);
  const Curve train = CurveOf(*run, "loss_output_0", "value", {.mode = Mode::kTrain});
  ASSERT_EQ(train.x.size(), 200u);
  EXPECT_EQ(train.x[2], 2);
  EXPECT_EQ(train.low[2], 3);
  const Curve eval =
      CurveOf(*run, "loss_output_0", "value", {.mode = Mode::kEval, .from = 5, .to = 6});
  EXPECT_EQ(eval.x, (Numbers{5, 6}));
  EXPECT_EQ(eval.low, (Numbers{1017, 1020}));
  EXPECT_EQ(CurveOf(*run, "loss_output_0", "value", {}, "worker_1").low[2], -1002);
  EXPECT_TRUE(CurveOf(*run, "loss_output_0", "value", {}, "worker_7").x.empty());
  EXPECT_TRUE(CurveOf(*run, "loss_output_0", "value", {.mode = Mode::kPredict}).x.empty());

  const auto list = ListTensors(*run);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].steps, 300);
  EXPECT_EQ(list[0].last, 598);
  EXPECT_EQ(list[0].dtype, "float32");
  EXPECT_EQ(list[0].shape, std::vector<int64_t>());
  EXPECT_EQ(list[0].collections, (std::vector<std::string>{"losses"}));
  const SavedTimes times = TimesOf(*run, Mode::kEval);
  EXPECT_EQ(times.steps.size(), 100u);
  EXPECT_EQ(times.steps.back(), 99);
  EXPECT_EQ(times.times.back(), trial::kTestWallTime + 598);
}

TEST_F(RunSeriesTest, StatisticsOfValues) {
  builder_.Tensors(0, 0,
                   {{"w", FloatTensor({2, 2}, {-3, 0, 1, 4})},
                    {"bad", FloatTensor({4}, {kFloatNaN, kInfinity, 0, 0})},
                    {"none", FloatTensor({0}, {})},
                    {"z", trial::MakeTensor<double>(DType::kComplex128, {1}, {3, 4})},
                    {"text", {.dtype = DType::kString, .shape = {1}, .strings = {"a"}}},
                    {"big", trial::MakeTensor<int64_t>(DType::kInt64, {}, {123456789012345})}});
  const auto run = Read();
  const auto of = [&](std::string_view tensor, std::string_view statistic) {
    const Curve curve = CurveOf(*run, tensor, statistic);
    return curve.low.size() == 1 ? curve.low[0] : -1e9;
  };
  EXPECT_EQ(of("w", "min"), -3);
  EXPECT_EQ(of("w", "max"), 4);
  EXPECT_EQ(of("w", "mean"), 0.5);
  EXPECT_EQ(of("w", "variance"), 6.25);
  EXPECT_EQ(of("w", "std"), 2.5);
  EXPECT_EQ(of("w", "sum"), 2);
  EXPECT_EQ(of("w", "l1"), 8);
  EXPECT_EQ(of("w", "abs_sum"), 8);
  EXPECT_EQ(of("w", "l2"), std::sqrt(26.0f));
  EXPECT_EQ(of("w", "abs_min"), 0);
  EXPECT_EQ(of("w", "abs_max"), 4);
  EXPECT_EQ(of("w", "abs_mean"), 2);
  EXPECT_EQ(of("w", "zeros"), 0.25);
  EXPECT_EQ(of("w", "value"), -1e9);
  EXPECT_EQ(of("bad", "nans"), 0.25);
  EXPECT_EQ(of("bad", "infs"), 0.25);
  EXPECT_EQ(of("bad", "zeros"), 0.5);
  EXPECT_TRUE(std::isnan(of("bad", "mean")));
  EXPECT_EQ(of("none", "sum"), 0);
  EXPECT_EQ(of("big", "value"), 123456789012345);
  EXPECT_TRUE(run->problems().empty());
  for (const TensorSummary& tensor : ListTensors(*run)) {
    EXPECT_EQ(tensor.statistics.empty(), tensor.name == "z" || tensor.name == "text");
    EXPECT_EQ(tensor.steps, 1) << tensor.name;
  }
}

// Everything that the reader of runs says of recorded runs, this one says too.
TEST(RunSeries, AgreesWithTheTrialOnRecordedRuns) {
  size_t compared = 0;
  for (const std::string name : {"pt_cnn_mixed", "pt_reductions_all", "pt_two_workers_all",
                                 "pt_killed", "pt_dtypes", "xgb_binary"}) {
    const std::shared_ptr<const storage::Store> store =
        storage::NewLocalStore(SourceFile("tests/golden/") + name + "/trial");
    const RunSeries run(store);
    ASSERT_TRUE(run.WaitUntilRead(kLong));
    auto opened = trial::Trial::Open(store, trial::LookOptions());
    ASSERT_TRUE(opened.ok());
    const trial::Trial& trial = *opened.value();
    EXPECT_EQ(run.progress().total, trial.Steps(Mode::kGlobal, true).size()) << name;
    const auto tensors = trial.TensorNames();
    ASSERT_TRUE(tensors.ok());
    EXPECT_EQ(ListTensors(run).size(), tensors.value().size()) << name;
    for (const std::string& tensor : tensors.value()) {
      for (const char* statistic :
           {"min", "max", "mean", "std", "abs_mean", "abs_std", "abs_max"}) {
        for (const Mode mode : kAllModes) {
          const Curve curve = CurveOf(run, tensor, statistic, {.mode = mode});
          for (size_t i = 0; i < curve.x.size(); ++i) {
            const auto expected = trial.ReductionValue(tensor, static_cast<Step>(curve.x[i]),
                                                       *ParseReductionName(statistic), mode);
            ASSERT_TRUE(expected.ok()) << expected.status().message();
            const bool nan = std::isnan(expected.value()) && std::isnan(curve.low[i]);
            EXPECT_TRUE(nan || curve.low[i] == expected.value())
                << name << " " << tensor << " " << statistic << " " << curve.x[i] << ": "
                << curve.low[i] << ", not " << expected.value();
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 1000u);
}

TEST_F(RunSeriesTest, GrowsWithTheRun) {
  RunSeries run(store_);
  ASSERT_TRUE(run.WaitUntilRead(kLong));
  builder_.Manifests(1);
  for (int i = 0; i < 20; ++i) {
    builder_.Step(i, 0, {{"loss_output_0", static_cast<float>(i)}});
    ASSERT_TRUE(Eventually([&] { return CurveOf(run, "loss_output_0").x.size() == i + 1u; })) << i;
  }
  // A worker comes late, with a step that nobody had.
  builder_.Step(7, 1, {{"loss_output_0", 70}});
  builder_.Step(1000, 1, {{"loss_output_0", 1000}});
  ASSERT_TRUE(Eventually([&] {
    return CurveOf(run, "loss_output_0", "value", {}, "worker_1").low == Numbers{70, 1000};
  }));
  // A step is written again.
  builder_.Step(3, 0, {{"other", 33}});
  ASSERT_TRUE(Eventually([&] { return CurveOf(run, "other").low == Numbers{33}; }));
  EXPECT_EQ(CurveOf(run, "loss_output_0").x.size(), 19u);
  ASSERT_TRUE(Eventually([&] { return ListTensors(run)[0].collections.size() == 1; }));
  EXPECT_TRUE(run.problems().empty());
  ASSERT_TRUE(Eventually([&] { return run.progress().done; }));
  EXPECT_EQ(run.progress().steps, 21u);
}

// A store that cannot tell of changes, as on a network, and at times cannot even list.
class DeafStore final : public storage::Store {
 public:
  std::string Locate(std::string_view key) const override { return base_->Locate(key); }
  Result<std::vector<std::string>> List(std::string_view prefix,
                                        std::string_view start_after) const override {
    if (broken) return Status(Code::kIo, "the network is gone");
    return base_->List(prefix, start_after);
  }
  Result<std::shared_ptr<const storage::Object>> Open(std::string_view key) const override {
    return base_->Open(key);
  }
  bool Exists(std::string_view key) const override { return base_->Exists(key); }
  Result<std::unique_ptr<storage::ObjectWriter>> Create(std::string_view key) override {
    return base_->Create(key);
  }
  Status PutIfAbsent(std::string_view key, Bytes body) override {
    return base_->PutIfAbsent(key, body);
  }
  Status Remove(std::string_view key) override { return base_->Remove(key); }
  Result<std::unique_ptr<storage::Watch>> WatchPrefix(std::string_view) const override {
    return Status(Code::kUnavailable, "deaf");
  }

  std::atomic<bool> broken = false;

 private:
  std::unique_ptr<storage::Store> base_ = storage::NewMemStore();
};

TEST(RunSeries, GrowsWhereNobodyTellsOfChanges) {
  const auto store = std::make_shared<DeafStore>();
  store->broken = true;
  trial::RunBuilder builder(store.get());
  builder.Step(0, 0, {{"loss", 1}});
  const RunSeries run(store);
  ASSERT_TRUE(Eventually([&] { return run.problems().size() == 1; }));
  EXPECT_EQ(run.problems()[0], "the network is gone");
  store->broken = false;
  EXPECT_TRUE(Eventually([&] { return CurveOf(run, "loss").low == Numbers{1}; }));
  EXPECT_TRUE(Eventually([&] { return run.problems().empty(); }));
  builder.Step(1, 0, {{"loss", 2}});
  EXPECT_TRUE(Eventually([&] { return CurveOf(run, "loss").low == Numbers{1, 2}; }));
}

TEST_F(RunSeriesTest, AnEventFileThatComesLateIsReadThen) {
  builder_.Step(0, 0, {{"loss", 1}});
  builder_.Step(1, 0, {{"loss", 2}});
  const std::string key = format::EventFileKey(1, "worker_0");
  const std::string events = storage::Text(*store_, key);
  ASSERT_TRUE(store_->Remove(key).ok());
  const auto run = Read();
  EXPECT_EQ(CurveOf(*run, "loss").low, (Numbers{1}));
  ASSERT_EQ(run->problems().size(), 1u);
  EXPECT_NE(run->problems()[0].find(key + " not found"), std::string::npos);
  // First a part of it, then all.
  builder_.Put(key, events.substr(0, 50));
  EXPECT_TRUE(Eventually([&] {
    const auto problems = run->problems();
    return problems.size() == 1 && problems[0].find("not found") == std::string::npos;
  }));
  builder_.Put(key, events);
  EXPECT_TRUE(Eventually([&] { return CurveOf(*run, "loss").low == Numbers{1, 2}; }));
  EXPECT_TRUE(Eventually([&] { return run->problems().empty(); }));
}

// Those who ask do not get in each other's way, nor in that of the thread that reads.
TEST_F(RunSeriesTest, ManyMayAskWhileItReads) {
  for (int i = 0; i < 400; ++i) builder_.Step(i, 0, {{"loss", 1}, {"b", 2}});
  const RunSeries run(store_);
  std::vector<std::jthread> askers;
  for (int n = 0; n < 4; ++n) {
    askers.emplace_back([&] {
      while (!run.progress().done) {
        EXPECT_LE(CurveOf(run, "loss").x.size(), 400u);
        EXPECT_LE(ListTensors(run).size(), 2u);
        EXPECT_LE(Compare(run, run, {}).tensors.size(), 2u);
        run.problems();
      }
    });
  }
  askers.clear();
  EXPECT_EQ(CurveOf(run, "loss").x.size(), 400u);
}

TEST_F(RunSeriesTest, WhatIsDamagedIsToldAndTheRestIsShown) {
  for (int i = 0; i < 5; ++i) builder_.Step(i, 0, {{"a", 1}, {"b", 2}});
  builder_.Put(format::IndexFileKey(1, "worker_0"), "{\"meta\": 3");
  // The last record of step 2 is cut off, the first of step 3 has wrong bytes.
  const std::string cut = storage::Text(*store_, format::EventFileKey(2, "worker_0"));
  builder_.Put(format::EventFileKey(2, "worker_0"), cut.substr(0, cut.size() - 7));
  std::string wrong = storage::Text(*store_, format::EventFileKey(3, "worker_0"));
  wrong[9] = static_cast<char>(wrong[9] ^ 0xff);
  builder_.Put(format::EventFileKey(3, "worker_0"), wrong);
  builder_.Put("index/000000000/readme.txt", "not one of ours");
  const auto run = Read();
  EXPECT_EQ(CurveOf(*run, "a").x, (Numbers{0, 2, 4}));
  EXPECT_EQ(CurveOf(*run, "b").x, (Numbers{0, 3, 4}));
  EXPECT_EQ(run->problems().size(), 3u);
  EXPECT_TRUE(run->progress().done);
  EXPECT_EQ(run->progress().steps, 5u);
}

TEST_F(RunSeriesTest, ProblemsAreBounded) {
  for (int i = 0; i < 300; ++i) builder_.Put(format::IndexFileKey(i, "worker_0"), "[]");
  const auto run = Read();
  EXPECT_EQ(run->problems().size(), Problems::kMost + 1);
  EXPECT_EQ(run->problems().back(), "200 more problems");
}

// Random bytes in place of parts of files: nothing crashes or hangs, and what is whole is shown.
TEST_F(RunSeriesTest, SurvivesRandomDamage) {
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    builder_.Tensors(i, 0, {{"a", FloatTensor({}, {1})}, {"b", FloatTensor({3}, {1, 2, 3})}});
    if (i < 20) continue;
    const std::string key = random() % 2 == 0 ? format::IndexFileKey(i, "worker_0")
                                              : format::EventFileKey(i, "worker_0");
    std::string text = storage::Text(*store_, key);
    for (int n = 0; n < 4; ++n) text[random() % text.size()] = static_cast<char>(random());
    if (random() % 4 == 0) text.resize(random() % text.size());
    builder_.Put(key, text);
  }
  const auto run = Read();
  EXPECT_GE(CurveOf(*run, "a").x.size(), 20u);
  EXPECT_GE(CurveOf(*run, "b", "mean").x.size(), 20u);
  EXPECT_LE(CurveOf(*run, "a").x.size(), 60u);
  EXPECT_EQ(run->progress().total, 60u);
}

TEST_F(RunSeriesTest, LargeTensorsOfOldStepsAreReadUpToALimit) {
  const auto large = FloatTensor({20'000}, std::vector<float>(20'000, 1));
  for (int i = 0; i < 20; ++i)
    builder_.Tensors(i, 0, {{"large", large}, {"s", FloatTensor({}, {1})}});
  const auto run = Read({.large_bytes = 400'000});
  EXPECT_EQ(CurveOf(*run, "s").x.size(), 20u);
  EXPECT_EQ(CurveOf(*run, "large", "mean").x.size(), 5u);
  EXPECT_EQ(run->problems().size(), 1u);
  builder_.Tensors(20, 0, {{"large", large}});
  EXPECT_TRUE(Eventually([&] { return CurveOf(*run, "large", "mean").x.size() == 6; }));
}

TEST_F(RunSeriesTest, ComparesTensorByTensor) {
  builder_.Manifests(1);
  os::TempFolder other_folder;
  const std::shared_ptr<storage::Store> other = storage::NewLocalStore(other_folder.path());
  trial::RunBuilder other_builder(other.get());
  for (int i = 0; i < 10; ++i) {
    const auto value = static_cast<float>(i);
    builder_.Step(i, 0, {{"same", value}, {"loss_output_0", value}, {"bad", 1}, {"mine", 1}});
    if (i % 2 != 0) continue;
    other_builder.Step(i, 0,
                       {{"same", value},
                        {"loss_output_0", i < 4 ? value : value * 2},
                        {"bad", i == 6 ? kFloatNaN : 1},
                        {"yours", 1}});
  }
  const auto a = Read();
  const RunSeries b(other);
  ASSERT_TRUE(b.WaitUntilRead(kLong));
  const Comparison comparison = Compare(*a, b, {});
  EXPECT_EQ(comparison.only_a, (std::vector<std::string>{"mine"}));
  EXPECT_EQ(comparison.only_b, (std::vector<std::string>{"yours"}));
  ASSERT_EQ(comparison.tensors.size(), 3u);
  for (const Difference& d : comparison.tensors) {
    EXPECT_EQ(d.steps, 5u);
    EXPECT_EQ(d.last_step, 8);
    if (d.tensor == "same") {
      EXPECT_EQ(d.difference, 0);
      EXPECT_FALSE(d.first);
    } else if (d.tensor == "loss_output_0") {
      EXPECT_EQ(d.difference, 0.5);
      EXPECT_EQ(d.first, 4);
      EXPECT_EQ(d.step, 4);
      EXPECT_EQ(d.a, 4);
      EXPECT_EQ(d.b, 8);
    } else {
      EXPECT_TRUE(std::isnan(d.difference));
      EXPECT_EQ(d.first, 6);
    }
  }
  EXPECT_EQ(Compare(*a, *a, {.statistic = kNans}).tensors.size(), 4u);
  EXPECT_EQ(Compare(*a, *a, {.collection = "losses"}).tensors.size(), 1u);
  EXPECT_TRUE(Compare(*a, *a, {.collection = "nothing"}).tensors.empty());
}

}  // namespace
}  // namespace warden::view
