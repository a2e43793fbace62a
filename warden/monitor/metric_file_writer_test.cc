#include "warden/monitor/metric_file_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "warden/format/metric_line.h"
#include "warden/format/profiler_layout.h"
#include "warden/monitor/monitor_for_test.h"

namespace warden::monitor {
namespace {

constexpr double kNoon = 1767268800;  // 2026-01-01 12:00 UTC.
constexpr char kHour[] = "system/incremental/2026010112/";

class MetricFileWriterTest : public testing::Test {
 protected:
  void Write(double time_s, double value = 1) {
    Tick tick;
    tick.time_s = time_s;
    tick.Put(slots_.Of(Metric::kCpu, "cpu0"), value);
    writer_->Write(tick, slots_);
  }
  void Open() {
    writer_.reset();
    writer_.emplace(folder_.path(), "algo-1");
  }
  std::string Part(double minute) const { return fmt::format("{}{}.algo-1.part", kHour, minute); }
  std::string Whole(double minute) const { return fmt::format("{}{}.algo-1.json", kHour, minute); }
  // Values of a file's lines, all of which are good.
  std::vector<double> Values(const std::string& name) const {
    std::vector<double> values;
    const std::string text = folder_.Read(name);
    const auto read = format::ReadMetricLines(
        text, [&](const format::MetricLine& line) { values.push_back(line.value); });
    EXPECT_EQ(read.broken, 0) << read.first_broken;
    EXPECT_EQ(read.bytes, text.size());
    return values;
  }

  FilesForTest folder_;
  Slots slots_;
  std::optional<MetricFileWriter> writer_;
};

TEST_F(MetricFileWriterTest, LinesAsTheOriginalHasThem) {
  Open();
  Write(kNoon + 1.25, 12.5);
  EXPECT_EQ(folder_.Read(Part(kNoon)),
            R"({"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":12.5,)"
            R"("NodeId":"algo-1","Timestamp":1767268801.250000})"
            "\n");
}

TEST_F(MetricFileWriterTest, AFileForEachMinuteNamedWhenItIsOver) {
  Open();
  Write(kNoon + 1, 1);
  Write(kNoon + 59.999, 2);
  EXPECT_TRUE(folder_.Has(Part(kNoon)));
  EXPECT_FALSE(folder_.Has(Whole(kNoon)));
  Write(kNoon + 60, 3);
  EXPECT_FALSE(folder_.Has(Part(kNoon)));
  EXPECT_EQ(Values(Whole(kNoon)), (std::vector<double>{1, 2}));
  EXPECT_EQ(Values(Part(kNoon + 60)), (std::vector<double>{3}));
  // The hour is that of the file, in UTC.
  Write(kNoon + 3600, 4);
  EXPECT_TRUE(folder_.Has("system/incremental/2026010113/1767272400.algo-1.part"));
  EXPECT_FALSE(folder_.Has("system/training_job_end.ts"));
  ASSERT_TRUE(writer_->Close().ok());
  EXPECT_TRUE(folder_.Has("system/incremental/2026010113/1767272400.algo-1.json"));
  EXPECT_TRUE(folder_.Has("system/training_job_end.ts"));
}

TEST_F(MetricFileWriterTest, TicksThatComeFastAreWrittenTogetherAndSoon) {
  Open();
  Write(kNoon, 0);
  EXPECT_EQ(Values(Part(kNoon)).size(), 1U);
  for (int i = 1; i < 100; ++i) {
    Write(kNoon + i * 0.01, i);
    // Nothing is held back longer than 100 ms.
    EXPECT_GE(Values(Part(kNoon)).size() + 10, static_cast<size_t>(i));
  }
  writer_->Flush();
  EXPECT_EQ(Values(Part(kNoon)).size(), 100U);
}

TEST_F(MetricFileWriterTest, AtUsualIntervalsEachTickIsThereAtOnce) {
  Open();
  for (int i = 0; i < 10; ++i) {
    Write(kNoon + i * 0.1, i);
    EXPECT_EQ(Values(Part(kNoon)).size(), static_cast<size_t>(i + 1));
  }
}

TEST_F(MetricFileWriterTest, WhatAKilledOneLeftIsFinished) {
  const std::string line =
      "{\"Type\":\"cpu\",\"Dimension\":\"\",\"Value\":1,\"NodeId\":\"algo-1\","
      "\"Timestamp\":1}\n";
  folder_.Write(Part(kNoon), line + line + "{\"Type\":\"cp");
  folder_.Write(Part(kNoon + 60), "");
  folder_.Write(std::string(kHour) + "1767268800.algo-2.part", line);
  folder_.Write("system/training_job_end.ts", "");
  Open();
  EXPECT_FALSE(folder_.Has("system/training_job_end.ts"));
  EXPECT_EQ(Values(Whole(kNoon)).size(), 2U);  // But for the line without an end.
  EXPECT_FALSE(folder_.Has(Part(kNoon)));
  EXPECT_FALSE(folder_.Has(Part(kNoon + 60)));
  EXPECT_FALSE(folder_.Has(Whole(kNoon + 60)));
  EXPECT_TRUE(folder_.Has(std::string(kHour) + "1767268800.algo-2.part"));  // Another machine's.
}

TEST_F(MetricFileWriterTest, ASecondOneWithinTheMinuteGoesOn) {
  Open();
  Write(kNoon + 1, 1);
  Open();
  EXPECT_EQ(Values(Whole(kNoon)).size(), 1U);
  Write(kNoon + 2, 2);
  EXPECT_FALSE(folder_.Has(Whole(kNoon)));
  writer_.reset();
  EXPECT_EQ(Values(Whole(kNoon)), (std::vector<double>{1, 2}));
}

TEST_F(MetricFileWriterTest, BothNamesAreJoined) {
  const std::string line =
      "{\"Type\":\"cpu\",\"Dimension\":\"\",\"Value\":7,\"NodeId\":\"algo-1\","
      "\"Timestamp\":1}\n";
  folder_.Write(Part(kNoon), line);
  folder_.Write(Whole(kNoon), line);
  Open();
  EXPECT_FALSE(folder_.Has(Part(kNoon)));
  EXPECT_EQ(Values(Whole(kNoon)).size(), 2U);
}

TEST_F(MetricFileWriterTest, AClockThatIsSetBackLosesNothing) {
  Open();
  Write(kNoon + 61, 1);
  Write(kNoon + 5, 2);
  Write(kNoon + 62, 3);
  writer_.reset();
  EXPECT_EQ(Values(Whole(kNoon)), (std::vector<double>{2}));
  EXPECT_EQ(Values(Whole(kNoon + 60)), (std::vector<double>{1, 3}));
}

TEST_F(MetricFileWriterTest, AFolderThatIsRemovedIsMadeAnew) {
  Open();
  Write(kNoon + 1, 1);
  std::filesystem::remove_all(folder_.path());
  Write(kNoon + 2, 2);
  EXPECT_EQ(Values(Part(kNoon)), (std::vector<double>{2}));
}

TEST_F(MetricFileWriterTest, GoesOnWhenItCanWriteAgain) {
  folder_.Write("system", "a file where the folder should be");
  Open();
  Write(kNoon + 1, 1);
  Write(kNoon + 2, 2);
  std::filesystem::remove(folder_.path() + "/system");
  Write(kNoon + 2.5, 3);  // Not tried yet.
  Write(kNoon + 3, 4);
  writer_.reset();
  EXPECT_EQ(Values(Whole(kNoon)), (std::vector<double>{4}));
}

// As on a full disk, a write that is only half done leaves no half line.
TEST_F(MetricFileWriterTest, AFullDiskLeavesWholeLines) {
  Open();
  Write(kNoon + 1, 1);
  const auto size = folder_.Read(Part(kNoon)).size();
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{size + 20, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  Write(kNoon + 2, 2);
  const std::string full = folder_.Read(Part(kNoon));
  Write(kNoon + 3, 3);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
  EXPECT_EQ(full.size(), size);
  Write(kNoon + 4, 4);
  writer_.reset();
  EXPECT_EQ(Values(Whole(kNoon)), (std::vector<double>{1, 4}));
}

TEST_F(MetricFileWriterTest, TwoAtATimeDoNotSpoilEachOther) {
  Open();
  Write(kNoon + 1, 1);
  // A lock is of the open file: a second writer in this process is as good as another process.
  MetricFileWriter second(folder_.path(), "algo-1");
  Tick tick;
  tick.time_s = kNoon + 2;
  tick.Put(0, 2);
  second.Write(tick, slots_);
  Write(kNoon + 3, 3);
  second.FinishFile();
  writer_.reset();
  EXPECT_EQ(Values(Whole(kNoon)), (std::vector<double>{1, 3}));
}

TEST_F(MetricFileWriterTest, NothingMeasuredNothingWritten) {
  Open();
  writer_->Write(Tick(), slots_);
  ASSERT_TRUE(writer_->Close().ok());
  EXPECT_FALSE(folder_.Has("system/incremental"));
}

}  // namespace
}  // namespace warden::monitor
