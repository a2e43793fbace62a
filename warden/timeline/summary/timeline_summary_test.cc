#include "warden/timeline/summary/timeline_summary.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "warden/timeline/timeline_for_test.h"

namespace warden::timeline {
namespace {

std::string Phase(int pid, const std::string& name) {
  return fmt::format(R"({{"name":"process_name","ph":"M","pid":{},"args":{{"name":"{}"}}}},)"
                     "\n",
                     pid, name);
}

std::string Event(int pid, const std::string& name, int64_t ts, int64_t dur, int step = -1) {
  const std::string args = step < 0 ? "" : fmt::format(R"(,"args":{{"step_num":"{}"}})", step);
  return fmt::format(R"({{"name":"{}","pid":{},"ph":"X","ts":{},"dur":{}{}}},)"
                     "\n",
                     name, pid, ts, dur, args);
}

TimelineSummary Summarise(const std::string& path) {
  auto summary = SummariseTimelines(path, {});
  EXPECT_TRUE(summary.ok()) << summary.status().message();
  return summary.ok() ? std::move(summary.value()) : TimelineSummary();
}

const SummaryRow& RowOf(const TimelineSummary& summary, const std::string& name) {
  for (const SummaryRow& row : summary.operators) {
    if (summary.names.Text(row.name) == name) return row;
  }
  ADD_FAILURE() << "no row of " << name;
  static const SummaryRow kNone;
  return kNone;
}

TEST(SummaryTest, CountsEachPhaseAndOperator) {
  ProfilerFolderForTest folder;
  std::string text = "[\n" + Phase(1, "cpu_functions") + Phase(2, "Forward");
  for (int i = 1; i <= 20; ++i) text += Event(1, "add", i * 1000, i);
  text += Event(2, "Net", 0, 700) + Event(1, "mul", 50000, 1000);
  folder.Write("trace.json.tmp", text);
  const TimelineSummary summary = Summarise(folder.PathOf("trace.json.tmp"));
  EXPECT_EQ(summary.spans, 22);
  EXPECT_EQ(summary.start_us, 0);
  EXPECT_EQ(summary.end_us, 51000);
  ASSERT_EQ(summary.phases.size(), 2);
  EXPECT_EQ(summary.names.Text(summary.phases[0].phase), "cpu_functions");
  EXPECT_EQ(summary.phases[0].durations.total_us, 1210);
  EXPECT_EQ(summary.phases[1].durations.total_us, 700);
  const DurationStats& add = RowOf(summary, "add").durations;
  EXPECT_EQ(add.count, 20);
  EXPECT_EQ(add.total_us, 210);
  EXPECT_EQ(add.mean_us, 10.5);
  EXPECT_EQ(add.p50_us, 10.5);
  EXPECT_NEAR(add.p95_us, 19.05, 1e-9);  // numpy.percentile(range(1, 21), 95)
  EXPECT_EQ(add.max_us, 20);
  EXPECT_EQ(summary.names.Text(summary.operators[0].name), "mul");
}

TEST(SummaryTest, TimeOfItsOwnLeavesOutWhatIsInside) {
  ProfilerFolderForTest folder;
  folder.Write("trace.json.tmp", "[\n" + Phase(1, "cpu_functions") + Event(1, "outer", 0, 100) +
                                     Event(1, "middle", 10, 50) + Event(1, "inner", 20, 10) +
                                     Event(1, "inner", 40, 10) + Event(1, "after", 100, 5) +
                                     // Reaches beyond what it begins in: not inside it.
                                     Event(1, "across", 102, 10) +
                                     // The same moment on another thread.
                                     Phase(2, "Forward") + Event(2, "other", 10, 50));
  const TimelineSummary summary = Summarise(folder.PathOf("trace.json.tmp"));
  EXPECT_EQ(RowOf(summary, "outer").durations.self_us, 50);
  EXPECT_EQ(RowOf(summary, "middle").durations.self_us, 30);
  EXPECT_EQ(RowOf(summary, "inner").durations.self_us, 20);
  EXPECT_EQ(RowOf(summary, "after").durations.self_us, 5);
  EXPECT_EQ(RowOf(summary, "across").durations.self_us, 10);
  EXPECT_EQ(RowOf(summary, "other").durations.self_us, 50);
  EXPECT_EQ(summary.phases[0].durations.self_us, 115);
}

TEST(SummaryTest, StepsAreBrokenDown) {
  ProfilerFolderForTest folder;
  const std::string phases = Phase(1, "Step:ModeKeys.TRAIN") + Phase(2, "Forward") +
                             Phase(3, "Backward") + Phase(4, "Optimizer") +
                             Phase(5, "DataLoaderIter") + Phase(6, "Step:ModeKeys.EVAL") +
                             Phase(7, "Forward-SubModuleInternal");
  std::string text = "[\n" + phases;
  text += Event(1, "Step:ModeKeys.TRAIN", 0, 100, 0) + Event(2, "Net", 0, 30, 0) +
          Event(7, "fc", 0, 20, 0) + Event(3, "b", 30, 40, 0) + Event(3, "b", 60, 20, 0) +
          Event(4, "Adam.step", 80, 5, 0) + Event(5, "x::GetNext", 90, 30, 0) +
          Event(1, "Step:ModeKeys.TRAIN", 100, 100, 1) + Event(6, "Step:ModeKeys.EVAL", 300, 40, 0);
  folder.Write("framework/88-algo-1_pythontimeline.json.tmp", text);
  // What another process does is not part of this one's steps.
  folder.Write("framework/89-algo-1_pythontimeline.json.tmp",
               "[\n" + phases + Event(2, "n", 0, 99));
  const TimelineSummary summary = Summarise(folder.path());
  ASSERT_EQ(summary.breakdowns.size(), 3);
  const StepShares& first = summary.breakdowns[0].us;
  EXPECT_EQ(first.forward, 30);
  EXPECT_EQ(first.backward, 50);
  EXPECT_EQ(first.optimizer, 5);
  EXPECT_EQ(first.data_loading, 10);
  EXPECT_EQ(first.other, 5);
  EXPECT_EQ(summary.breakdowns[1].us.data_loading, 20);
  EXPECT_EQ(summary.breakdowns[1].us.other, 80);
  ASSERT_EQ(summary.steps.size(), 2);
  EXPECT_EQ(summary.steps[0].mode, "EVAL");
  EXPECT_EQ(summary.steps[1].mode, "TRAIN");
  EXPECT_EQ(summary.names.Text(summary.steps[1].node), "algo-1-88");
  EXPECT_EQ(summary.steps[1].last_step, 1);
  EXPECT_EQ(summary.steps[1].durations.count, 2);
  EXPECT_EQ(summary.steps[1].durations.mean_us, 100);
  EXPECT_EQ(summary.steps[1].mean.forward, 15);
}

TEST(SummaryTest, ReadsTheRecordedRun) {
  const TimelineSummary summary = Summarise(kRecorded / "run");
  EXPECT_EQ(summary.spans, 96);
  ASSERT_EQ(summary.steps.size(), 2);
  EXPECT_EQ(summary.names.Text(summary.steps[0].node), "8616-vm");
}

TEST(SummaryTest, WhatIsNotThereIsAnError) {
  EXPECT_EQ(SummariseTimelines("/nonexistent", {}).status().code(), Code::kNotFound);
  ProfilerFolderForTest folder;
  EXPECT_EQ(Summarise(folder.path()).spans, 0);
}

}  // namespace
}  // namespace warden::timeline
