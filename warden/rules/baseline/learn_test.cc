#include "warden/rules/baseline/learn.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "warden/os/temp_folder_for_test.h"
#include "warden/rules/baseline/runs_for_test.h"

namespace warden::rules {
namespace {

class LearnTest : public testing::Test {
 protected:
  Baseline Learn(const std::vector<TestTraining>& trainings) {
    std::vector<std::string> runs;
    for (const TestTraining& training : trainings) {
      runs.push_back(folder_.File("run" + std::to_string(runs.size())));
      WriteTrainingRun(runs.back(), training);
    }
    size_t seen = 0;
    auto baseline = LearnBaseline(runs, [&](size_t run) { EXPECT_EQ(run, seen++); });
    EXPECT_TRUE(baseline.ok()) << baseline.status().message();
    EXPECT_EQ(seen, runs.size());
    return baseline.ok() ? std::move(baseline.value()) : Baseline();
  }
  static const BandSeries& SeriesOf(const Baseline& baseline, std::string_view tensor,
                                    BandStatistic statistic) {
    for (const TensorBands& one : baseline.tensors) {
      if (one.tensor != tensor) continue;
      for (const BandSeries& series : one.series) {
        if (series.statistic == statistic) return series;
      }
    }
    ADD_FAILURE() << tensor << " has no " << KeyOf(statistic);
    static const BandSeries none;
    return none;
  }

  const os::TempFolder folder_;
};

TEST_F(LearnTest, EveryTensorHasARangeInEveryPhase) {
  const Baseline baseline = Learn({{.seed = 1}, {.seed = 2}});
  EXPECT_EQ(baseline.last_step, 119);
  EXPECT_EQ(baseline.runs.size(), 2u);
  EXPECT_EQ(baseline.tensors.size(), 5u);
  const BandSeries& norm = SeriesOf(baseline, "Net_a.weight", BandStatistic::kNorm);
  for (const auto& band : norm.bands) {
    ASSERT_TRUE(band);
    EXPECT_LT(band->low, 0.5);
    EXPECT_GT(band->high, 0.8);
    EXPECT_LT(band->high, 5);
  }
  const BandSeries& loss = SeriesOf(baseline, kLoss, BandStatistic::kValue);
  EXPECT_EQ(loss.side, BandSide::kAbove);
  EXPECT_GT(loss.bands.front()->high, 2 * loss.bands.back()->high);
}

TEST_F(LearnTest, WhatAnotherSeedGivesIsInside) {
  const Baseline baseline = Learn({{.seed = 1}});
  const TestTraining other{.seed = 5};
  for (Step step = 0; step < other.steps; ++step) {
    const size_t phase = *baseline.PhaseOf(step);
    const auto loss = TrainingTensors(other, step).at(kLoss);
    float value = 0;
    std::copy_n(loss.bytes.data(), sizeof(value), reinterpret_cast<char*>(&value));
    EXPECT_EQ(SeriesOf(baseline, kLoss, BandStatistic::kValue).Distance(phase, value), 0) << step;
  }
}

TEST_F(LearnTest, RunsThatDifferHaveWiderRanges) {
  const Baseline close = Learn({{.seed = 1}, {.seed = 2}});
  const Baseline apart = Learn({{.seed = 1}, {.seed = 2, .weights = 4}});
  const auto width = [](const Baseline& baseline) {
    const Band band = *SeriesOf(baseline, "Net_a.weight", BandStatistic::kNorm).bands.back();
    return band.high / band.low;
  };
  EXPECT_GT(width(apart), 4 * width(close));
}

TEST_F(LearnTest, TensorsThatAreAlwaysZeroHaveNoRange) {
  const Baseline baseline = Learn({{.seed = 1, .gradients = 0}});
  EXPECT_TRUE(std::none_of(baseline.tensors.begin(), baseline.tensors.end(),
                           [](const auto& one) { return one.tensor.starts_with("gradient/"); }));
}

TEST_F(LearnTest, ParametersOfOneNumberHaveNoRange) {
  const std::string run = folder_.File("single");
  auto store = storage::OpenStore(run);
  trial::RunBuilder builder(store.value().get());
  builder.Manifests(1);
  for (Step step = 0; step < 20; ++step) {
    builder.Tensors(step, 0,
                    {{"Net_a.bias", FloatTensor({1}, {0.5f})},
                     {"Net_b.bias", FloatTensor({2}, {0.5f, 0.25f})}});
  }
  const auto baseline = LearnBaseline({run}, nullptr);
  ASSERT_TRUE(baseline.ok()) << baseline.status().message();
  ASSERT_EQ(baseline.value().tensors.size(), 1u);
  EXPECT_EQ(baseline.value().tensors[0].tensor, "Net_b.bias");
}

TEST_F(LearnTest, LossesThatMayBeNegativeAreComparedByTheirDifference) {
  const Baseline baseline = Learn({{.seed = 1, .loss = -1}});
  EXPECT_FALSE(SeriesOf(baseline, kLoss, BandStatistic::kValue).scale.logarithmic);
}

TEST_F(LearnTest, RunsThatCannotBeReadAreNamed) {
  EXPECT_FALSE(LearnBaseline({}, nullptr).ok());
  const auto none = LearnBaseline({folder_.File("none")}, nullptr);
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.status().message().find("none"), std::string::npos);
  WriteTrainingRun(folder_.File("empty"), {.steps = 0});
  const auto empty = LearnBaseline({folder_.File("empty")}, nullptr);
  ASSERT_FALSE(empty.ok());
  EXPECT_NE(empty.status().message().find("empty"), std::string::npos);
}

}  // namespace
}  // namespace warden::rules
