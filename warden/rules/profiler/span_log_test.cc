#include "warden/rules/profiler/span_log.h"

#include <gtest/gtest.h>

#include <random>

#include "warden/base/json.h"

namespace warden::rules {
namespace {

TEST(Intervals, ThoseThatTouchBecomeOne) {
  Intervals intervals;
  intervals.Add(10, 20);
  intervals.Add(30, 40);
  EXPECT_EQ(intervals.Overlap(0, 100), 20);
  intervals.Add(20, 30);
  EXPECT_EQ(intervals.Overlap(0, 100), 30);
  EXPECT_EQ(intervals.Overlap(15, 25), 10);
  EXPECT_EQ(intervals.Overlap(40, 50), 0);
  intervals.Add(5, 5);
  intervals.Add(9, 3);
  EXPECT_EQ(intervals.Overlap(0, 100), 30);
}

TEST(Intervals, InAnyOrder) {
  std::mt19937 random(5);
  for (int run = 0; run < 200; ++run) {
    Intervals intervals;
    std::vector<bool> covered(60);
    for (int i = 0; i < 12; ++i) {
      const size_t start = random() % 50;
      const size_t end = start + random() % 10;
      intervals.Add(static_cast<int64_t>(start), static_cast<int64_t>(end));
      for (size_t at = start; at < end; ++at) covered[at] = true;
    }
    for (int i = 0; i < 20; ++i) {
      const size_t start = random() % 50;
      const size_t end = start + random() % 10;
      int64_t expected = 0;
      for (size_t at = start; at < end; ++at) expected += covered[at] ? 1 : 0;
      EXPECT_EQ(intervals.Overlap(static_cast<int64_t>(start), static_cast<int64_t>(end)),
                expected);
    }
  }
}

TEST(Intervals, TheOldestAreForgotten) {
  Intervals intervals;
  for (int64_t i = 0; i <= static_cast<int64_t>(Intervals::kMost); ++i) {
    intervals.Add(10 * i, 10 * i + 1);
  }
  EXPECT_EQ(intervals.Overlap(0, 1000), 0);
  EXPECT_EQ(intervals.Overlap(10 * Intervals::kMost, 10 * Intervals::kMost + 10), 1);
}

TEST(SpanLog, TheOlderHalfIsForgotten) {
  timeline::Names names;
  SpanLog log;
  Intervals all;
  all.Add(0, 1'000'000'000);
  timeline::Span span;
  span.phase = names.IdOf("Forward");
  span.node = names.IdOf("algo-1-1");
  span.duration_us = 1;
  for (size_t i = 0; i < SpanLog::kMost; ++i) {
    span.start_us = static_cast<int64_t>(i);
    log.Add(span, names);
  }
  Json details = Json::object();
  log.AppendBreakdown([&](const std::string&) { return &all; }, &details);
  EXPECT_EQ(details["phase_time"]["Forward"], SpanLog::kMost / 2);
}

}  // namespace
}  // namespace warden::rules
