#include "warden/capture/writer.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <thread>

#include "warden/format/event_message.h"
#include "warden/format/index_file.h"
#include "warden/format/layout.h"
#include "warden/format/record.h"
#include "warden/storage/fault_store.h"
#include "warden/storage/mem_store.h"
#include "warden/storage/storage_for_test.h"

namespace warden::capture {
namespace {

using Names = std::vector<std::string>;

constexpr StepIdentity kStep{7, Mode::kTrain, 3, 1.5};
const std::string kIndexKey = format::IndexFileKey(7, "worker_0");
const std::string kEventKey = format::EventFileKey(7, "worker_0");

WriterOptions Options(size_t staging_bytes, Overflow overflow = Overflow::kWait) {
  WriterOptions options;
  options.recorder.worker = "worker_0";
  options.staging_bytes = staging_bytes;
  options.overflow = overflow;
  return options;
}

SavePlan Raw() {
  SavePlan plan;
  plan.raw = true;
  return plan;
}

std::vector<float> Pattern(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.5F);
  return values;
}

class Tensor {
 public:
  explicit Tensor(size_t count) : values_(Pattern(count)), shape_{std::ssize(values_)} {}
  stats::TensorRef ref() const { return {values_.data(), DType::kFloat32, shape_}; }
  std::vector<float>& values() { return values_; }

 private:
  std::vector<float> values_;
  std::array<int64_t, 1> shape_;
};

// The values of each tensor of the step, as they are on disk.
std::vector<std::vector<float>> Written(const storage::Store& store) {
  const std::string text = storage::Text(store, kIndexKey);
  const std::string events = storage::Text(store, kEventKey);
  format::IndexParser parser;
  const auto index = parser.Parse(text);
  std::vector<std::vector<float>> all;
  if (!index.ok()) return all;
  for (const auto& entry : index.value()->entries) {
    const auto payload = format::ParseRecord(AsBytes(events).subspan(entry.start, entry.length));
    const auto event = format::ParseEvent(payload.value());
    const Bytes content = event.value().values.at(0).content;
    std::vector<float>& values = all.emplace_back(content.size() / sizeof(float));
    std::memcpy(values.data(), content.data(), content.size());
  }
  return all;
}

TEST(Writer, TensorsOfAnySizeComeOutWhole) {
  auto store = storage::NewMemStore();
  Writer writer(store.get(), nullptr, Options(size_t{4} << 20));
  // Small ones are gathered, large ones written from their copy, the last does not fit the staging
  // memory at all.
  const std::vector<size_t> counts = {1, 1000, 16384, 16385, 300000, 1 << 20, 3 << 20};
  Names names;
  for (const size_t count : counts) names.push_back("t" + std::to_string(count));
  writer.BeginStep(kStep);
  for (size_t i = 0; i < counts.size(); ++i) {
    Tensor tensor(counts[i]);
    writer.Save(names[i], tensor.ref(), Raw());
    tensor.values().assign(counts[i], -1);  // As an optimizer would.
  }
  writer.EndStep("manifest");
  ASSERT_TRUE(writer.Flush().ok());
  const auto written = Written(*store);
  ASSERT_EQ(written.size(), counts.size());
  for (size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(written[i], Pattern(counts[i])) << i;
  EXPECT_EQ(storage::Text(*store, format::ManifestKey("worker_0")), "manifest");
  EXPECT_EQ(writer.counters().saved_tensors, counts.size());
}

TEST(Writer, AStepThatWasNotEndedIsNotSeen) {
  auto store = storage::NewMemStore();
  {
    Writer writer(store.get(), nullptr, Options(0));
    writer.BeginStep(kStep);
    writer.Save("t", Tensor(1 << 20).ref(), Raw());
  }
  EXPECT_EQ(store->List("").value(), storage::Keys());
}

TEST(Writer, OrderIsKept) {
  auto store = storage::NewMemStore();
  Writer writer(store.get(), nullptr, Options(0));
  for (int i = 0; i < 100; ++i) writer.Put("key", std::to_string(i));
  ASSERT_TRUE(writer.Flush().ok());
  EXPECT_EQ(storage::Text(*store, "key"), "99");
}

// Nothing but the end of each step tells the thread of it.
TEST(Writer, StepsInQuickSuccessionComeOutByThemselves) {
  auto store = storage::NewMemStore();
  Writer writer(store.get(), nullptr, Options(size_t{4} << 20));
  const Tensor tensor(10);
  constexpr Step kSteps = 50;
  for (Step step = 0; step < kSteps; ++step) {
    writer.BeginStep({step, Mode::kTrain, step, 1.5});
    writer.Save("t", tensor.ref(), Raw());
    writer.EndStep(std::nullopt);
  }
  const auto is_last_there = [&] {
    return store->Exists(format::IndexFileKey(kSteps - 1, "worker_0"));
  };
  for (int i = 0; i < 10'000 && !is_last_there(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(is_last_there());
  ASSERT_TRUE(writer.Flush().ok());
  EXPECT_EQ(writer.counters().saved_steps, static_cast<uint64_t>(kSteps));
}

TEST(Writer, AFailureIsRememberedAndTheRestSwallowed) {
  auto base = storage::NewMemStore();
  storage::FaultStore store(base.get(), {.fail_from_write = 2});
  Writer writer(&store, nullptr, Options(1 << 20));
  for (int i = 0; i < 50; ++i) {
    writer.BeginStep({i, Mode::kTrain, i, 0});
    writer.Save("t", Tensor(1 << 18).ref(), Raw());
    writer.EndStep(std::nullopt);
  }
  EXPECT_EQ(writer.Flush().code(), Code::kIo);
  EXPECT_EQ(writer.status().code(), Code::kIo);
  EXPECT_EQ(base->List("").value(), storage::Keys());
}

// As after a checkpoint was loaded: the step is replaced or gone, never half the one and half the
// other.
TEST(Writer, AStepThatIsTakenAgainIsReplacedWhole) {
  const auto write = [](storage::Store* store) {
    Writer writer(store, nullptr, Options(4 << 20));
    for (const auto& [step, size] : {std::pair<Step, size_t>{7, 100}, {8, 1}, {7, 10}}) {
      writer.BeginStep({step, Mode::kTrain, step, 1.5});
      writer.Save("t", Tensor(size).ref(), Raw());
      writer.EndStep(std::nullopt);
    }
    return writer.Flush();
  };
  for (uint64_t n = 1;; ++n) {
    auto base = storage::NewMemStore();
    storage::FaultStore store(base.get(), {.fail_from_write = n});
    const bool whole = write(&store).ok();
    const std::string text = storage::Text(*base, kIndexKey);
    format::IndexParser parser;
    if (const auto index = parser.Parse(text); index.ok()) {
      EXPECT_EQ(index.value()->entries.at(0).length, storage::Text(*base, kEventKey).size())
          << "at write " << n;
    }
    if (whole) {
      EXPECT_EQ(Written(*base).at(0), Pattern(10));
      break;
    }
  }
}

TEST(Writer, AFolderThatIsRemovedUnderItCostsThatStepAlone) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("writer_test_" + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  auto store = storage::OpenStore(folder.native()).value();
  Writer writer(store.get(), nullptr, Options(4 << 20));
  writer.BeginStep({0, Mode::kTrain, 0, 0});
  writer.Save("t", Tensor(1 << 18).ref(), Raw());
  ASSERT_TRUE(writer.Flush().ok());
  std::filesystem::remove_all(folder);
  writer.Save("t", Tensor(1 << 18).ref(), Raw());
  writer.EndStep("manifest");
  writer.BeginStep(kStep);
  writer.Save("t", Tensor(10).ref(), Raw());
  writer.EndStep(std::nullopt);
  ASSERT_TRUE(writer.Flush().ok());
  EXPECT_EQ(writer.counters().failed, 1U);
  // What came with the step that was lost, and is given once only.
  EXPECT_EQ(storage::Text(*store, format::ManifestKey("worker_0")), "manifest");
  EXPECT_EQ(Written(*store).at(0), Pattern(10));
  std::filesystem::remove_all(folder);
}

TEST(Writer, AFailureOfTensorBoardCostsOnlyThat) {
  auto store = storage::NewMemStore();
  auto base = storage::NewMemStore();
  storage::FaultStore tensorboard(base.get(), {.fail_from_write = 1});
  WriterOptions options = Options(1 << 20);
  options.recorder.tensorboard = true;
  Writer writer(store.get(), &tensorboard, options);
  writer.BeginStep(kStep);
  writer.SaveScalar("scalar/lr", 0.1);
  writer.EndStep(std::nullopt);
  EXPECT_TRUE(writer.Flush().ok());
  EXPECT_TRUE(tensorboard.has_failed());
  EXPECT_TRUE(store->Exists(kIndexKey));
}

// Memory that is ready when it is told so.
class TestLender final : public Lender {
 public:
  TestLender(std::atomic<bool>* ready, std::atomic<bool>* gone) : ready_(ready), gone_(gone) {}
  ~TestLender() override { *gone_ = true; }
  Status Wait() override {
    ready_->wait(false);
    return Status();
  }

 private:
  std::atomic<bool>* const ready_;
  std::atomic<bool>* const gone_;
};

TEST(Writer, WhatIsLentIsReadWhenItIsReadyAndGivenBack) {
  auto store = storage::NewMemStore();
  Writer writer(store.get(), nullptr, Options(1 << 20));
  std::atomic<bool> ready = false;
  std::atomic<bool> gone = false;
  Tensor tensor(1000);
  writer.BeginStep(kStep);
  writer.Lend("t", Loan{tensor.ref(), std::make_shared<TestLender>(&ready, &gone)}, Raw());
  writer.EndStep(std::nullopt);
  EXPECT_FALSE(gone);
  tensor.values().assign(1000, 5);
  ready = true;
  ready.notify_all();
  ASSERT_TRUE(writer.Flush().ok());
  EXPECT_TRUE(gone);
  EXPECT_EQ(Written(*store).at(0), std::vector<float>(1000, 5));
}

// Takes the writer's thread with it.
class DeadlyLender final : public Lender {
 public:
  Status Wait() override { pthread_exit(nullptr); }
};

TEST(Writer, AKilledThreadHoldsNobodyUp) {
  auto store = storage::NewMemStore();
  Writer writer(store.get(), nullptr, Options(1 << 20));
  const Tensor tensor(1 << 17);
  writer.BeginStep(kStep);
  writer.Lend("t", Loan{tensor.ref(), std::make_shared<DeadlyLender>()}, Raw());
  for (int i = 0; i < 20; ++i) writer.Save("t", tensor.ref(), Raw());  // More than fits.
  writer.EndStep(std::nullopt);
  EXPECT_EQ(writer.Flush().code(), Code::kUnavailable);
}

// A store whose first write waits until it is let go.
class SlowStore final : public storage::Store {
 public:
  explicit SlowStore(storage::Store* base) : base_(base) {}
  void LetGo() { go_ = true; }

  std::string Locate(std::string_view key) const override { return base_->Locate(key); }
  Result<std::vector<std::string>> List(std::string_view prefix,
                                        std::string_view after) const override {
    return base_->List(prefix, after);
  }
  Result<std::shared_ptr<const storage::Object>> Open(std::string_view key) const override {
    return base_->Open(key);
  }
  bool Exists(std::string_view key) const override { return base_->Exists(key); }
  Result<std::unique_ptr<storage::ObjectWriter>> Create(std::string_view key) override {
    while (!go_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return base_->Create(key);
  }
  Status PutIfAbsent(std::string_view key, Bytes body) override {
    return base_->PutIfAbsent(key, body);
  }
  Status Remove(std::string_view key) override { return base_->Remove(key); }
  Result<std::unique_ptr<storage::Watch>> WatchPrefix(std::string_view prefix) const override {
    return base_->WatchPrefix(prefix);
  }

 private:
  storage::Store* base_;
  std::atomic<bool> go_ = false;
};

int64_t WaitsOfThisThread() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

TEST(Writer, WaitsForTheRoomOfManyTensorsAtOnce) {
  auto store = storage::NewMemStore();
  Writer writer(store.get(), nullptr, Options(size_t{4} << 20));
  const Tensor tensor(2048);
  SavePlan plan = Raw();
  plan.reductions.set();  // More work than the copy that is given.
  constexpr int64_t kTensors = 4000;
  writer.BeginStep(kStep);
  const int64_t before = WaitsOfThisThread();
  for (int64_t i = 0; i < kTensors; ++i) writer.Save("t", tensor.ref(), plan);
  EXPECT_LT(WaitsOfThisThread() - before, kTensors / 20);
  writer.EndStep(std::nullopt);
  ASSERT_TRUE(writer.Flush().ok());
  EXPECT_EQ(writer.counters().dropped, 0U);
}

TEST(Writer, DropsOnlyWhenAskedTo) {
  auto base = storage::NewMemStore();
  SlowStore store(base.get());
  Writer writer(&store, nullptr, Options(size_t{2} << 20, Overflow::kDrop));
  const Tensor tensor(1 << 18);
  writer.BeginStep(kStep);
  writer.Save("kept", tensor.ref(), Raw());
  writer.Save("dropped", tensor.ref(), Raw());
  writer.Save("dropped too", tensor.ref(), Raw());
  EXPECT_EQ(writer.counters().dropped, 2U) << "all staging memory waits for the store";
  store.LetGo();
  ASSERT_TRUE(writer.Flush().ok());
  writer.Save("kept again", tensor.ref(), Raw());
  writer.EndStep(std::nullopt);
  ASSERT_TRUE(writer.Flush().ok());
  EXPECT_EQ(Written(*base).size(), 2U);
}

}  // namespace
}  // namespace warden::capture
