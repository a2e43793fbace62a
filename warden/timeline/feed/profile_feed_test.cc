#include "warden/timeline/feed/profile_feed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "warden/format/profiler_layout.h"
#include "warden/timeline/timeline_for_test.h"

namespace warden::timeline {
namespace {

constexpr int64_t kMinute = 1767268800;

std::string Line(double time_s, const std::string& type, const std::string& name,
                 const std::string& dimension, double value, const std::string& node = "algo-1") {
  return fmt::format(
      R"({{"Type":"{}","Name":"{}","Dimension":"{}","Value":{},"NodeId":"{}","Timestamp":{:.6f}}})"
      "\n",
      type, name, dimension, value, node, time_s);
}

std::string Cpu(double time_s, double value) {
  return Line(time_s, "cpu", "cpu0", "CPUUtilization", value);
}

std::string Event(int number, int64_t ts, int64_t dur) {
  return fmt::format(R"({{"name":"e{}","pid":1,"ph":"X","ts":{},"dur":{}}},)"
                     "\n",
                     number, ts, dur);
}

// Reads what there is, waiting until so much of it has come or it is far too late.
class Follower {
 public:
  explicit Follower(const ProfilerFolderForTest& folder) : feed(OpenProfileFeed(folder.path())) {}

  void ReadUntil(size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (samples.size() + spans.size() < count && std::chrono::steady_clock::now() < deadline) {
      if (!ReadOnce()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  void ReadToEnd() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while ((ReadOnce() || !feed->ended()) && std::chrono::steady_clock::now() < deadline) {
    }
  }
  bool ReadOnce() {
    ProfileBatch batch;
    EXPECT_TRUE(feed->Next(&batch).ok());
    samples.insert(samples.end(), batch.samples.begin(), batch.samples.end());
    spans.insert(spans.end(), batch.spans.begin(), batch.spans.end());
    return !batch.empty();
  }
  std::vector<std::string> SpanNames() const {
    std::vector<std::string> found;
    for (const Span& span : spans) found.push_back(feed->names().Text(span.name));
    return found;
  }

  std::unique_ptr<ProfileFeed> feed;
  std::vector<NodeSample> samples;
  std::vector<Span> spans;
};

TEST(ProfileFeedTest, PutsTheLinesOfAMomentTogether) {
  ProfilerFolderForTest folder;
  const double t = kMinute + 0.5;
  folder.Write(format::MetricFileKey(kMinute, "algo-1"),
               Line(t, "cpu", "cpu0", "CPUUtilization", 10) +
                   Line(t, "cpu", "cpu1", "CPUUtilization", 30) +
                   Line(t, "cpu", "cpu0", "I/OWaitPercentage", 4) +
                   Line(t, "cpu", "cpu1", "I/OWaitPercentage", 6) +
                   Line(t + 0.01, "gpu", "gpu10", "GPUUtilization", 90) +
                   Line(t + 0.01, "gpu", "gpu2", "GPUUtilization", 80) +
                   Line(t + 0.01, "gpu", "gpu2", "GPUMemoryUtilization", 55) +
                   Line(t + 0.011, "memory", "MemoryUsedPercent", "", 42) +
                   Line(t + 0.012, "network", "ReceiveBytesPerSecond", "Algorithm", 100) +
                   Line(t + 0.012, "network", "TransmitBytesPerSecond", "Algorithm", 20) +
                   Line(t + 0.012, "network", "TransmitBytesPerSecond", "Platform", 7000) +
                   Line(t + 0.013, "i/o", "ReadThroughputInBytesPerSecond", "", 5) +
                   Line(t + 0.013, "i/o", "WriteThroughputInBytesPerSecond", "", 6) +
                   Line(t + 0.013, "process", "training", "CPUUtilization", 12) +
                   // One that repeats a line, though it comes soon; one that comes late.
                   Line(t + 0.015, "cpu", "cpu0", "CPUUtilization", 50) +
                   Line(t + 0.115, "cpu", "cpu1", "CPUUtilization", 60));
  folder.Write(std::string(format::kSystemEnd), "");
  Follower follower(folder);
  follower.ReadToEnd();
  ASSERT_EQ(follower.samples.size(), 3);
  const NodeSample& sample = follower.samples[0];
  const Names& names = follower.feed->names();
  EXPECT_EQ(names.Text(sample.node), "algo-1");
  EXPECT_DOUBLE_EQ(sample.time_s, t);
  EXPECT_EQ(sample.cores, 2);
  EXPECT_EQ(sample.cpu, 20);
  EXPECT_EQ(sample.io_wait, 5);
  EXPECT_EQ(sample.busiest_core, 30);
  EXPECT_EQ(sample.memory, 42);
  EXPECT_EQ(sample.network, 120);
  EXPECT_EQ(sample.disk, 11);
  EXPECT_EQ(sample.training_cpu, 12);
  ASSERT_EQ(sample.gpus.size(), 2);
  EXPECT_EQ(names.Text(sample.gpus[0].name), "gpu2");
  EXPECT_EQ(sample.gpus[0].utilization, 80);
  EXPECT_EQ(sample.gpus[0].memory, 55);
  EXPECT_TRUE(std::isnan(sample.gpus[1].memory));
  EXPECT_EQ(follower.samples[1].cpu, 50);
  EXPECT_TRUE(std::isnan(follower.samples[1].memory));
  EXPECT_EQ(follower.samples[2].cpu, 60);
}

TEST(ProfileFeedTest, FollowsAFileThatGrowsAndGetsItsName) {
  ProfilerFolderForTest folder;
  Follower follower(folder);
  EXPECT_FALSE(follower.ReadOnce());
  EXPECT_FALSE(follower.feed->any());
  const std::string done = format::MetricFileKey(kMinute, "algo-1");
  const std::string part = done.substr(0, done.size() - 5) + ".part";
  folder.Append(part, Cpu(kMinute, 1) + Cpu(kMinute + 1, 2) + R"({"Type":"cpu","Na)");
  follower.ReadUntil(1);
  ASSERT_EQ(follower.samples.size(), 1);
  EXPECT_TRUE(follower.feed->any());
  folder.Append(part, R"(me":"cpu0","Dimension":"CPUUtilization","Value":3,"NodeId":"algo-1",)"
                      R"("Timestamp":1767268802})"
                      "\n");
  follower.ReadUntil(3);  // The last one when nothing more has come for a while.
  ASSERT_EQ(follower.samples.size(), 3);
  EXPECT_EQ(follower.samples[2].cpu, 3);
  folder.Append(part, Cpu(kMinute + 3, 4));
  folder.Rename(part, done);
  const std::string next = format::MetricFileKey(kMinute + 60, "algo-1");
  folder.Append(next.substr(0, next.size() - 5) + ".part", Cpu(kMinute + 60, 5));
  folder.Rename(next.substr(0, next.size() - 5) + ".part", next);
  folder.Write(std::string(format::kSystemEnd), "");
  follower.ReadToEnd();
  ASSERT_EQ(follower.samples.size(), 5);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(follower.samples[i].cpu, i + 1);
  EXPECT_TRUE(follower.feed->ended());
  EXPECT_TRUE(follower.feed->problems().empty());
}

TEST(ProfileFeedTest, AnotherLookFindsWhatCameAMomentAgo) {
  ProfilerFolderForTest folder;
  Follower follower(folder);
  EXPECT_FALSE(follower.ReadOnce());
  folder.Write(format::MetricFileKey(kMinute, "algo-1"), Cpu(kMinute, 1) + Cpu(kMinute + 1, 2));
  folder.Write(std::string(format::kSystemEnd), "");
  follower.feed->LookAgain();
  while (follower.ReadOnce()) {
  }
  EXPECT_EQ(follower.samples.size(), 2);
  EXPECT_TRUE(follower.feed->ended());
}

TEST(ProfileFeedTest, FollowsATimelineThroughItsRotation) {
  ProfilerFolderForTest folder;
  const std::string open = "framework/88-algo-1_pythontimeline.json.tmp";
  const std::string head =
      "[\n"
      R"({"name":"process_name","ph":"M","pid":1,"args":{"name":"Forward"}},)"
      "\n";
  Follower follower(folder);
  folder.Append(open, head + Event(0, 10, 5) + Event(1, 20, 5));
  follower.ReadUntil(2);
  // As the original closes a file: the last comma makes room for the bracket.
  for (int file = 1; file <= 3; ++file) {
    folder.Append(open, Event(2 * file, file * 100, 5) + Event(2 * file + 1, file * 100 + 10, 5));
    if (file == 2) follower.ReadOnce();
    std::string text = ReadText(folder.PathOf(open));
    std::filesystem::resize_file(folder.PathOf(open), text.size() - 2);
    folder.Append(open, "\n]");
    folder.Rename(open, format::TimelineFileKey(1767268800000000 + file, "88-algo-1",
                                                format::kPythonTimeline));
    folder.Append(open, head);
  }
  follower.ReadUntil(8);
  EXPECT_EQ(follower.SpanNames(),
            (std::vector<std::string>{"e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7"}));
  EXPECT_EQ(follower.feed->names().Text(follower.spans[7].phase), "Forward");
  folder.Append(open, Event(8, 1000, 1));
  folder.Write(std::string(format::kFrameworkEnd), "");
  follower.ReadToEnd();
  EXPECT_EQ(follower.spans.size(), 9);
  EXPECT_TRUE(follower.feed->problems().empty());
}

TEST(ProfileFeedTest, HandsOutAFinishedRunInTheOrderOfTimeInSmallPieces) {
  ProfilerFolderForTest folder;
  for (const char* node : {"algo-1", "algo-2"}) {
    for (int minute = 0; minute < 2; ++minute) {
      std::string text;
      for (int i = 0; i < 60; ++i) {
        text += Line(kMinute + minute * 60 + i, "cpu", "cpu0", "CPUUtilization", i, node);
      }
      folder.Write(format::MetricFileKey(kMinute + minute * 60, node), text);
    }
    std::string text =
        "[\n"
        R"({"name":"process_name","ph":"M","pid":0,"args":{"start_time_since_epoch_in_micros":)" +
        std::to_string(kMinute * 1000000) + "}},\n";
    for (int i = 0; i < 110; ++i) text += Event(i, i * 1000000 + 300000, 200000);
    folder.Write(format::TimelineFileKey((kMinute + 110) * 1000000, std::string("3-") + node,
                                         format::kPythonTimeline),
                 text.substr(0, text.size() - 2) + "]");
  }
  const auto feed = OpenProfileFeed(folder.path());
  ProfileBatch batch;
  double last = 0;
  size_t samples = 0;
  size_t spans = 0;
  while (feed->Next(&batch).ok() && !batch.empty()) {
    double first = 1e300;
    double end = 0;
    const auto see = [&](double time) {
      first = std::min(first, time);
      end = std::max(end, time);
    };
    for (const NodeSample& sample : batch.samples) see(sample.time_s);
    for (const Span& span : batch.spans) see(static_cast<double>(span.end_us()) / 1e6);
    EXPECT_GE(first, last);
    EXPECT_LE(end - first, 2.001);
    last = end;
    samples += batch.samples.size();
    spans += batch.spans.size();
  }
  EXPECT_EQ(samples, 240);
  EXPECT_EQ(spans, 220);
  EXPECT_FALSE(feed->ended());
}

TEST(ProfileFeedTest, GoesOnAfterAFileThatWasNeverFinished) {
  ProfilerFolderForTest folder;
  const std::string done = format::MetricFileKey(kMinute, "algo-1");
  const std::string part = done.substr(0, done.size() - 5) + ".part";
  folder.Write(part, Cpu(kMinute, 1));
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::minutes(5);
  std::filesystem::last_write_time(folder.PathOf(part), old);
  Follower follower(folder);
  follower.ReadUntil(1);
  folder.Write(format::MetricFileKey(kMinute + 600, "algo-1"), Cpu(kMinute + 600, 2));
  follower.ReadUntil(2);
  // Whoever finishes it later does not make it news.
  folder.Rename(part, done);
  folder.Write(std::string(format::kSystemEnd), "");
  follower.ReadToEnd();
  ASSERT_EQ(follower.samples.size(), 2);
  EXPECT_EQ(follower.samples[1].cpu, 2);
}

TEST(ProfileFeedTest, BrokenFilesAreToldAndTheOthersRead) {
  ProfilerFolderForTest folder;
  folder.Write(format::MetricFileKey(kMinute, "algo-1"), "nonsense\n" + Cpu(kMinute, 1));
  folder.Write(format::TimelineFileKey(kMinute * 1000000, "1-algo-1", format::kPythonTimeline),
               "[\n{broken\n" + Event(1, 5, 5));
  folder.Write(format::TimelineFileKey(kMinute * 1000000, "2-algo-1", format::kPythonTimeline),
               std::string(1000, '\xff'));
  folder.Write(std::string(format::kSystemEnd), "");
  Follower follower(folder);
  follower.ReadToEnd();
  EXPECT_EQ(follower.samples.size(), 1);
  EXPECT_EQ(follower.spans.size(), 1);
  EXPECT_EQ(follower.feed->problems().size(), 3);
}

TEST(ProfileFeedTest, FilesWithoutEndAndWithoutAnythingHoldNobodyUp) {
  ProfilerFolderForTest folder;
  const auto make_endless = [&](const std::string& key) {
    folder.Write(key, "");
    std::filesystem::resize_file(folder.PathOf(key), uintmax_t{1} << 40);
  };
  make_endless(format::MetricFileKey(kMinute, "algo-1"));
  folder.Write(format::MetricFileKey(kMinute + 60, "algo-1"), Cpu(kMinute + 60, 1));
  make_endless(format::TimelineFileKey(kMinute * 1000000, "1-algo-1", format::kPythonTimeline));
  folder.Write(
      format::TimelineFileKey((kMinute + 60) * 1000000, "1-algo-1", format::kPythonTimeline),
      "[\n" + Event(1, 5, 5));
  folder.Write(std::string(format::kSystemEnd), "");
  Follower follower(folder);
  follower.ReadToEnd();
  EXPECT_EQ(follower.samples.size(), 1);
  EXPECT_EQ(follower.spans.size(), 1);
  size_t passed_over = 0;
  for (const std::string& problem : follower.feed->problems()) {
    passed_over += problem.ends_with("the rest is skipped") ? 1 : 0;
  }
  EXPECT_EQ(passed_over, 2);
}

}  // namespace
}  // namespace warden::timeline
