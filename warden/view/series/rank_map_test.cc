#include "warden/view/series/rank_map.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/local_store.h"
#include "warden/trial/trial_for_test.h"
#include "warden/view/series/host_clock_reader.h"
#include "warden/view/series/rank_list.h"
#include "warden/view/series/rank_reader.h"
#include "warden/view/series/run_series.h"

namespace warden::view {
namespace {

using trial::FloatTensor;
using trial::MakeTensor;

class RanksTest : public testing::Test {
 protected:
  using Numbers = std::map<std::string, double>;

  void Save(Step step, int worker, const Numbers& numbers) {
    std::map<std::string, trial::TestTensor> tensors;
    for (const auto& [name, value] : numbers) {
      tensors[name] = MakeTensor<double>(DType::kFloat64, {1}, {value});
    }
    builder_.Tensors(step, worker, tensors, {.mode = Mode::kTrain});
  }
  void Facts(int worker, const std::string& facts) {
    builder_.Tensors(20, worker,
                     {{"training/facts", MakeTensor<uint8_t>(DType::kUInt8, {std::ssize(facts)},
                                                             {facts.begin(), facts.end()})}});
  }
  // A worker that is slow, or waits for that one, and whose clock is ahead by `clock`.
  void Times(Step step, int worker, double own, double longest, double clock) {
    Save(step, worker,
         {{"training/step_seconds", longest + 0.01},
          {"training/exchange_seconds", longest + 0.01 - own},
          {"training/loader_seconds", 0.002},
          {"training/exchange_end", 1.7e9 + static_cast<double>(step) + clock},
          {"CrossEntropyLoss_output_0", static_cast<double>(step * 10 + worker)}});
  }

  template <class Look>
  auto With(Look look) {
    if (!run_) {
      run_ = std::make_unique<RunSeries>(store_);
      EXPECT_TRUE(run_->WaitUntilRead(std::chrono::seconds(60)));
    }
    return run_->With(look);
  }

  os::TempFolder folder_;
  std::shared_ptr<storage::Store> store_ = storage::NewLocalStore(folder_.path());
  trial::RunBuilder builder_{store_.get()};
  std::unique_ptr<RunSeries> run_;
};

TEST_F(RanksTest, MedianTimesClocksAndTheSlowOne) {
  builder_.Manifests(3);
  for (Step step = 0; step < 9; ++step) {
    const double jitter = step % 2 == 0 ? 0.0005 : -0.0005;
    Times(step, 0, 0.02, 0.08, 0);
    Times(step, 1, 0.08, 0.08, 2.5 + jitter);
    Times(step, 2, 0.02, 0.08, -0.25);
  }
  const auto ranks = With([](const Table& table) { return ListRanks(table); });
  ASSERT_EQ(ranks.size(), 3u);
  EXPECT_EQ(ranks[1].worker, "worker_1");
  EXPECT_EQ(ranks[1].steps, 9);
  EXPECT_NEAR(*ranks[1].step, 0.09, 1e-9);
  EXPECT_NEAR(*ranks[1].own, 0.08, 1e-9);
  EXPECT_NEAR(*ranks[0].exchange, 0.07, 1e-9);
  EXPECT_NEAR(*ranks[0].loader, 0.002, 1e-9);
  EXPECT_FALSE(ranks[0].slow);
  EXPECT_TRUE(ranks[1].slow);
  EXPECT_EQ(ranks[0].clock->seconds, 0);
  EXPECT_NEAR(ranks[1].clock->seconds, 2.5005, 1e-6);
  EXPECT_LT(ranks[1].clock->error, 0.0011);
  EXPECT_NEAR(ranks[2].clock->seconds, -0.25, 1e-6);
  EXPECT_EQ(ranks[2].clock->exchanges, 9);
}

TEST_F(RanksTest, AreReadFromTheFilesOfARunWithTheirHosts) {
  builder_.Manifests(2);
  for (Step step = 0; step < 6; ++step) {
    Times(2 * step, 0, 0.02, 0.08, 0);
    Times(2 * step, 1, 0.08, 0.08, 2.5);
  }
  for (const int worker : {0, 1}) {
    Facts(worker, fmt::format(R"({{"host": "algo-{}"}})", worker + 1));
  }
  const auto trial = trial::Trial::Open(store_, trial::LookOptions());
  ASSERT_TRUE(trial.ok()) << trial.status().message();
  const auto ranks = ReadRanks(*trial.value());
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[0].host, "algo-1");
  EXPECT_EQ(ranks[1].host, "algo-2");
  const auto listed = With([](const Table& table) { return ListRanks(table); });
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(ranks[i].worker, listed[i].worker);
    EXPECT_EQ(ranks[i].steps, listed[i].steps);
    EXPECT_EQ(ranks[i].own, listed[i].own);
    EXPECT_EQ(ranks[i].exchange, listed[i].exchange);
    EXPECT_EQ(ranks[i].clock->seconds, listed[i].clock->seconds);
    EXPECT_EQ(ranks[i].slow, i == 1);
  }
}

TEST_F(RanksTest, MapsAreReadFromTheFilesOfARun) {
  builder_.Manifests(2);
  for (Step step = 0; step < 6; ++step) {
    Times(2 * step, 0, 0.02, 0.08, 0);
    Times(2 * step, 1, 0.08, 0.08, 2.5);
  }
  const auto trial = trial::Trial::Open(store_, trial::LookOptions());
  ASSERT_TRUE(trial.ok()) << trial.status().message();
  std::vector<RankMap> maps;
  ASSERT_EQ(ReadRanks(*trial.value(), &maps).size(), 2u);
  ASSERT_GE(maps.size(), 2u);
  EXPECT_EQ(maps[0].title, "Step time");
  EXPECT_EQ(maps[0].unit, "s");
  EXPECT_EQ(maps[0].steps, (std::vector<Step>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(maps[1].title, "Waiting for other ranks");
  ASSERT_EQ(maps[1].rows.size(), 2u);
  EXPECT_EQ(maps[1].rows[1].worker, "worker_1");
  EXPECT_EQ(maps[1].rows[1].values.size(), 6u);
  EXPECT_GT(*maps[1].rows[0].values[5], *maps[1].rows[1].values[5]);
}

TEST_F(RanksTest, ClocksOfHostsAreMovedWithEvidenceOnly) {
  builder_.Manifests(6);
  for (Step step = 0; step < 9; ++step) {
    const double jitter = step % 2 == 0 ? 0.0004 : -0.0004;
    const double spread = 0.0002 * static_cast<double>(step - 4);
    const double clocks[] = {0, 0.02, 0.0123 + jitter, 5, 0.0001 + spread, 0.003};
    for (int worker = 0; worker < 6; ++worker) {
      Times(step, worker, 0.02, 0.08, clocks[worker]);
    }
  }
  Facts(0, R"({"host": "a", "node": "algo-1", "boot": "1"})");
  Facts(1, R"({"host": "a", "node": "algo-1", "boot": "1"})");  // The host has its clock.
  Facts(2, R"({"host": "b", "node": "algo-2", "boot": "2"})");
  Facts(3, R"({"host": "b", "node": "algo-2", "boot": "2"})");
  Facts(4, R"({"host": "c", "boot": "3"})");  // Less than its error.
  Facts(5, R"({"host": "d", "boot": "1"})");  // On the same machine as the first.
  const auto trial = trial::Trial::Open(store_, trial::LookOptions());
  ASSERT_TRUE(trial.ok()) << trial.status().message();
  const timeline::HostClocks clocks = ReadHostClocks(*trial.value());
  ASSERT_EQ(clocks.size(), 1u);
  EXPECT_EQ(clocks[0].host, "b");
  EXPECT_EQ(clocks[0].metrics, "algo-2");
  EXPECT_NEAR(clocks[0].ahead_us, 12'700, 1);
  EXPECT_LE(clocks[0].error_us, 801);

  // They are asked for only where several hosts are merged.
  os::TempFolder profile;
  const std::string run = folder_.path();
  EXPECT_TRUE(HostClocksOf(run, profile.path()).empty());
  EXPECT_TRUE(HostClocksOf("", profile.path()).empty());
  const auto metrics = profile.path() / "system/incremental/2026010112";
  std::filesystem::create_directories(metrics);
  for (const char* node : {"algo-1", "algo-2"}) {
    std::ofstream(metrics / fmt::format("1767268800.{}.json", node));
  }
  EXPECT_EQ(HostClocksOf(run, profile.path()).size(), 1u);
  EXPECT_TRUE(HostClocksOf("/nowhere/at/all", profile.path()).empty());
}

TEST_F(RanksTest, ClocksNeedThreeExchanges) {
  builder_.Manifests(2);
  for (Step step = 0; step < 2; ++step) {
    Times(step, 0, 0.02, 0.08, 0);
    Times(step, 1, 0.02, 0.08, 1);
  }
  for (const int worker : {0, 1}) {
    Facts(worker, fmt::format(R"({{"host": "algo-{}"}})", worker + 1));
  }
  const auto clocks = [&] {
    const auto trial = trial::Trial::Open(store_, trial::LookOptions());
    return trial.ok() ? ReadHostClocks(*trial.value()) : timeline::HostClocks();
  };
  EXPECT_TRUE(clocks().empty());
  Times(2, 0, 0.02, 0.08, 0);
  Times(2, 1, 0.02, 0.08, 1);
  EXPECT_EQ(clocks().size(), 1u);
}

TEST_F(RanksTest, AreNotReadOfOneWorker) {
  builder_.Manifests(1);
  Times(0, 0, 0.02, 0.08, 0);
  const auto trial = trial::Trial::Open(store_, trial::LookOptions());
  ASSERT_TRUE(trial.ok()) << trial.status().message();
  EXPECT_TRUE(ReadRanks(*trial.value()).empty());
}

TEST_F(RanksTest, NobodyIsSlowAmongEquals) {
  builder_.Manifests(2);
  for (Step step = 0; step < 5; ++step) {
    Times(step, 0, 0.02, 0.022, 0);
    Times(step, 1, 0.022, 0.022, 0);
  }
  for (const Rank& rank : With([](const Table& table) { return ListRanks(table); })) {
    EXPECT_FALSE(rank.slow) << rank.worker;
  }
}

TEST_F(RanksTest, MapsHaveARowForEachWorkerByRank) {
  builder_.Manifests(11);
  for (Step step = 0; step < 4; ++step) {
    for (const int worker : {10, 2, 0}) Times(step, worker, 0.02, 0.02, 0);
  }
  const Heatmap map = With([](const Table& table) {
    return MakeRankMap(table, {.of = "tensor/CrossEntropyLoss_output_0", .columns = 2});
  });
  EXPECT_EQ(map.rows, (std::vector<std::string>{"worker_0", "worker_2", "worker_10"}));
  EXPECT_EQ(map.x, (std::vector<double>{0, 2}));
  EXPECT_EQ(map.last, 3);
  EXPECT_EQ(map.values, (std::vector<float>{10, 30, 12, 32, 20, 40}));
  EXPECT_EQ(With([](const Table& table) { return RankMeasures(table); }),
            (std::vector<std::string>{"step_seconds", "own_seconds", "exchange_seconds",
                                      "loader_seconds", "tensor/CrossEntropyLoss_output_0"}));
}

TEST_F(RanksTest, GradientsHaveOneNorm) {
  builder_.Manifests(2);
  for (const int worker : {0, 1}) {
    const float factor = static_cast<float>(worker + 1);
    builder_.Tensors(0, worker,
                     {{"gradient/a.weight", FloatTensor({2}, {3 * factor, 0})},
                      {"gradient/b.weight", FloatTensor({1}, {4 * factor})}});
    // Without one of them the norm is not known.
    builder_.Tensors(1, worker, {{"gradient/a.weight", FloatTensor({1}, {1})}});
  }
  const Heatmap map =
      With([](const Table& table) { return MakeRankMap(table, {.of = "gradient_norm"}); });
  EXPECT_EQ(map.x, (std::vector<double>{0}));
  EXPECT_EQ(map.values, (std::vector<float>{5, 10}));
  EXPECT_EQ(With([](const Table& table) { return RankMeasures(table); }),
            std::vector<std::string>{"gradient_norm"});
}

TEST_F(RanksTest, WhatWasNotSavedIsMissing) {
  builder_.Manifests(2);
  Save(0, 0, {{"training/step_seconds", 0.5}});
  Save(0, 1, {{"other", 0.5}});
  const auto ranks = With([](const Table& table) { return ListRanks(table); });
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[0].step, 0.5);
  EXPECT_FALSE(ranks[0].own || ranks[0].clock || ranks[1].step);
  EXPECT_TRUE(With([](const Table& table) { return RankMeasures(table); }).empty());
  EXPECT_TRUE(
      With([](const Table& table) { return MakeRankMap(table, {.of = "unknown"}); }).rows.empty());
}

}  // namespace
}  // namespace warden::view
