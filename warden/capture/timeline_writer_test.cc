#include "warden/capture/timeline_writer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "warden/base/json.h"

namespace warden::capture {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kBase = 1794705514000000;  // 2026-11-15, in the second hour.
constexpr std::string_view kTemporary = "framework/7-host_pythontimeline.json.tmp";

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Names of the spans in a finished file.
std::vector<std::string> SpansIn(const fs::path& path) {
  const auto events = ParseJson(ReadFile(path));
  EXPECT_TRUE(events.ok()) << path << events.status().message();
  std::vector<std::string> names;
  if (!events.ok()) return names;
  for (const Json& event : events.value()) {
    if (event.at("ph") != "M") names.push_back(event.at("name"));
  }
  return names;
}

class TimelineWriterTest : public testing::Test {
 protected:
  TimelineWriterTest() {
    options_.settings.folder = (root_ / "profiler").string();
    options_.node = "7-host";
    options_.base_us = kBase;
  }
  ~TimelineWriterTest() override { fs::remove_all(root_); }

  std::vector<fs::path> Finished() const {
    std::vector<fs::path> found;
    const fs::path folder = fs::path(options_.settings.folder) / "framework/pevents";
    if (!fs::exists(folder)) return found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  fs::path Temporary() const { return fs::path(options_.settings.folder) / kTemporary; }

  const fs::path root_ =
      fs::temp_directory_path() / ("warden_timeline_" + std::to_string(getpid()));
  TimelineOptions options_;
};

TEST_F(TimelineWriterTest, AFileInFull) {
  TimelineWriter writer(options_);
  const auto step = writer.AddKind("Step:ModeKeys.TRAIN", "step", "\"pid\": 9");
  writer.Record(step, kBase + 250000, 20000, 0);
  writer.Record({.phase = "Forward", .name = "n\"et", .start_us = kBase + 1250000});
  writer.Record({.phase = "Forward",
                 .name = "mark",
                 .kind = "i",
                 .scope = "g",
                 .args = "\"k\": 1",
                 .start_us = kBase + 2250000});
  EXPECT_TRUE(writer.Close(/*finish=*/true));
  const auto files = Finished();
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].filename(), "1794705516250000_7-host_pythontimeline.json");
  EXPECT_EQ(files[0].parent_path().filename(), "2026111501");
  EXPECT_EQ(ReadFile(files[0]),
            R"([
{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1794705514000000}},
{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},
{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}},
{"name": "process_sort_index", "ph": "M", "pid": 1, "args": {"sort_index": 1}},
{"name": "step", "pid": 1, "ph": "X", "ts": 250000, "dur": 20000, "args": {"pid": 9, "step_num": "0"}},
{"name": "process_name", "ph": "M", "pid": 2, "args": {"name": "Forward"}},
{"name": "process_sort_index", "ph": "M", "pid": 2, "args": {"sort_index": 2}},
{"name": "n\"et", "pid": 2, "ph": "X", "ts": 1250000, "dur": 0},
{"name": "mark", "pid": 2, "ph": "i", "ts": 2250000, "s": "g", "args": {"k": 1}}
]
)");
  EXPECT_FALSE(fs::exists(Temporary()));
}

TEST_F(TimelineWriterTest, ALiveReaderSeesWholeLinesBeforeTheEnd) {
  TimelineWriter writer(options_);
  writer.Record({.phase = "P", .name = "first", .start_us = kBase});
  while (!fs::exists(Temporary()) || fs::file_size(Temporary()) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const std::string text = ReadFile(Temporary());
  EXPECT_TRUE(text.ends_with("},\n")) << text;
  EXPECT_NE(text.find("\"first\""), std::string::npos);
  EXPECT_TRUE(Finished().empty());
}

TEST_F(TimelineWriterTest, FilesEndBySizeAndByTheTimesOfEvents) {
  options_.settings.max_file_bytes = 600;
  options_.settings.close_interval_s = 30;
  TimelineWriter writer(options_);
  const int64_t now = TimelineNowUs();
  for (int i = 0; i < 6; ++i) {
    writer.Record({.phase = "P", .name = "by size", .start_us = now});
  }
  ASSERT_TRUE(writer.Flush());
  const size_t by_size = Finished().size();
  EXPECT_GE(by_size, 1U);
  writer.Record({.phase = "P", .name = "now", .start_us = now});
  writer.Record({.phase = "P", .name = "later", .start_us = now + 40'000'000});
  // A wrong time: it must not end a file for each event.
  writer.Record({.phase = "P", .name = "in a thousand years", .start_us = now * 20});
  writer.Close(/*finish=*/true);
  const auto files = Finished();
  EXPECT_GT(files.size(), by_size);
  std::vector<std::string> all;
  for (const auto& file : files) {
    const auto names = SpansIn(file);
    all.insert(all.end(), names.begin(), names.end());
    // Each names its base time and the phase.
    const std::string text = ReadFile(file);
    EXPECT_NE(text.find("start_time_since_epoch_in_micros"), std::string::npos);
    EXPECT_NE(text.find(R"("pid": 1, "args": {"name": "P"})"), std::string::npos);
  }
  EXPECT_EQ(all.size(), 9U);
}

TEST_F(TimelineWriterTest, FilesThatEndInTheSameMicrosecondKeepApart) {
  options_.settings.max_file_bytes = 1;
  TimelineWriter writer(options_);
  const int64_t ahead = TimelineNowUs() + 1'000'000'000;
  for (int i = 0; i < 5; ++i) writer.Record({.phase = "P", .name = "op", .start_us = ahead});
  writer.Close(/*finish=*/true);
  EXPECT_EQ(Finished().size(), 5U);
}

TEST_F(TimelineWriterTest, AnotherFolderFromTheNextFileOn) {
  TimelineWriter writer(options_);
  writer.Record({.phase = "P", .name = "here", .start_us = kBase});
  TimelineSettings other = options_.settings;
  other.folder = (root_ / "other").string();
  writer.Configure(other);
  writer.Record({.phase = "P", .name = "there", .start_us = kBase});
  writer.Close(/*finish=*/true);
  ASSERT_EQ(Finished().size(), 1U);
  EXPECT_EQ(SpansIn(Finished()[0]), std::vector<std::string>{"here"});
  options_.settings = other;
  ASSERT_EQ(Finished().size(), 1U);
  EXPECT_EQ(SpansIn(Finished()[0]), std::vector<std::string>{"there"});
}

TEST_F(TimelineWriterTest, WithoutFinishTheFileStaysTemporary) {
  TimelineWriter writer(options_);
  writer.Record({.phase = "P", .name = "op", .start_us = kBase});
  writer.Close(/*finish=*/false);
  writer.Close(/*finish=*/true);
  writer.Record({.phase = "P", .name = "too late", .start_us = kBase});
  EXPECT_TRUE(Finished().empty());
  EXPECT_EQ(SpansIn(Temporary()), std::vector<std::string>{"op"});
}

TEST_F(TimelineWriterTest, AFileThatWasLeftBehindIsFinished) {
  fs::create_directories(Temporary().parent_path());
  std::ofstream(Temporary()) << "[\n{\"name\": \"old\", \"ph\": \"X\", \"pid\": 1, \"ts\": 1, "
                                "\"dur\": 1},\n{\"name\": \"hal";
  {
    TimelineWriter writer(options_);
    writer.Record({.phase = "P", .name = "new", .start_us = kBase});
  }
  const auto files = Finished();
  ASSERT_EQ(files.size(), 2U);
  std::vector<std::string> names = {SpansIn(files[0])[0], SpansIn(files[1])[0]};
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"new", "old"}));
}

TEST_F(TimelineWriterTest, WhatDoesNotFitIsDroppedAndCounted) {
  options_.most_pending = 100;
  options_.most_pending_bytes = 4096;
  TimelineWriter writer(options_);
  const std::string large(5000, 'x');
  writer.Record({.phase = "P", .name = large, .start_us = kBase});
  EXPECT_EQ(writer.counters().dropped, 1U);
  const auto kind = writer.AddKind("P", "op", "");
  for (int i = 0; i < 100'000; ++i) writer.Record(kind, kBase, 1);
  writer.Close(/*finish=*/true);
  const auto counters = writer.counters();
  EXPECT_EQ(counters.recorded + counters.dropped, 100'001U);
  EXPECT_EQ(counters.lost, 0U);
  size_t written = 0;
  for (const auto& file : Finished()) written += SpansIn(file).size();
  EXPECT_EQ(written, counters.recorded);
}

TEST_F(TimelineWriterTest, AKindThatNobodyDescribedIsPassedOver) {
  TimelineWriter writer(options_);
  writer.Record(writer.AddKind("P", "known", "") + 1, kBase, 1);
  writer.Record(0, kBase, 1);
  writer.Close(/*finish=*/true);
  ASSERT_EQ(Finished().size(), 1U);
  EXPECT_EQ(SpansIn(Finished()[0]), std::vector<std::string>{"known"});
}

TEST_F(TimelineWriterTest, AFolderThatCannotBeMadeIsTriedAgain) {
  fs::create_directories(root_);
  std::ofstream(root_ / "profiler") << "a file";
  options_.settings.open_fail_threshold = 2;
  TimelineWriter writer(options_);
  const auto kind = writer.AddKind("P", "op", "");
  for (int i = 0; i < 5; ++i) writer.Record(kind, kBase, 1);
  ASSERT_TRUE(writer.Flush());
  EXPECT_FALSE(writer.healthy());
  EXPECT_EQ(writer.counters().lost, 5U);
  fs::remove(root_ / "profiler");
  while (!writer.healthy()) {
    writer.Record(kind, kBase, 1);
    ASSERT_TRUE(writer.Flush());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  writer.Close(/*finish=*/true);
  ASSERT_EQ(Finished().size(), 1U);
  EXPECT_EQ(SpansIn(Finished()[0]).size(), 1U);
}

TEST_F(TimelineWriterTest, AFullDiskCostsEventsAndNothingElse) {
  TimelineWriter writer(options_);
  const auto kind = writer.AddKind("P", "op", "");
  writer.Record(kind, kBase, 1);
  ASSERT_TRUE(writer.Flush());
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{fs::file_size(Temporary()) + 100, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  for (int i = 0; i < 50; ++i) writer.Record(kind, kBase, 1);
  ASSERT_TRUE(writer.Flush());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(writer.counters().lost, 50U);
  EXPECT_TRUE(ReadFile(Temporary()).ends_with("},\n"));
  writer.Record(kind, kBase, 1);
  writer.Close(/*finish=*/true);
  ASSERT_EQ(Finished().size(), 1U);
  EXPECT_EQ(SpansIn(Finished()[0]).size(), 2U);
}

TEST_F(TimelineWriterTest, AFolderThatIsRemovedIsMadeAgain) {
  TimelineWriter writer(options_);
  const auto kind = writer.AddKind("P", "op", "");
  writer.Record(kind, kBase, 1);
  ASSERT_TRUE(writer.Flush());
  fs::remove_all(root_);
  writer.Record(kind, kBase, 1);
  ASSERT_TRUE(writer.Flush());  // It is only now that the thread notices.
  writer.Record(kind, kBase, 1);
  writer.Close(/*finish=*/true);
  ASSERT_EQ(Finished().size(), 1U);
  EXPECT_EQ(SpansIn(Finished()[0]).size(), 1U);
}

TEST_F(TimelineWriterTest, AForkedChildStaysSilent) {
  auto writer = std::make_unique<TimelineWriter>(options_);
  writer->Record({.phase = "P", .name = "of the parent", .start_us = kBase});
  const pid_t child = fork();
  if (child == 0) {
    writer->Record({.phase = "P", .name = "of the child", .start_us = kBase});
    const bool good = writer->Flush() && writer->Close(/*finish=*/true);
    writer.reset();
    _exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(Finished().empty());
  writer->Close(/*finish=*/true);
  ASSERT_EQ(Finished().size(), 1U);
  EXPECT_EQ(SpansIn(Finished()[0]), std::vector<std::string>{"of the parent"});
}

TEST_F(TimelineWriterTest, ManyThreadsRecordAtOnce) {
  TimelineWriter writer(options_);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&writer, t] {
      const auto kind = writer.AddKind("P", "op" + std::to_string(t), "");
      for (int i = 0; i < 2000; ++i) {
        writer.Record(kind, kBase, 1, i);
        if (i % 100 == 0) writer.Record({.phase = "Q", .name = "other", .start_us = kBase});
        if (i % 500 == 0) writer.Flush();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  writer.Close(/*finish=*/true);
  size_t written = 0;
  for (const auto& file : Finished()) written += SpansIn(file).size();
  EXPECT_EQ(written, 4U * 2020U);
}

}  // namespace
}  // namespace warden::capture
