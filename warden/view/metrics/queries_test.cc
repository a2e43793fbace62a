#include "warden/view/metrics/queries.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warden::view {
namespace {

constexpr double kStart = 1'700'000'000;

format::MetricLine Core(std::string_view name, double value, double time) {
  return {"cpu", name, "CPUUtilization", value, "algo-1", time};
}

// A core that counts from 0 to 99 again and again, once a second.
NodeTable Counting(size_t moments) {
  NodeTable node("algo-1");
  for (size_t i = 0; i < moments; ++i) {
    EXPECT_TRUE(
        node.Add(Core("cpu0", static_cast<double>(i % 100), kStart + static_cast<double>(i))));
  }
  node.Pause();
  return node;
}

TEST(NodeTable, LinesOfOneMomentStandTogether) {
  NodeTable node("algo-1");
  EXPECT_TRUE(node.Add(Core("cpu0", 10, kStart)));
  EXPECT_TRUE(node.Add(Core("cpu1", 30, kStart + 0.01)));
  EXPECT_TRUE(node.Add(Core("cpu0", 50, kStart + 0.015)));  // Repeated: another moment.
  EXPECT_TRUE(node.Add(Core("cpu1", 70, kStart + 1)));
  node.Pause();
  ASSERT_EQ(node.size(), 3);
  EXPECT_EQ(node.whole(Whole::kCpu).At(0), 20);
  EXPECT_EQ(node.whole(Whole::kCpu).At(1), 50);
  EXPECT_TRUE(std::isnan(node.Find("cpu/cpu1/CPUUtilization")->At(1)));
  EXPECT_EQ(node.Find("cpu/cpu1/CPUUtilization")->At(2), 70);
}

TEST(NodeTable, PassesNonsenseOver) {
  NodeTable node("algo-1");
  EXPECT_TRUE(node.Add(Core("cpu0", 1, kStart)));
  node.Pause();
  EXPECT_FALSE(node.Add(Core("cpu0", 1, kStart - 10)));
  EXPECT_FALSE(node.Add(Core("cpu0", 1, -5)));
  EXPECT_FALSE(node.Add(Core("cpu0", 1, 1e300)));
  EXPECT_FALSE(node.Add(Core("cpu0", 1e35, kStart + 1)));
  EXPECT_FALSE(node.Add(Core("cpu0", NAN, kStart + 1)));
  node.Pause();
  EXPECT_EQ(node.size(), 1);
  for (int i = 0; i < 5000; ++i) {
    const std::string name = "cpu" + std::to_string(i);
    EXPECT_EQ(node.Add(Core(name, 1, kStart + 1)), i < 4096);
  }
}

TEST(NodeTable, KeysAreUnlikeEachOther) {
  NodeTable node("algo-1");
  node.Add({"a", "b/c", "d", 1, "algo-1", kStart});
  node.Add({"a/b", "c", "d", 2, "algo-1", kStart});
  node.Pause();
  EXPECT_EQ(node.Find("a/b/c/d")->At(0), 1);
  EXPECT_EQ(node.Find("a/b/c/d#2")->At(0), 2);
  EXPECT_EQ(node.Find("a"), nullptr);
}

TEST(SeriesOf, ShowsEveryMomentWhereThereIsRoom) {
  const NodeTable node = Counting(300);
  const MetricSeries series = SeriesOf(node, *node.Find("cpu"), {kStart + 10, kStart + 20}, 100);
  ASSERT_EQ(series.x.size(), 13);  // One outside on each side.
  EXPECT_EQ(series.x.front(), kStart + 9);
  EXPECT_EQ(series.x.back(), kStart + 21);
  EXPECT_EQ(series.low[1], 10);
  EXPECT_EQ(series.high[1], 10);
}

TEST(SeriesOf, KeepsTheExtremesOfWhatItJoins) {
  const NodeTable node = Counting(10'000);
  const TimeWindow all{kStart, kStart + 1e6};
  const MetricSeries series = SeriesOf(node, *node.Find("cpu"), all, 50);
  ASSERT_LE(series.x.size(), 50);
  EXPECT_GT(series.x.size(), 45);
  EXPECT_GT(series.moments_per_point, 100);
  for (size_t i = 0; i + 1 < series.x.size(); ++i) {
    EXPECT_EQ(series.low[i], 0);
    EXPECT_EQ(series.high[i], 99);
    EXPECT_NEAR(series.mean[i], 49.5, 2);
  }
}

TEST(SeriesOf, TellsThatNothingWasMeasured) {
  NodeTable node("algo-1");
  for (const double after : {0, 1, 2, 3, 100, 101, 102}) node.Add(Core("cpu0", 5, kStart + after));
  node.Pause();
  const MetricSeries series = SeriesOf(node, *node.Find("cpu"), {kStart, kStart + 200}, 100);
  ASSERT_EQ(series.x.size(), 8);
  EXPECT_TRUE(std::isnan(series.mean[4]));
  EXPECT_GT(series.x[4], kStart + 3);
  EXPECT_LT(series.x[4], kStart + 100);
}

TEST(SeriesOf, TellsSoAlsoInTheMiddleOfAPoint) {
  NodeTable node("algo-1");
  for (int i = 0; i < 1000; ++i) node.Add(Core("cpu0", 5, kStart + i + (i < 555 ? 0 : 50'000)));
  node.Pause();
  const MetricSeries series = SeriesOf(node, *node.Find("cpu"), {kStart, kStart + 1e6}, 20);
  ASSERT_LE(series.x.size(), 20);
  EXPECT_EQ(std::count_if(series.mean.begin(), series.mean.end(),
                          [](float mean) { return std::isnan(mean); }),
            1);
  for (const double x : series.x) EXPECT_TRUE(x < kStart + 600 || x > kStart + 20'000);
}

TEST(SeriesOf, IsEmptyOutsideAndForNoPoints) {
  const NodeTable node = Counting(10);
  EXPECT_EQ(SeriesOf(node, *node.Find("cpu"), {kStart, kStart + 5}, 0).x.size(), 0);
  EXPECT_LE(SeriesOf(node, *node.Find("cpu"), {kStart + 100, kStart + 50}, 10).x.size(), 1);
  const NodeTable none("algo-2");
  EXPECT_EQ(SeriesOf(none, *none.Find("cpu"), {0, 1}, 10).x.size(), 0);
}

TEST(PercentilesOf, AreThoseOfNumPy) {
  const NodeTable node = Counting(100);
  const Percentiles all = PercentilesOf(node, *node.Find("cpu"), {kStart, kStart + 99});
  EXPECT_EQ(all.max, 99);
  EXPECT_NEAR(*all.p99, 98.01, 1e-9);
  EXPECT_NEAR(*all.p95, 94.05, 1e-9);
  EXPECT_NEAR(*all.p50, 49.5, 1e-9);
  EXPECT_EQ(all.min, 0);
  const Percentiles some = PercentilesOf(node, *node.Find("cpu"), {kStart + 10, kStart + 12});
  EXPECT_EQ(some.max, 12);
  EXPECT_EQ(some.p50, 11);
  EXPECT_FALSE(PercentilesOf(node, *node.Find("gpu"), {0, 1e12}).p50.has_value());
}

TEST(HeatmapOf, HasEveryCoreThenEveryGpu) {
  NodeTable node("algo-1");
  for (int i = 0; i < 100; ++i) {
    const double time = kStart + i;
    node.Add(Core("cpu10", 3, time));
    node.Add(Core("cpu2", i < 50 ? 0 : 100, time));
    node.Add({"gpu", "gpu0", "GPUUtilization", 42, "algo-1", time});
  }
  node.Pause();
  const HeatRows map = HeatmapOf(node, {kStart, kStart + 100}, 4);
  ASSERT_EQ(map.rows.size(), 3);
  EXPECT_EQ(map.rows[0].name, "cpu2");
  EXPECT_EQ(map.rows[1].name, "cpu10");
  EXPECT_TRUE(map.rows[2].gpu);
  EXPECT_EQ(map.x, (std::vector<double>{kStart, kStart + 25, kStart + 50, kStart + 75}));
  EXPECT_EQ(map.values, (std::vector<float>{0, 0, 100, 100, 3, 3, 3, 3, 42, 42, 42, 42}));
  // No cell is shorter than the distance of two moments.
  EXPECT_EQ(HeatmapOf(node, {kStart, kStart + 3}, 500).x.size(), 3);
  EXPECT_EQ(HeatmapOf(node, {kStart, kStart}, 500).x.size(), 0);
}

TEST(IntervalOf, IsTheUsualDistance) {
  EXPECT_FALSE(IntervalOf(Counting(1)).has_value());
  EXPECT_EQ(IntervalOf(Counting(50)), 1);
}

TEST(NodeTable, GivesUpTheOldestDetail) {
  NodeTable node = Counting(20'000);
  const size_t before = node.bytes();
  const float mean = node.Find("cpu")->Range(0, 20'000).mean();
  for (int i = 0; i < 4; ++i) node.GiveUp(0);
  EXPECT_LT(node.bytes(), before / 2);
  EXPECT_EQ(node.DetailAt(0), 16);
  EXPECT_EQ(node.DetailAt(19'999), 1);
  EXPECT_EQ(node.TimeAt(5), kStart + 5);  // Between those that are known.
  EXPECT_EQ(node.MomentAt(kStart + 5), 5);
  EXPECT_EQ(node.Find("cpu")->Range(0, 20'000).mean(), mean);
  const MetricSeries series = SeriesOf(node, *node.Find("cpu"), {kStart, kStart + 100}, 1000);
  EXPECT_EQ(series.moments_per_point, 16);
  EXPECT_EQ(series.high[0], 15);
}

}  // namespace
}  // namespace warden::view
