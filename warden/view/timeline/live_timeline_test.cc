#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "warden/base/json.h"
#include "warden/view/timeline/run_timeline.h"
#include "warden/view/timeline/timeline_answers.h"
#include "warden/view/timeline/trace_for_test.h"

namespace warden::view {
namespace {

using timeline::ProfilerFolderForTest;
using Snapshot = std::shared_ptr<const TimelineSnapshot>;

template <class Ready>
Snapshot WaitFor(const RunTimeline& timeline, Ready ready) {
  while (true) {
    Snapshot snapshot = timeline.snapshot();
    if (ready(*snapshot)) return snapshot;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

TEST(LiveTimeline, GrowsAsFilesGrow) {
  ProfilerFolderForTest folder;
  const RunTimeline timeline(folder.path() + "/later");
  EXPECT_EQ(timeline.WaitUntilRead()->events, 0u);
  const std::string growing = "later/framework/88-algo-1_pythontimeline.json.tmp";
  TraceForTest trace;
  folder.Write(growing, trace.Add("Forward", "first", 100, 10).TakeMore());
  Snapshot snapshot = WaitFor(timeline, [](const auto& now) { return now.events == 1; });
  EXPECT_EQ(snapshot->start_ns, (kStartUs + 100) * 1000);
  // One that holds it and one that has begun before it.
  trace.Add("Forward", "around", 90, 30, R"("number": 5)").Add("Backward", "second", 120, 10);
  folder.Append(growing, trace.TakeMore());
  snapshot = WaitFor(timeline, [](const auto& now) { return now.events == 3; });
  EXPECT_EQ(snapshot->start_ns, (kStartUs + 90) * 1000);
  EXPECT_TRUE(snapshot->done);
  // Numbers of events stay, whatever comes.
  EXPECT_EQ(snapshot->store->name(0), "first");
  EXPECT_EQ(EventJson(timeline, *snapshot, 0)["depth"], 1);
  EXPECT_EQ(EventJson(timeline, *snapshot, 1)["args"]["number"], 5);
  // It gets its name, and the next one follows.
  folder.Append(growing, "\n]\n");
  folder.Rename(growing, "later/" + ClosedTrace("88-algo-1"));
  folder.Write(growing, TraceForTest().Add("Forward", "third", 200, 10).TakeMore());
  snapshot = WaitFor(timeline, [](const auto& now) { return now.events == 4; });
  EXPECT_EQ(EventJson(timeline, *snapshot, 1)["args"]["number"], 5);
  EXPECT_EQ(snapshot->problems, std::vector<std::string>());
}

TEST(LiveTimeline, ManyAskWhileItGrows) {
  ProfilerFolderForTest folder;
  const RunTimeline timeline(folder.path());
  std::atomic<bool> stop = false;
  std::vector<std::thread> askers;
  for (int i = 0; i < 3; ++i) {
    askers.emplace_back([&] {
      size_t before = 0;
      while (!stop) {
        const Snapshot snapshot = timeline.snapshot();
        EXPECT_GE(snapshot->events, before);
        before = snapshot->events;
        if (before == 0) continue;
        const SpanWindow window{snapshot->start_ns, snapshot->end_ns};
        size_t seen = 0;
        for (const uint32_t count : SlicesOf(*snapshot, {window, 300, {}}).count) seen += count;
        EXPECT_EQ(seen, before);
        EXPECT_EQ(SearchJson(*snapshot, SpanFilter::Parse("net").value(), 5)["total"], before);
        StatisticsJson(*snapshot, window, {}, 10);
        EventJson(timeline, *snapshot, static_cast<EventId>(before - 1));
      }
    });
  }
  TraceForTest trace;
  constexpr int kBatches = 40;
  constexpr int kEach = 2000;
  for (int batch = 0; batch < kBatches; ++batch) {
    for (int i = 0; i < kEach; ++i) {
      const int64_t start = (batch * kEach + i) * 10;
      trace.Add(i % 3 == 0 ? "Forward" : "Backward", fmt::format("Net {}", i), start, 5);
    }
    folder.Append("framework/88-algo-1_pythontimeline.json.tmp", trace.TakeMore());
  }
  WaitFor(timeline, [](const auto& now) { return now.events == kBatches * kEach; });
  stop = true;
  for (std::thread& asker : askers) asker.join();
}

TEST(LiveTimeline, ClocksThatAreKnownLaterMoveWhatIsThere) {
  ProfilerFolderForTest folder;
  for (const char* node : {"88-algo-1", "88-algo-2"}) {
    TraceForTest trace;
    trace.Add("Forward", node, 5000, 10, R"("number": 5)");
    folder.Write(ClosedTrace(node), trace.Whole());
  }
  std::atomic<bool> known = false;
  const RunTimeline timeline(folder.path(), [&]() -> timeline::HostClocks {
    if (!known) return {};
    return {{"algo-2", "", 2000, 100}};
  });
  const Snapshot before = timeline.WaitUntilRead();
  EXPECT_EQ(before->start_ns, (kStartUs + 5000) * 1000);
  known = true;
  const Snapshot after = WaitFor(timeline, [](const auto& now) { return !now.clocks.empty(); });
  EXPECT_TRUE(after->done);
  EXPECT_EQ(after->events, 2u);
  EXPECT_EQ(after->start_ns, (kStartUs + 3000) * 1000);
  // Those who look at the one before still find everything.
  for (const Snapshot& snapshot : {before, after}) {
    EXPECT_EQ(EventJson(timeline, *snapshot, 0)["args"]["number"], 5);
    EXPECT_EQ(EventJson(timeline, *snapshot, 1)["args"]["number"], 5);
  }
}

TEST(LiveTimeline, GoesAwayWhileItReads) {
  ProfilerFolderForTest folder;
  TraceForTest trace;
  for (int i = 0; i < 30'000; ++i) trace.Add("Forward", "Net", i * 10, 5);
  folder.Write(ClosedTrace("88-algo-1"), trace.Whole());
  for (int i = 0; i < 5; ++i) {
    const auto timeline = std::make_unique<RunTimeline>(folder.path());
    const Snapshot kept = timeline->snapshot();
    EXPECT_LE(kept->events, 30'000u);
  }
  // What was handed out outlives it.
  Snapshot kept;
  {
    const RunTimeline timeline(folder.path());
    kept = timeline.WaitUntilRead();
  }
  EXPECT_EQ(kept->store->name(29'999), "Net");
}

}  // namespace
}  // namespace warden::view
