#include "warden/view/timeline/flame.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "warden/base/json.h"
#include "warden/view/timeline/run_timeline.h"
#include "warden/view/timeline/stack_walk.h"
#include "warden/view/timeline/trace_for_test.h"

namespace warden::view {
namespace {

using timeline::ProfilerFolderForTest;

constexpr char kThread11[] = R"("tid": 11)";

class FlameTest : public testing::Test {
 protected:
  // Stacks as "process;thread;a;b", and what their last node has: count, total and self in us.
  std::map<std::string, std::tuple<uint64_t, double, double>> Ask(FlameQuery query = {}) {
    folder_.Write(ClosedTrace("88-algo-1"), trace_.Whole());
    timeline_ = std::make_unique<RunTimeline>(folder_.path());
    snapshot_ = timeline_->WaitUntilRead();
    if (query.window.to_ns == 0) {
      query.window = {snapshot_->start_ns, snapshot_->end_ns};
    } else {
      query.window = {kStartUs * 1000 + query.window.from_ns, kStartUs * 1000 + query.window.to_ns};
    }
    flame_ = FlameOf(*snapshot_, query);
    std::map<std::string, std::tuple<uint64_t, double, double>> found;
    std::vector<std::string> stacks;
    for (const FlameNode& node : flame_.nodes) {
      const std::string name = flame_.Name(*snapshot_, node);
      EXPECT_TRUE(stacks.empty() || node.parent < stacks.size());
      stacks.push_back(stacks.size() < 2 || node.parent == 0 ? name
                                                             : stacks[node.parent] + ";" + name);
      found[stacks.back()] = {node.count, node.total_ns / 1e3, node.self_ns / 1e3};
    }
    return found;
  }

  ProfilerFolderForTest folder_;
  TraceForTest trace_;
  std::unique_ptr<RunTimeline> timeline_;
  std::shared_ptr<const TimelineSnapshot> snapshot_;
  Flame flame_;
};

TEST_F(FlameTest, PhasesAndOperatorsOfAThreadAreStackedByTime) {
  for (const int at : {0, 100}) {
    trace_.Add("Step:ModeKeys.TRAIN", "step", at, 90, R"("step_num": "0")")
        .Add("Forward", "Net", at + 10, 40)
        .Add("cpu_functions", "aten::linear", at + 12, 20, kThread11)
        .Add("cpu_functions", "aten::mm", at + 15, 10, kThread11)
        .Add("cpu_functions", "aten::mm", at + 60, 5, kThread11);
  }
  // Another thread of the process, which begins later, and a GPU.
  trace_.Add("cpu_functions", "autograd", 60, 5, R"("tid": 12)")
      .Add("gpu_functions-dev:0", "gemm", 30, 9, R"("tid": 7)");
  const auto found = Ask();
  using Numbers = std::tuple<uint64_t, double, double>;
  const std::string main = "algo-1, process 88;main thread;step";
  EXPECT_EQ(found.at(main), Numbers(2, 180, 90));
  EXPECT_EQ(found.at(main + ";Forward: Net"), Numbers(2, 80, 40));
  EXPECT_EQ(found.at(main + ";Forward: Net;aten::linear"), Numbers(2, 40, 20));
  EXPECT_EQ(found.at(main + ";Forward: Net;aten::linear;aten::mm"), Numbers(2, 20, 20));
  EXPECT_EQ(found.at(main + ";aten::mm"), Numbers(2, 10, 10));
  EXPECT_EQ(found.at("algo-1, process 88;operators, thread 12;autograd"), Numbers(1, 5, 5));
  EXPECT_EQ(found.at("algo-1, GPU 0, process 88;stream 7;gemm"), Numbers(1, 9, 9));
  EXPECT_EQ(std::get<1>(found.at("all")), 194);
  EXPECT_EQ(flame_.threads.size(), 3u);
  EXPECT_NE(
      CollapsedStacks(*snapshot_, flame_).find(main + ";Forward: Net;aten::linear;aten::mm 20\n"),
      std::string::npos);
}

TEST_F(FlameTest, WhatOverlapsIsDividedAndCountsOnce) {
  trace_.Add("A", "a", 0, 100).Add("B", "b", 80, 60);
  const auto found = Ask({.by = FlameBy::kAll});
  using Numbers = std::tuple<uint64_t, double, double>;
  EXPECT_EQ(found.at("a"), Numbers(1, 100, 80));
  EXPECT_EQ(found.at("a;b"), Numbers(1, 20, 20));
  EXPECT_EQ(found.at("b"), Numbers(0, 40, 40));
  EXPECT_EQ(std::get<1>(found.at("all")), 140);
}

TEST_F(FlameTest, OnlyThePartInTheWindowAndTheTracksAskedFor) {
  trace_.Add("cpu_functions", "outer", 0, 100, kThread11)
      .Add("cpu_functions", "inner", 40, 40, kThread11)
      .Add("cpu_functions", "before", -20, 10, kThread11)
      .Add("cpu_functions", "alone", 0, 100, R"("tid": 12)");
  const FlameQuery query{{50'000, 90'000}, {0}, FlameBy::kProcess};
  const auto found = Ask(query);
  using Numbers = std::tuple<uint64_t, double, double>;
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found.at("algo-1, process 88;outer"), Numbers(1, 40, 10));
  EXPECT_EQ(found.at("algo-1, process 88;outer;inner"), Numbers(1, 30, 30));
}

TEST_F(FlameTest, ATrackStandsForItsThread) {
  trace_.Add("Step:ModeKeys.TRAIN", "step", 0, 90, R"("step_num": "0")")
      .Add("cpu_functions", "aten::mm", 15, 10, kThread11)
      .Add("gpu_functions-dev:0", "gemm", 30, 9, R"("tid": 7)");
  const auto found = Ask({{}, {1}, FlameBy::kAll});
  EXPECT_TRUE(found.contains("step;aten::mm"));
  EXPECT_FALSE(found.contains("gemm"));
}

TEST_F(FlameTest, StepsOfPyTorchsProfilerAreOneNode) {
  for (int i = 0; i < 3; ++i)
    trace_.Add("Annotation", fmt::format("ProfilerStep#{}", i), i * 10, 5);
  const auto found = Ask({.by = FlameBy::kAll});
  EXPECT_EQ(found.at("ProfilerStep"), (std::tuple<uint64_t, double, double>(3, 15, 15)));
  EXPECT_EQ(found.size(), 2u);
}

TEST_F(FlameTest, SmallNodesArePutTogether) {
  for (int i = 0; i < 50; ++i) trace_.Add("Annotation", fmt::format("n{}", i), i * 100, 50 - i);
  const auto found = Ask({.by = FlameBy::kAll, .most = 11});
  EXPECT_EQ(found.size(), 12u);
  EXPECT_TRUE(found.contains("n0") && found.contains("n9") && !found.contains("n10"));
  EXPECT_EQ(found.at("40 others"), (std::tuple<uint64_t, double, double>(40, 820, 820)));
  EXPECT_EQ(flame_.merged, 40u);
  const auto all_but_one = Ask({.by = FlameBy::kAll, .most = 50});
  EXPECT_TRUE(all_but_one.contains("n49"));
  EXPECT_EQ(flame_.merged, 0u);
  EXPECT_EQ(std::get<1>(all_but_one.at("all")), 1275);
}

TEST_F(FlameTest, StacksAndNodesAreLimited) {
  // Each within the last, deeper than is kept apart, and with more names than are.
  for (int i = 0; i < 60; ++i) {
    trace_.Add("Annotation", fmt::format("deep{}", i), i, 400 - 2 * i);
    trace_.Add("Other", fmt::format("deeper{}", i), i + 100, 200 - 2 * i);
    trace_.Add("Third", fmt::format("deepest{}", i), i + 170, 60 - i);
  }
  const auto found = Ask({.by = FlameBy::kAll, .most = 100'000});
  EXPECT_LE(found.size(), kMostStack + 2);
  EXPECT_EQ(std::get<1>(found.at("all")), 400);
}

TEST_F(FlameTest, NothingToShow) {
  EXPECT_EQ(Ask().size(), 1u);
  const Json json = FlameJson(*snapshot_, {{0, 1}});
  EXPECT_EQ(json["nodes"].size(), 1u);
  EXPECT_EQ(json["nodes"][0]["parent"], Json());
}

}  // namespace
}  // namespace warden::view
