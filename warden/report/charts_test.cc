#include "warden/report/charts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "warden/base/json.h"

namespace warden::report {
namespace {

TEST(ChartsTest, APieGathersWhatIsBeyondItsSlices) {
  const Chart chart = PieChart("Time", {{"a", 50}, {"b", 30}, {"c", 15}, {"d", 5}}, {.most = 3});
  EXPECT_EQ(chart.summary, "a 50 %, b 30 %, 2 others 20 %.");
  ASSERT_EQ(chart.table.rows.size(), 3u);
  EXPECT_EQ(chart.table.rows[2], (std::vector<std::string>{"2 others", "20.0"}));
  EXPECT_EQ((*chart.data)["slices"][2],
            (Json{{"label", "2 others"}, {"value", 20.0}, {"others", 2}}));
  EXPECT_FALSE(chart.data->contains("unit"));
  EXPECT_FALSE(chart.data->contains("top"));
}

TEST(ChartsTest, APieHasItsValuesNextToTheShares) {
  const Chart chart =
      PieChart("Time", {{"a", 1.5}, {"b", 0.0005}}, {.most = 20, .unit = "s", .top = 15});
  EXPECT_EQ((*chart.data)["unit"], "s");
  EXPECT_EQ((*chart.data)["top"], 15);
  EXPECT_FALSE((*chart.data)["slices"][1].contains("others"));
  EXPECT_EQ(chart.table.columns, (std::vector<std::string>{"name", "time (s)", "share (%)"}));
  EXPECT_EQ(chart.table.numeric, (std::vector<bool>{false, true, true}));
  EXPECT_EQ(chart.table.rows[1], (std::vector<std::string>{"b", "0.0005", "0.0"}));
}

TEST(ChartsTest, AHistogramIsInPercent) {
  const Chart chart = HistogramChart(
      "Durations", "seconds", {{"algo-1", {0.0, 1.0, 2.0}, {1.0, 3.0}}, {"broken", {0.0}, {1.0}}});
  ASSERT_EQ((*chart.data)["series"].size(), 1u);
  EXPECT_EQ((*chart.data)["series"][0]["percents"], (Json{25.0, 75.0}));
  EXPECT_EQ(chart.summary, "algo-1: most often between 1 and 2.");
}

TEST(ChartsTest, AHistogramWithoutValuesHasNoSeries) {
  const Chart chart = HistogramChart("Durations", "seconds", {{"a", {0.0, 1.0}, {0.0}}});
  EXPECT_TRUE((*chart.data)["series"].empty());
}

TEST(ChartsTest, GapsInLinesAreNull) {
  LinesLook look;
  look.unit = "%";
  look.origin = 100;
  const Chart chart = LinesChart(
      "CPU", "%", {{.name = "algo-1", .start = 100, .interval = 60, .values = {5.0, {}, 7.0}}},
      look);
  EXPECT_EQ((*chart.data)["series"][0]["y"], (Json{5.0, nullptr, 7.0}));
  EXPECT_EQ(chart.summary, "algo-1: from 5 % to 7 %.");
  ASSERT_EQ(chart.table.rows.size(), 2u);
  EXPECT_EQ(chart.table.rows[1], (std::vector<std::string>{"algo-1", "2 min 00 s", "7.0"}));
}

TEST(ChartsTest, TablesOfLongSeriesAreShort) {
  const Line line = {.name = "a", .start = 0, .interval = 1, .values = Values(100000, 1.0)};
  EXPECT_LE(LinesChart("CPU", "%", {line}, {}).table.rows.size(), 61u);
}

TEST(ChartsTest, AHeatmapTellsTheMeanOfEachRow) {
  const Chart chart = HeatmapChart("Use", {{"gpu0", {0.0, 50.0, {}}}}, 0, 1, 0);
  EXPECT_EQ(chart.summary, "gpu0: 25 % on average.");
  EXPECT_EQ((*chart.data)["rows"][0]["values"], (Json{0, 50.0, nullptr}));
}

TEST(ChartsTest, AMapOfStepsKeepsWhatIsNotFiniteApart) {
  const Chart chart = StepMapChart(
      "Loss", {{"worker_0", {2.0, {}, 4.0}}, {"worker_1", {3.0, NAN, 3.0}}}, {0, 10, 20}, "");
  EXPECT_EQ((*chart.data)["steps"], (Json{0, 10, 20}));
  EXPECT_EQ((*chart.data)["low"], 2.0);
  EXPECT_EQ((*chart.data)["high"], 4.0);
  EXPECT_EQ((*chart.data)["rows"][0]["values"], (Json{2.0, nullptr, 4.0}));
  EXPECT_FALSE((*chart.data)["rows"][0].contains("bad"));
  EXPECT_EQ((*chart.data)["rows"][1]["values"], (Json{3.0, nullptr, 3.0}));
  EXPECT_EQ((*chart.data)["rows"][1]["bad"], (Json::array({1})));
  EXPECT_EQ(chart.summary, "worker_0: 4 (median), worker_1: 3 (median).");
  EXPECT_EQ(chart.table.rows[1], (std::vector<std::string>{"worker_1", "3", "3", "3"}));
}

TEST(ChartsTest, AFewLongStepsDoNotTakeAllColors) {
  HeatRow row{"worker_0", Values(100, 0.1)};
  row.values[0] = 30.0;
  const Chart chart = StepMapChart("Step time", {row}, std::vector<int64_t>(100, 0), "s");
  EXPECT_EQ((*chart.data)["low"], 0);
  EXPECT_EQ((*chart.data)["high"], 0.1);
}

TEST(ChartsTest, RoundedKeepsFourDigits) {
  EXPECT_DOUBLE_EQ(Rounded(123.456), 123.5);
  EXPECT_DOUBLE_EQ(Rounded(-0.00123456), -0.001235);
  EXPECT_EQ(Rounded(std::numeric_limits<double>::infinity()), 0);
  EXPECT_TRUE(std::isfinite(Rounded(std::numeric_limits<double>::max())));
  EXPECT_TRUE(std::isfinite(Rounded(std::numeric_limits<double>::denorm_min())));
}

TEST(ChartsTest, AMatrixHasARowForEachLabel) {
  const Chart chart = MatrixChart("Confusion", {"0", "1"}, {3, 1, 0, 0});
  EXPECT_EQ(chart.data->at("rows"), Json({{3, 1}, {0, 0}}));
  EXPECT_EQ(chart.table.rows.size(), 2u) << "nothing is said of empty cells";
  EXPECT_EQ(chart.table.rows[1], (std::vector<std::string>{"0", "1", "1", "25.0"}));
  EXPECT_NE(chart.summary.find("class 0: 75 % of 4 rows predicted correctly"), std::string::npos);
}

TEST(ChartsTest, ThresholdsThatAreAboveAllAreNull) {
  Thresholds thresholds{.positives = 2, .negatives = 4};
  thresholds.points = {{INFINITY, 0, 0}, {0.25, 1, 1}, {0.125, 2, 4}};
  thresholds.best = 1;
  const Chart chart = RocChart("ROC", thresholds);
  EXPECT_TRUE(chart.data->at("points")[0][0].is_null());
  EXPECT_EQ(chart.data->at("points")[1], Json({0.25, 1, 1}));
  EXPECT_NE(chart.summary.find("0.25"), std::string::npos);
  EXPECT_NE(chart.summary.find("50 %"), std::string::npos);
  EXPECT_EQ(RocChart("none", {}).table.rows.size(), 0u);
}

TEST(ChartsTest, WhatIsExpectedOfAHistogramIsOnItsScale) {
  const Chart chart = HistogramChart("Residuals", "x", {{"r", {0, 1, 2}, {30, 10}, {20, 20}}});
  EXPECT_EQ(chart.data->at("series")[0]["percents"], Json({75.0, 25.0}));
  EXPECT_EQ(chart.data->at("series")[0]["expected"], Json({50.0, 50.0}));
}

TEST(ChartsTest, LinesOverStepsCountSteps) {
  LinesLook look;
  look.over = "step";
  look.bottom = -2;
  const Chart chart =
      LinesChart("loss", "loss", {{.name = "train", .times = {0, 5000}, .values = {1, -1}}}, look);
  EXPECT_EQ(chart.x_label, "step");
  EXPECT_EQ(chart.data->at("over"), "step");
  EXPECT_EQ(chart.data->at("bottom"), -2);
  EXPECT_EQ(chart.table.columns[1], "step");
  EXPECT_EQ(chart.table.rows[1][1], "5,000");
}

}  // namespace
}  // namespace warden::report
