#include "warden/jobs/logs/log_search.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/jobs/logs/log_folder.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/storage_for_test.h"

namespace warden::jobs {
namespace {

Time TimeAt(int64_t milliseconds) { return Time(std::chrono::milliseconds(milliseconds)); }
bool Any(const LogLine& /*line*/) { return true; }

class LogSearchTest : public ::testing::Test {
 protected:
  // A file of the log with lines "line <i>", each printed at i * 10 ms. The position behind it.
  uint64_t WriteLines(uint64_t start, int first, int end) {
    std::string text;
    for (int i = first; i < end; ++i) text += fmt::format("{} line {}\n", i * 10, i);
    return Write(start, text);
  }
  uint64_t Write(uint64_t start, const std::string& text) {
    std::filesystem::create_directories(log_);
    std::ofstream(log_ + "/" + LogFileName(start)) << text;
    return start + text.size();
  }

  LogPart From(uint64_t position, const LogLimits& limits = {}, const WantsLine& wants = Any) {
    return Done(LinesFrom(log_, position, limits, wants));
  }
  LogPart Before(uint64_t position, const LogLimits& limits = {}, const WantsLine& wants = Any) {
    return Done(LinesBefore(log_, position, limits, wants));
  }
  std::vector<LogRange> Kept() { return Done(KeptRanges(log_)); }
  // The text of the line that is found for a moment; "" behind the last one.
  std::string LineAt(int64_t milliseconds) {
    const LogPart part = From(Done(PositionAt(log_, TimeAt(milliseconds))), {.lines = 1});
    return Text(part);
  }
  template <class T>
  static T Done(Result<T> result) {
    EXPECT_TRUE(result.ok());
    return std::move(result.value());
  }
  // The lines, with '|' between.
  static std::string Text(const LogPart& part) {
    std::string text;
    for (const LogLine& line : part.lines) text += (text.empty() ? "" : "|") + line.text;
    return text;
  }

  os::TempFolder folder_;
  std::string log_ = folder_.path() / "log";
};

TEST_F(LogSearchTest, NothingIsFoundWhereNothingIs) {
  EXPECT_EQ(Text(Before(kLogEnd)), "");
  EXPECT_EQ(Text(From(0)), "");
  EXPECT_EQ(LineAt(0), "");
  EXPECT_TRUE(Kept().empty());
  Write(0, "");
  EXPECT_FALSE(Before(kLogEnd).more);
  EXPECT_FALSE(From(7).more);
  EXPECT_EQ(LineAt(0), "");
  EXPECT_TRUE(Kept().empty());
}

TEST_F(LogSearchTest, OlderPagesFollowEachOther) {
  const uint64_t second = WriteLines(0, 0, 6);
  const uint64_t end = WriteLines(second, 6, 10);
  LogPart page = Before(kLogEnd, {.lines = 4});
  EXPECT_EQ(Text(page), "line 6|line 7|line 8|line 9");
  EXPECT_TRUE(page.more);
  EXPECT_EQ(page.begin, second);
  EXPECT_EQ(page.end, end);
  page = Before(page.begin, {.lines = 4});
  EXPECT_EQ(Text(page), "line 2|line 3|line 4|line 5");
  EXPECT_EQ(page.end, second);
  page = Before(page.begin, {.lines = 4});
  EXPECT_EQ(Text(page), "line 0|line 1");
  EXPECT_FALSE(page.more);
  EXPECT_EQ(page.begin, 0U);
  EXPECT_EQ(Text(Before(0)), "");
  EXPECT_FALSE(Before(0).more);
  EXPECT_EQ(Text(From(page.end)), "line 2|line 3|line 4|line 5|line 6|line 7|line 8|line 9");
}

TEST_F(LogSearchTest, EveryLineOfALongLogIsReached) {
  constexpr int kLines = 60'000;  // Several windows.
  WriteLines(0, 0, kLines);
  int expected = kLines;
  uint64_t position = kLogEnd;
  for (bool more = true; more;) {
    const LogPart page = Before(position, {.lines = 7'000});
    for (auto line = page.lines.rbegin(); line != page.lines.rend(); ++line) {
      ASSERT_EQ(line->text, fmt::format("line {}", --expected));
    }
    more = page.more;
    position = page.begin;
  }
  EXPECT_EQ(expected, 0);
  EXPECT_EQ(Text(Before(kLogEnd, {.lines = 1})), fmt::format("line {}", kLines - 1));
}

TEST_F(LogSearchTest, ASearchIsBoundedAndContinues) {
  WriteLines(0, 0, 60'000);
  const auto wants = [](const LogLine& line) {
    return line.text == "line 5" || line.text == "line 7" || line.text == "line 59990";
  };
  const LogLimits little{.searched = 300'000};
  LogPart page = Before(kLogEnd, little, wants);
  EXPECT_EQ(Text(page), "line 59990");
  EXPECT_TRUE(page.more);
  EXPECT_GT(page.begin, 0U);
  while (page.more && page.begin > 0) page = Before(page.begin, little, wants);
  EXPECT_EQ(Text(page), "line 5|line 7");
  EXPECT_FALSE(page.more);
  page = From(0, little, wants);
  EXPECT_EQ(Text(page), "line 5|line 7");
  EXPECT_TRUE(page.more);
  page = From(0, {.lines = 1}, wants);
  EXPECT_EQ(Text(page), "line 5");
  EXPECT_TRUE(page.more);
  page = From(page.end, {}, wants);
  EXPECT_EQ(Text(page), "line 7|line 59990");
  EXPECT_FALSE(page.more);
}

TEST_F(LogSearchTest, AnAnswerHasAtLeastOneLine) {
  WriteLines(0, 0, 3);
  EXPECT_EQ(Text(Before(kLogEnd, {.bytes = 1})), "line 2");
  EXPECT_EQ(Text(From(0, {.bytes = 1})), "line 0");
  EXPECT_EQ(Text(From(0, {.bytes = 13})), "line 0|line 1");
}

TEST_F(LogSearchTest, AnIncompleteLineIsLeftForLater) {
  const uint64_t whole = WriteLines(0, 0, 2);
  std::ofstream(log_ + "/" + LogFileName(0), std::ios::app) << "20 li";
  const LogPart page = Before(kLogEnd);
  EXPECT_EQ(Text(page), "line 0|line 1");
  EXPECT_EQ(page.end, whole);
  std::ofstream(log_ + "/" + LogFileName(0), std::ios::app) << "ne 2\n";
  EXPECT_EQ(Text(From(page.end)), "line 2");
}

TEST_F(LogSearchTest, FindsTheFirstLineAtOrAfterAMoment) {
  constexpr int kLines = 100'000;
  const uint64_t second = WriteLines(0, 1, kLines / 2);
  WriteLines(second, kLines / 2, kLines);
  EXPECT_EQ(LineAt(0), "line 1");
  for (const int i : {1, 2, 999, 31'416, kLines / 2 - 1, kLines / 2, 77'777, kLines - 1}) {
    EXPECT_EQ(LineAt(i * 10), fmt::format("line {}", i));
    EXPECT_EQ(LineAt(i * 10 - 9), fmt::format("line {}", i));
  }
  EXPECT_EQ(LineAt(kLines * 10), "");
}

TEST_F(LogSearchTest, OfLinesOfOneMomentTheFirstIsFound) {
  std::string text = "5 before\n";
  for (int i = 0; i < 50'000; ++i) text += fmt::format("10 line {}\n", i);
  Write(0, text + "20 after\n");
  EXPECT_EQ(LineAt(10), "line 0");
  EXPECT_EQ(LineAt(11), "after");
}

TEST_F(LogSearchTest, GapsAreKnownAndCrossed) {
  const std::string gap = GapLine(TimeAt(900'000));  // Later than the lines that follow it.
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += fmt::format("{} line {}\n", i * 10, i);
  const uint64_t end = Write(0, text + gap);
  constexpr uint64_t kSecond = 100'000'000;
  const uint64_t last = WriteLines(kSecond, 50'000, 70'000);
  const std::vector<LogRange> kept = Kept();
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].begin, 0U);
  EXPECT_EQ(kept[0].end, end);
  EXPECT_EQ(kept[1].begin, kSecond);
  EXPECT_EQ(kept[1].end, last);
  const LogPart across = Before(kSecond + 15, {.lines = 3});
  EXPECT_EQ(Text(across), "line 19999|[output left out here]|line 50000");
  EXPECT_TRUE(SaysGap(across.lines[1], kept));
  EXPECT_FALSE(SaysGap(across.lines[0], kept));
  const LogLine printed{TimeAt(1), "[output left out here]", 7};
  EXPECT_FALSE(SaysGap(printed, kept)) << "a training may print it";
  EXPECT_EQ(Text(Before(kSecond / 2, {.lines = 2})), "line 19999|[output left out here]");
  EXPECT_EQ(Text(From(kSecond / 2, {.lines = 1})), "line 50000");
  for (const int i : {0, 19'999, 50'000, 50'001, 69'999}) {
    EXPECT_EQ(LineAt(i * 10), fmt::format("line {}", i));
  }
  EXPECT_EQ(LineAt(300'000), "line 50000") << "a moment that was left out";
  EXPECT_EQ(LineAt(900'000), "") << "the gap is no line of that moment";
}

TEST_F(LogSearchTest, AcceptsWhatOthersWroteThere) {
  Write(0, std::string(3 << 20, 'x'));  // Neither times nor ends of lines.
  size_t bytes = 0;
  uint64_t position = kLogEnd;
  for (bool more = true; more;) {
    const LogPart page = Before(position, {.lines = 1});
    for (const LogLine& line : page.lines) bytes += line.text.size();
    more = page.more;
    ASSERT_TRUE(!more || page.begin < position);
    position = page.begin;
  }
  EXPECT_GE(bytes, size_t{2} << 20);
  EXPECT_EQ(LineAt(1), "");
  Write(0, std::string(1 << 20, '\n') + "7 x\n");
  EXPECT_EQ(LineAt(7), "x");
  Write(0, "9 later\n5 earlier\nnone\n");
  EXPECT_EQ(LineAt(6), "later");
  EXPECT_EQ(LineAt(std::numeric_limits<int64_t>::max()), "");
  EXPECT_EQ(LineAt(std::numeric_limits<int64_t>::min()), "later");
  Write(std::numeric_limits<uint64_t>::max(), "1 too far\n");
  Write(std::numeric_limits<int64_t>::max(), "1 too far\n");
  EXPECT_EQ(Kept().size(), 1U);
  EXPECT_EQ(Text(Before(kLogEnd)), "later|earlier|none");
}

}  // namespace
}  // namespace warden::jobs
