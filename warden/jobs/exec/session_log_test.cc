#include "warden/jobs/exec/session_log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "warden/jobs/logs/log_file.h"

namespace warden::jobs {
namespace {

Time At(int64_t milliseconds) { return Time(std::chrono::milliseconds(milliseconds)); }

class SessionLogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/logXXXXXX";
    root_ = mkdtemp(pattern.data());
    folder_ = root_ + "/log";
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::vector<std::string> Texts() {
    std::vector<std::string> texts;
    for (uint64_t position = 0;;) {
      const auto part = ReadLog(folder_, position, 100, 1 << 20);
      if (!part.ok() || part.value().lines.empty()) return texts;
      for (const LogLine& line : part.value().lines) texts.push_back(line.text);
      position = part.value().next;
    }
  }

  std::string root_;
  std::string folder_;
};

TEST_F(SessionLogTest, StandsInTheLogWithItsTime) {
  ASSERT_TRUE(AddToLog(folder_, "first", At(5)).ok());
  auto writer = LogWriter::Open(folder_, 1 << 20, 3);
  ASSERT_TRUE(writer.ok());
  writer.value()->Append("second\n", At(6));
  ASSERT_TRUE(AddToLog(folder_, "th\nird\x1b[0m\r\n9 x", At(7)).ok());
  writer.value()->Append("fourth\n", At(8));
  EXPECT_EQ(Texts(), (std::vector<std::string>{"first", "second", "th?ird?[0m??9 x", "fourth"}));
  EXPECT_EQ(ReadLog(folder_, 0, 9, 999).value().lines[2].time, At(7));
}

TEST_F(SessionLogTest, NothingIsLostWhileTheWriterChangesFiles) {
  constexpr int kLines = 2000;
  auto writer = LogWriter::Open(folder_, 500, 10'000);
  ASSERT_TRUE(writer.ok());
  std::thread program([&] {
    for (int i = 0; i < kLines; ++i) writer.value()->Append(fmt::format("w{}\n", i), At(i));
  });
  for (int i = 0; i < kLines; ++i)
    EXPECT_TRUE(AddToLog(folder_, fmt::format("a{}", i), At(i)).ok());
  program.join();
  writer.value()->Close(At(kLines));
  const std::vector<std::string> texts = Texts();
  EXPECT_EQ(texts.size(), 2u * kLines);
  EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), 2u * kLines);
}

TEST_F(SessionLogTest, AFolderThatCannotBeIsTold) {
  std::ofstream(root_ + "/file") << "x";
  EXPECT_EQ(AddToLog(root_ + "/file/log", "x", At(1)).code(), Code::kIo);
}

}  // namespace
}  // namespace warden::jobs
