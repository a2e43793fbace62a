#include "warden/view/series/series_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "warden/view/series/curve.h"
#include "warden/view/series/heatmap.h"

namespace warden::view {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A step in which tensor i of `values` has the i-th value.
StepData DataOf(Step step, const std::vector<double>& values, Mode mode = Mode::kGlobal,
                Step mode_step = 0) {
  StepData data;
  data.step = step;
  data.mode = mode;
  data.mode_step = mode_step;
  data.time = static_cast<double>(step);
  for (TensorId i = 0; i < values.size(); ++i) {
    data.saved.push_back(i);
    data.cells.push_back({i, kValue, values[i]});
  }
  return data;
}

class TableTest : public testing::Test {
 protected:
  void Describe(Table* table, size_t tensors) {
    StepData data = DataOf(0, {});
    for (TensorId i = 0; i < tensors; ++i) {
      data.described.push_back(
          {.tensor = i, .name = "t" + std::to_string(i), .dtype = {}, .shape = {}});
    }
    worker_ = table->AddWorker("worker_0");
    table->AddSteps(std::vector<Step>{0});
    table->Add(worker_, data);
  }
  void Add(Table* table, Step step, const std::vector<double>& values, Mode mode = Mode::kGlobal,
           Step mode_step = 0) {
    table->AddSteps(std::vector<Step>{step});
    table->Add(worker_, DataOf(step, values, mode, mode_step));
  }
  static Curve CurveOf(const Table& table, std::string_view tensor, StepRange range = {},
                       size_t most = 1000, Statistic statistic = kValue) {
    const SlotAxis axis(table, range);
    return MakeCurve(table, PointsOf(table, *table.Find(tensor), {statistic}, axis), most);
  }

  WorkerId worker_ = 0;
};

using Numbers = std::vector<double>;

TEST_F(TableTest, ALateStepTakesItsPlaceAmongOthers) {
  Table table(1 << 20);
  Describe(&table, 1);
  for (const Step step : {10, 30, 20, 5, 40}) Add(&table, step, {static_cast<double>(step)});
  const Curve curve = CurveOf(table, "t0");
  EXPECT_EQ(curve.x, (Numbers{5, 10, 20, 30, 40}));
  EXPECT_EQ(curve.low, curve.x);
  EXPECT_EQ(curve.high, curve.x);
  EXPECT_EQ(curve.steps_per_point, 1u);
}

TEST_F(TableTest, ARewrittenStepReplacesWhatWasThere) {
  Table table(1 << 20);
  Describe(&table, 2);
  Add(&table, 1, {1, 2});
  table.Forget(worker_, 1);
  Add(&table, 1, {3});
  EXPECT_EQ(CurveOf(table, "t0").low, (Numbers{3}));
  EXPECT_TRUE(CurveOf(table, "t1").x.empty());
  EXPECT_EQ(table.Find("t0")->saved[0].steps, 1);
  EXPECT_EQ(table.Find("t1")->saved[0].steps, 0);
}

TEST_F(TableTest, AStepOfTextIsCountedOnceHoweverOftenItIsRead) {
  Table table(1 << 20);
  Describe(&table, 1);
  StepData text = DataOf(1, {});
  text.saved = {0};
  table.AddSteps(std::vector<Step>{1});
  const size_t before = table.bytes();
  table.Add(worker_, text);
  const size_t after = table.bytes();
  for (int i = 0; i < 3; ++i) {
    table.Forget(worker_, 1);
    table.Add(worker_, text);
  }
  EXPECT_EQ(table.Find("t0")->saved[0].steps, 1);
  EXPECT_EQ(table.bytes(), after);
  table.Forget(worker_, 1);
  EXPECT_EQ(table.Find("t0")->saved[0].steps, 0);
  EXPECT_LT(before, after);
}

TEST_F(TableTest, TextTakesNoMemoryForEver) {
  constexpr size_t kBudget = 64 << 10;
  Table table(kBudget);
  Describe(&table, 1);
  for (Step step = 0; step < 20'000; ++step) {
    StepData text = DataOf(step, {});
    text.saved = {0};
    table.AddSteps(std::vector<Step>{step});
    table.Add(worker_, text);
  }
  EXPECT_LE(table.bytes(), kBudget);
  EXPECT_EQ(table.Find("t0")->saved[0].steps, 20'000);
}

TEST_F(TableTest, StepsAreJoinedWhereMemoryEnds) {
  constexpr size_t kBudget = 64 << 10;
  Table table(kBudget);
  Describe(&table, 4);
  constexpr int kSteps = 20'000;
  for (int i = 0; i < kSteps; ++i) {
    const double spike = i == 7777 ? 1e6 : std::sin(i);
    Add(&table, i, {spike, std::cos(i), -spike, 1});
  }
  EXPECT_LE(table.bytes(), kBudget);
  EXPECT_GT(table.steps_per_slot(), 1u);
  EXPECT_EQ(table.left_out(), 0u);
  const Curve curve = CurveOf(table, "t0", {}, 4000);
  EXPECT_GE(curve.steps_per_point, table.steps_per_slot());
  EXPECT_EQ(*std::ranges::max_element(curve.high), 1e6);
  const Curve mirrored = CurveOf(table, "t2", {}, 4000);
  EXPECT_EQ(*std::ranges::min_element(mirrored.low), -1e6);
  EXPECT_EQ(curve.x.front(), 0);
  EXPECT_TRUE(std::ranges::is_sorted(curve.x));
  EXPECT_GT(curve.x.back(), kSteps - 2.0 * static_cast<double>(curve.steps_per_point));
}

TEST_F(TableTest, JoinedStepsStillKnowTheirModes) {
  Table table(16 << 10);
  Describe(&table, 2);
  // Every tenth step evaluates, with a loss that is a hundred times larger.
  for (int i = 0; i < 5'000; ++i) {
    const bool eval = i % 10 == 9;
    Add(&table, i, {eval ? 100.5 + i : 0.5, std::sin(i)}, eval ? Mode::kEval : Mode::kTrain,
        eval ? i / 10 : i - i / 10);
  }
  ASSERT_GT(table.steps_per_slot(), 1u);
  const Curve train = CurveOf(table, "t0", {.mode = Mode::kTrain});
  EXPECT_EQ(*std::ranges::max_element(train.high), 0.5);
  const Curve eval = CurveOf(table, "t0", {.mode = Mode::kEval});
  EXPECT_GE(*std::ranges::min_element(eval.low), 100.5);
  EXPECT_LT(eval.x.back(), 500);
  const Curve all = CurveOf(table, "t0");
  EXPECT_EQ(*std::ranges::min_element(all.low), 0.5);
  EXPECT_GE(*std::ranges::max_element(all.high), 5'000);
}

TEST_F(TableTest, ManyNamesCannotFillTheMemory) {
  constexpr size_t kBudget = 256 << 10;
  Table table(kBudget);
  constexpr size_t kTensors = 5'000;
  Describe(&table, kTensors);
  Numbers values(kTensors);
  std::iota(values.begin(), values.end(), 0.25);
  const size_t names = table.bytes();
  for (Step step = 1; step < 200; ++step) Add(&table, step, values);
  EXPECT_GT(table.left_out(), 0u);
  EXPECT_LT(table.bytes(), 2 * (names + kBudget));
}

TEST_F(TableTest, ACurveHasAtMostSoManyPointsAndHidesNoExtreme) {
  Table table(1 << 20);
  Describe(&table, 1);
  for (int i = 0; i < 10'000; ++i) {
    Add(&table, 10 * i, {i == 4321 ? -5.0 : i == 4322 ? 5.0 : i == 17 ? kNaN : 1.0});
  }
  for (const size_t most : {2u, 3u, 100u, 999u, 4000u}) {
    const Curve curve = CurveOf(table, "t0", {}, most);
    EXPECT_LE(curve.x.size(), most);
    EXPECT_GE(curve.x.size(), most / 3);
    EXPECT_EQ(*std::ranges::min_element(curve.low), -5);
    EXPECT_EQ(*std::ranges::max_element(curve.high), 5);
    EXPECT_EQ(curve.nans, 1u);
  }
  const Curve close = CurveOf(table, "t0", {.from = 43'200, .to = 43'230});
  EXPECT_EQ(close.x, (Numbers{43'200, 43'210, 43'220, 43'230}));
  EXPECT_EQ(close.low, (Numbers{1, -5, 5, 1}));
  EXPECT_EQ(close.steps_per_point, 1u);
  EXPECT_TRUE(CurveOf(table, "t0", {.from = 5, .to = 6}).x.empty());
  EXPECT_TRUE(CurveOf(table, "t0", {.from = 7, .to = 2}).x.empty());
}

// A mode's own steps are whatever the files say, and a chart needs them in order.
TEST_F(TableTest, ModeStepsThatRunBackwardsAreShownInOrder) {
  Table table(1 << 20);
  Describe(&table, 1);
  for (int i = 0; i < 3'000; ++i) Add(&table, i, {1.0 * i}, Mode::kTrain, 3'000 - i);
  const Curve curve = CurveOf(table, "t0", {.mode = Mode::kTrain}, 100);
  EXPECT_LE(curve.x.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(curve.x));
  EXPECT_EQ(curve.high.front(), 2'999);
}

TEST_F(TableTest, OtherStatisticsFollowFromAValue) {
  Table table(1 << 20);
  Describe(&table, 1);
  Add(&table, 0, {-2});
  Add(&table, 1, {kNaN});
  Add(&table, 2, {0});
  const auto of = [&](std::string_view name) {
    return CurveOf(table, "t0", {}, 100, *ParseStatistic(name)).low;
  };
  EXPECT_EQ(of("min")[0], -2);
  EXPECT_EQ(of("abs_mean")[0], 2);
  EXPECT_EQ(of("l2")[0], 2);
  EXPECT_EQ(of("std")[0], 0);
  EXPECT_EQ(of("nans"), (Numbers{0, 1, 0}));
  EXPECT_EQ(of("infs"), (Numbers{0, 0, 0}));
  EXPECT_EQ(of("zeros"), (Numbers{0, 0, 1}));
  EXPECT_EQ(StatisticsOf(*table.Find("t0")).size(), kStatistics);
  EXPECT_EQ(StatisticsOf(*table.Find("t0")).front(), kValue);
}

TEST_F(TableTest, HeatmapHasTheValueFarthestFromZeroOfEachCell) {
  Table table(1 << 20);
  Describe(&table, 3);
  for (int i = 0; i < 1'000; ++i) {
    Numbers values = {i == 501 ? -9.0 : 1.0};
    // The second tensor is saved now and then, the third never.
    if (i % 100 == 0) values.push_back(i == 300 ? kNaN : 2);
    Add(&table, i, values);
  }
  HeatmapWanted wanted;
  for (const TensorEntry& tensor : table.tensors()) wanted.tensors.push_back(&tensor);
  wanted.columns = 10;
  const Heatmap map = MakeHeatmap(table, wanted);
  EXPECT_EQ(map.rows, (std::vector<std::string>{"t0", "t1"}));
  EXPECT_EQ(map.x, (Numbers{0, 100, 200, 300, 400, 500, 600, 700, 800, 900}));
  EXPECT_EQ(map.last, 999);
  ASSERT_EQ(map.values.size(), 20u);
  EXPECT_EQ(map.values[5], -9);
  EXPECT_EQ(map.values[6], 1);
  EXPECT_EQ(map.values[10], 2);
  EXPECT_TRUE(std::isnan(map.values[13]));
  EXPECT_EQ(map.nans[13], 1);
  EXPECT_EQ(map.nans[12], 0);

  // Of the second alone, columns are its own steps, not the hundreds between them.
  wanted.tensors = {table.Find("t1")};
  wanted.columns = 500;
  EXPECT_EQ(MakeHeatmap(table, wanted).x.size(), 10u);
  wanted.range = {.from = 250, .to = 350};
  EXPECT_EQ(MakeHeatmap(table, wanted).x, (Numbers{300}));
  wanted.tensors.clear();
  EXPECT_TRUE(MakeHeatmap(table, wanted).values.empty());
}

TEST_F(TableTest, HeatmapHasAllRowsOfALargeModel) {
  Table table(1 << 26);
  Describe(&table, 5'000);
  for (int i = 0; i < 2; ++i) Add(&table, i, Numbers(5'000, 1.0));
  HeatmapWanted wanted;
  for (const TensorEntry& tensor : table.tensors()) wanted.tensors.push_back(&tensor);
  const Heatmap map = MakeHeatmap(table, wanted);
  EXPECT_EQ(map.rows.size(), 5'000u);
  EXPECT_EQ(map.left_out, 0u);
  EXPECT_EQ(map.values.size(), 10'000u);
}

}  // namespace
}  // namespace warden::view
