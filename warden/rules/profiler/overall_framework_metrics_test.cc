#include "warden/rules/profiler/profiler_for_test.h"

namespace warden::rules {
namespace {

class OverallFrameworkMetricsTest : public ProfilerRuleTest {
 protected:
  void SeeFrom(timeline::Source source, const std::string& phase, const std::string& name,
               double seconds) {
    timeline::Span span = SpanOf(phase, name, 0, seconds);
    span.source = source;
    See(span);
  }
};

TEST_F(OverallFrameworkMetricsTest, StepsAndTheTimeBetween) {
  Use("OverallFrameworkMetrics");
  SeeStep("TRAIN", 0, 10, 2);
  SeeStep("TRAIN", 1, 13, 3);
  SeeStep("EVAL", 0, 16, 3);
  SeeStep("TRAIN", 0, 10, 1, "algo-1-99");  // Another process.
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
  const Json details = Details();
  EXPECT_EQ(details["ratio"], Json::parse(R"({"TRAIN": 60.0, "EVAL": 30.0, "others": 10.0})"));
  EXPECT_EQ(details["steps"], Json::parse(R"({"TRAIN": {"count": 3, "us": 6000000},
                                              "EVAL": {"count": 1, "us": 3000000}})"));
  EXPECT_EQ(TheResult().datapoints, 4);
}

TEST_F(OverallFrameworkMetricsTest, Phases) {
  Use("TfOperatorTime");
  See(SpanOf("Forward", "net", 0, 3));
  See(SpanOf("Forward-SubModuleInternal", "net.conv", 0, 2));
  See(SpanOf("Backward", "net", 3, 4));
  See(SpanOf("Optimizer", "SGD", 7, 1));
  See(SpanOf("DataLoaderIter", "Iter::GetNext", 8, 2));
  See(SpanOf("Annotation", "save", 10, 6));
  const Json details = Details();
  EXPECT_EQ(details["forward_backward"],
            Json::parse(R"({"Forward": 30.0, "Backward": 40.0, "Optimizer": 10.0,
                            "DataLoader": 20.0})"));
  EXPECT_EQ(details["general"], Json::parse(R"({"save": 75.0, "net.conv": 25.0})"));
  EXPECT_EQ(details["phase_time"]["Annotation"], 6'000'000);
  EXPECT_EQ(details["phase"]["Forward"], 16.666667);
  EXPECT_EQ(details["ratio"], Json::object());
}

TEST_F(OverallFrameworkMetricsTest, Operators) {
  Use("OverallFrameworkMetrics");
  See(SpanOf("cpu_functions", "aten::conv2d", 0, 0.78));
  See(SpanOf("cpu_functions", "aten::add", 1, 0.1));
  See(SpanOf("cpu_functions", "aten::add", 2, 0.1));
  See(SpanOf("cpu_functions", "aten::view", 3, 0.015));
  See(SpanOf("cpu_functions", "aten::relu", 4, 0.005));
  See(SpanOf("gpu_functions-dev:0", "gemm", 0, 1.5));
  See(SpanOf("gpu_functions-dev:1", "gemm", 0, 1.5));
  const Json details = Details();
  EXPECT_EQ(details["CPU"], Json::parse(R"({"aten::conv2d": 78.0, "aten::add": 20.0})"));
  EXPECT_EQ(details["CPU_total"],
            Json::parse(R"({"aten::conv2d": 780000, "aten::add": 200000, "aten::view": 15000,
                            "aten::relu": 5000})"));
  EXPECT_EQ(details["GPU"], Json::parse(R"({"gemm": 100.0})"));
  EXPECT_EQ(details["GPU_total"], Json::parse(R"({"gemm": 3000000})"));
  EXPECT_EQ(details["CPU_GPU"], Json::parse(R"({"cpu_functions": 25.0, "gpu_functions": 75.0})"));
}

TEST_F(OverallFrameworkMetricsTest, NestedOperatorsCountOnce) {
  Use("OverallFrameworkMetrics");
  See(SpanOf("cpu_functions", "aten::mkldnn_convolution", 0.2, 0.6));
  See(SpanOf("cpu_functions", "aten::conv2d", 0, 1));
  See(SpanOf("gpu_functions-dev:0", "gemm", 0, 1));
  const Json details = Details();
  EXPECT_EQ(details["CPU"],
            Json::parse(R"({"aten::mkldnn_convolution": 60.0, "aten::conv2d": 40.0})"));
  EXPECT_EQ(details["CPU_self"],
            Json::parse(R"({"aten::mkldnn_convolution": 600000, "aten::conv2d": 400000})"));
  EXPECT_EQ(details["CPU_total"],
            Json::parse(R"({"aten::conv2d": 1000000, "aten::mkldnn_convolution": 600000})"));
  EXPECT_EQ(details["CPU_GPU"], Json::parse(R"({"cpu_functions": 50.0, "gpu_functions": 50.0})"));
}

TEST_F(OverallFrameworkMetricsTest, HorovodIsApart) {
  Use("OverallFrameworkMetrics");
  SeeFrom(timeline::Source::kHorovod, "Forward", "ALLREDUCE", 3);
  SeeFrom(timeline::Source::kHorovod, "", "NEGOTIATE", 1);
  SeeFrom(timeline::Source::kPython, "Forward", "net", 1);
  const Json details = Details();
  EXPECT_EQ(details["horovod"], Json::parse(R"({"ALLREDUCE": 75.0, "NEGOTIATE": 25.0})"));
  EXPECT_EQ(details["forward_backward"], Json::parse(R"({"Forward": 100.0})"));
}

TEST_F(OverallFrameworkMetricsTest, The200Longest) {
  Use("OverallFrameworkMetrics");
  for (int i = 1; i <= 300; ++i) See(SpanOf("cpu_functions", std::to_string(i), 0, i * 0.001));
  const Json totals = Details()["CPU_total"];
  EXPECT_EQ(totals.size(), 200u);
  EXPECT_EQ(totals.begin().key(), "300");
  EXPECT_FALSE(totals.contains("100"));
  EXPECT_EQ(Details()["CPU"], Json::object());  // None of them has 2 %.
}

TEST_F(OverallFrameworkMetricsTest, Nothing) {
  Use("OverallFrameworkMetrics");
  See({.cpu = 1});
  Evaluate();
  EXPECT_EQ(WhyNot(), "no framework timeline was saved; add --profile timeline");
  EXPECT_EQ(KeysOf(Details()),
            (std::vector<std::string>{"phase_time", "phase", "ratio", "forward_backward", "CPU",
                                      "CPU_total", "CPU_self", "GPU", "GPU_total", "GPU_self",
                                      "CPU_GPU", "general", "horovod", "steps"}));
  EXPECT_EQ(TheResult().parameters, "");
}

TEST_F(OverallFrameworkMetricsTest, TimesThatCannotBe) {
  Use("OverallFrameworkMetrics");
  timeline::Span span = SpanOf("Step:ModeKeys.TRAIN", "x", 0, 1);
  for (const int64_t time : {INT64_MIN, int64_t{-1}, INT64_MAX}) {
    span.start_us = 1;
    span.duration_us = time;
    rule_->See(span, names_);
    span.start_us = time;
    span.duration_us = 1;
    rule_->See(span, names_);
  }
  EXPECT_EQ(TheResult().datapoints, 0);
}

}  // namespace
}  // namespace warden::rules
