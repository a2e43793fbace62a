#include "warden/rules/profiler/profiler_for_test.h"

namespace warden::rules {
namespace {

using OverallSystemUsageTest = ProfilerRuleTest;

TEST_F(OverallSystemUsageTest, Statistics) {
  Use("OverallSystemUsage");
  for (int i = 0; i <= 100; ++i) {
    See({.cpu = double(i), .memory = 40, .network = 1e9 * i, .gpus = {0, 2.0 * i}});
  }
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
  const Json details = Details();
  EXPECT_EQ(KeysOf(details), (std::vector<std::string>{"Network", "GPU", "CPU", "CPU memory",
                                                       "GPU memory", "I/O", "series", "gpus"}));
  const Json expected = Json::parse(
      R"({"max": 100.0, "p99": 99.0, "p95": 95.0, "p90": 90.0, "p50": 50.0, "min": 0.0})");
  EXPECT_EQ(details["CPU"]["algo-1"], expected);
  EXPECT_EQ(details["GPU"]["algo-1"], expected);  // The mean of both.
  EXPECT_EQ(details["Network"]["algo-1"]["p95"], 95e9);
  EXPECT_EQ(details["CPU memory"]["algo-1"]["min"], 40);
  EXPECT_EQ(details["GPU memory"], Json::object());
  EXPECT_EQ(details["I/O"], Json::object());
  EXPECT_EQ(TheResult().parameters, "");
  EXPECT_EQ(TheResult().datapoints, 101);
}

TEST_F(OverallSystemUsageTest, Series) {
  Use("OverallSystemUsage");
  for (int i = 0; i < 8; ++i) {  // At 0, 0.5, ..., 3.5: two in each second.
    See({.cpu = double(i), .io_wait = i < 4 ? 1.0 : timeline::kNotMeasured, .gpus = {10.0 * i}});
  }
  const Json details = Details();
  const Json& series = details["series"]["algo-1"];
  EXPECT_EQ(series["start_s"], kStart);
  EXPECT_EQ(series["interval_s"], 1);
  EXPECT_EQ(series["CPU"], Json::parse(R"({"min": [0.0, 2.0, 4.0, 6.0],
                                           "mean": [0.5, 2.5, 4.5, 6.5],
                                           "max": [1.0, 3.0, 5.0, 7.0]})"));
  EXPECT_EQ(series["I/O"]["mean"], Json::parse("[1.0, 1.0, null, null]"));
  EXPECT_EQ(series["Network"]["max"], Json::parse("[null, null, null, null]"));
  EXPECT_EQ(details["gpus"]["algo-1"]["gpu0"], Json::parse(R"({"mean": [5.0, 25.0, 45.0, 65.0]})"));
}

TEST_F(OverallSystemUsageTest, ALongRunHasAtMost600Points) {
  Use("OverallSystemUsage");
  double last = 0;
  for (int i = 0; i < 20000; ++i) {
    last = i % 100;
    See({.cpu = last});
  }
  const Json series = Details()["series"]["algo-1"];
  EXPECT_LE(series["CPU"]["mean"].size(), 600u);
  EXPECT_GT(series["CPU"]["mean"].size(), 300u);
  EXPECT_EQ(series["interval_s"], 32);  // 10,000 s / 600 = 16.7.
  EXPECT_EQ(Details()["CPU"]["algo-1"]["p50"], 49.5);
}

TEST_F(OverallSystemUsageTest, RareSamplesLeaveNoHoles) {
  Use("OverallSystemUsage");
  for (int i = 0; i < 60; ++i) SeeAt(60.0 * i, {.cpu = 5});
  const Json mean = Details()["series"]["algo-1"]["CPU"]["mean"];
  EXPECT_GE(mean.size(), 25u);
  for (const Json& value : mean) EXPECT_EQ(value, 5);
}

TEST_F(OverallSystemUsageTest, TimesThatCannotBe) {
  Use("OverallSystemUsage");
  SeeAt(0, {.cpu = 5});
  for (const double seconds : {-1e12, -10.0, 1e300, double(NAN), double(INFINITY), 9e10}) {
    SeeAt(seconds, {.cpu = 5});
  }
  const Json series = Details()["series"]["algo-1"];
  EXPECT_LE(series["CPU"]["mean"].size(), 600u);
  EXPECT_EQ(TheResult().datapoints, 7);
}

TEST_F(OverallSystemUsageTest, NodesAndLateGpus) {
  Use("OverallSystemUsage");
  See({.cpu = 1, .node = "algo-10"}, 4);
  See({.cpu = 1, .node = "algo-2"}, 4);
  See({.cpu = 1, .gpus = {50}, .node = "algo-2"}, 4);
  EXPECT_EQ(KeysOf(Details()["CPU"]), (std::vector<std::string>{"algo-2", "algo-10"}));
  EXPECT_EQ(Details()["gpus"]["algo-2"]["gpu0"]["mean"], Json::parse("[null, null, 50.0, 50.0]"));
  EXPECT_EQ(Details()["gpus"]["algo-10"], Json::object());
}

TEST_F(OverallSystemUsageTest, Nothing) {
  Use("HardwareUtilization");
  Evaluate();
  EXPECT_EQ(WhyNot(), "no system metrics were saved; add --profile system");
}

}  // namespace
}  // namespace warden::rules
