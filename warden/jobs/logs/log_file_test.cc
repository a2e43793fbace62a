#include "warden/jobs/logs/log_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "warden/jobs/logs/log_folder.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/storage_for_test.h"

namespace warden::jobs {
namespace {

Time At(int64_t milliseconds) { return Time(std::chrono::milliseconds(milliseconds)); }

class LogTest : public ::testing::Test {
 protected:
  std::unique_ptr<LogWriter> Open(uint64_t file_bytes = 1 << 20, int files = 3) {
    Result<std::unique_ptr<LogWriter>> writer = LogWriter::Open(log_, file_bytes, files);
    EXPECT_TRUE(writer.ok());
    return std::move(writer).value();
  }

  LogPage Read(uint64_t position = 0, size_t lines = 1000, size_t bytes = 1 << 20) {
    Result<LogPage> page = ReadLog(log_, position, lines, bytes);
    EXPECT_TRUE(page.ok());
    return std::move(page).value();
  }

  // "time:text" of each line, with '|' between.
  std::string Text(const LogPage& page) {
    std::string text;
    for (const LogLine& line : page.lines) {
      text += (text.empty() ? "" : "|") + std::to_string(line.time.time_since_epoch().count()) +
              ":" + line.text;
    }
    return text;
  }

  os::TempFolder folder_;
  std::string log_ = folder_.path() / "log";
};

TEST_F(LogTest, KeepsLinesWithTheirTimes) {
  EXPECT_EQ(Text(Read()), "");
  const std::unique_ptr<LogWriter> writer = Open();
  writer->Append("one\ntw", At(1000));
  EXPECT_EQ(Text(Read()), "1000:one");
  writer->Append("o\n\nthree", At(2000));
  EXPECT_EQ(Text(Read()), "1000:one|2000:two|2000:");
  writer->Close(At(3000));
  EXPECT_EQ(Text(Read()), "1000:one|2000:two|2000:|3000:three");
}

TEST_F(LogTest, APipeInPlaceOfAFileIsNotWaitedFor) {
  Open()->Append("one\n", At(1));
  // The more files there are, the more time passes between listing the first and opening it.
  for (int i = 0; i < 100; ++i) std::ofstream(log_ + "/" + LogFileName(100 + i)) << "1 x\n";
  const std::string file = log_ + "/" + LogFileName(0), pipe = log_ + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::jthread swapper([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      renameat2(AT_FDCWD, pipe.c_str(), AT_FDCWD, file.c_str(), RENAME_EXCHANGE);
    }
  });
  for (int i = 0; i < 100; ++i) EXPECT_LE(Read(0, 1).lines.size(), 1U);
}

TEST_F(LogTest, ReturnsOfProgressBarsEndLines) {
  const std::unique_ptr<LogWriter> writer = Open();
  writer->Append("\r10%\r20%\r\nend\r", At(1));
  writer->Append("\nnext\n", At(2));
  EXPECT_EQ(Text(Read()), "1:10%|1:20%|1:end|2:next");
}

TEST_F(LogTest, GoesOnWhereItWas) {
  const std::unique_ptr<LogWriter> writer = Open();
  writer->Append("a\nb\nc\nd\n", At(1));
  const LogPage first = Read(0, 2);
  EXPECT_EQ(Text(first), "1:a|1:b");
  const LogPage second = Read(first.next);
  EXPECT_EQ(Text(second), "1:c|1:d");
  EXPECT_EQ(second.lines[0].position, first.next);
  EXPECT_EQ(Read(second.next).next, second.next);
  writer->Append("e\n", At(2));
  EXPECT_EQ(Text(Read(second.next)), "2:e");
  EXPECT_EQ(Text(Read(0, 1000, 6)), "1:a|1:b");
  EXPECT_EQ(Text(Read(0, 1000, 0)), "1:a") << "always gets on";
  EXPECT_EQ(Text(Read(1'000'000)), "") << "a place that never was";
}

TEST_F(LogTest, OldFilesGoAndPlacesStay) {
  const std::unique_ptr<LogWriter> writer = Open(100, 3);
  const uint64_t early = 3;
  for (int i = 0; i < 100; ++i) writer->Append("line " + std::to_string(i) + "\n", At(i));
  const auto files = std::filesystem::directory_iterator(log_);
  EXPECT_EQ(std::distance(begin(files), end(files)), 3);
  const LogPage rest = Read(early);
  EXPECT_EQ(rest.lines.back().text, "line 99");
  EXPECT_LT(rest.lines.size(), 40u);
  EXPECT_EQ(rest.lines.front().text, "line " + std::to_string(100 - rest.lines.size()));
  EXPECT_EQ(Text(Read(rest.next)), "");
  // Page by page is the same.
  std::string pages;
  for (uint64_t at = 0; at != rest.next;) {
    const LogPage page = Read(at, 1);
    ASSERT_EQ(page.lines.size(), 1u);
    pages += (pages.empty() ? "" : "|") + Text(page);
    at = page.next;
  }
  EXPECT_EQ(pages, Text(rest));
}

TEST_F(LogTest, KeepsTheBeginningAndTheEndIfAsked) {
  auto writer = LogWriter::Open(log_, /*file_bytes=*/40, /*files=*/3, /*keeps_first=*/true);
  ASSERT_TRUE(writer.ok());
  for (int i = 0; i < 100; ++i) {
    writer.value()->Append("line " + std::to_string(i) + "\n", At(1000 + i));
  }
  writer.value()->Close(At(2000));
  const LogPage page = Read();
  ASSERT_GT(page.lines.size(), 5U);
  EXPECT_LT(page.lines.size(), 20U);
  EXPECT_EQ(page.lines.front().text, "line 0");
  EXPECT_EQ(page.lines.back().text, "line 99");
  const auto gaps = std::count_if(page.lines.begin(), page.lines.end(), [](const LogLine& line) {
    return line.text == "[output left out here]";
  });
  EXPECT_EQ(gaps, 1);
  // Reading on in pieces finds the same lines.
  std::string text;
  for (uint64_t position = 0;;) {
    const LogPage next = Read(position, /*lines=*/2);
    if (next.lines.empty()) break;
    text += (text.empty() ? "" : "|") + Text(next);
    position = next.next;
  }
  EXPECT_EQ(text, Text(page));
}

TEST_F(LogTest, ContinuesAfterACrash) {
  Open()->Append("whole\ncut", At(1));
  std::ofstream(log_ + "/log.00000000000000000000", std::ios::app) << "2 torn";
  EXPECT_EQ(Text(Read()), "1:whole") << "the rest may still come";
  const std::unique_ptr<LogWriter> writer = Open();
  writer->Append("more\n", At(3));
  EXPECT_EQ(Text(Read()), "1:whole|2:torn|3:more");
}

TEST_F(LogTest, LongLinesAreCutAndOddBytesReplaced) {
  const std::unique_ptr<LogWriter> writer = Open();
  writer->Append(std::string(200'000, 'x') + "\nbad \xFF byte\n", At(1));
  const LogPage page = Read();
  EXPECT_EQ(page.lines.size(), 5u);
  EXPECT_EQ(page.lines.back().text, "bad \xEF\xBF\xBD byte");
}

TEST_F(LogTest, ReadsWhatOthersWroteThere) {
  std::filesystem::create_directories(log_);
  std::ofstream(log_ + "/log.00000000000000000000")
      << "no time\n5 x\n-7 y\n99999999999999999999 z\n";
  std::ofstream(log_ + "/notes") << "not a log\n";
  std::ofstream(log_ + "/log.x") << "not a log\n";
  EXPECT_EQ(Text(Read()), "0:no time|5:x|5:-7 y|5:99999999999999999999 z");
  std::ofstream(log_ + "/log.00000000000000000099") << std::string(3 << 20, 'x');
  const LogPage huge = Read(99, 1000, 10 << 20);
  EXPECT_EQ(huge.lines.size(), 3u) << "a line without end is cut";
}

TEST_F(LogTest, SaysThatItCannotWrite) {
  std::ofstream(folder_.path() / "log") << "a file";
  EXPECT_FALSE(LogWriter::Open(log_, 100, 3).ok());
}

}  // namespace
}  // namespace warden::jobs
