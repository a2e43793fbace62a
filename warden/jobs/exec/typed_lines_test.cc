#include "warden/jobs/exec/typed_lines.h"

#include <gtest/gtest.h>

#include <vector>

namespace warden::jobs {
namespace {

class TypedLinesTest : public ::testing::Test {
 protected:
  std::vector<std::string> lines_;
  TypedLines typed_{[this](std::string line) { lines_.push_back(std::move(line)); }};
};

using Lines = std::vector<std::string>;

TEST_F(TypedLinesTest, ALineIsWhatWasLeftOfIt) {
  typed_.Add("ls -x\x7fl\r", false);
  typed_.Add("wrong\x15right\n", false);
  typed_.Add("gr\xc3\xbc\x7f\x7f\r\n", false);
  EXPECT_EQ(lines_, (Lines{"ls -l", "right", "g"}));
}

TEST_F(TypedLinesTest, KeysComeInPieces) {
  for (const char key : std::string("\x1b[A\x1bOBx\x1b[3~\r")) typed_.Add({&key, 1}, false);
  EXPECT_EQ(lines_, (Lines{"<up><down>x<delete>"}));
}

TEST_F(TypedLinesTest, KeysThatBreakOffEndTheLine) {
  typed_.Add("sleep 9\rab\x03", false);
  typed_.Add("\x12make\t\r\x04", false);
  EXPECT_EQ(lines_, (Lines{"sleep 9", "ab^C", "^Rmake<tab>", "^D"}));
}

TEST_F(TypedLinesTest, WhatIsNotSeenIsNotKept) {
  typed_.Add("sudo ls\r", false);
  typed_.Add("hun", true);
  typed_.Add("ter2\r", true);
  typed_.Add("\r", true);
  typed_.Add("id\r", false);
  EXPECT_EQ(lines_, (Lines{"sudo ls", "(not shown)", "(not shown)", "id"}));
}

TEST_F(TypedLinesTest, ALineThatWasHiddenInPartIsHidden) {
  typed_.Add("pass", true);
  typed_.Add("word\r", false);
  EXPECT_EQ(lines_, (Lines{"(not shown)"}));
}

TEST_F(TypedLinesTest, EmptyLinesSayNothing) {
  typed_.Add("\r\n\r\n\n", false);
  EXPECT_EQ(lines_, Lines());
}

TEST_F(TypedLinesTest, ControlBytesCannotForgeALine) {
  typed_.Add(std::string("a\0b\x01", 4), false);
  typed_.Add("\x1b[31;9999999999999999999999999999mz\r", false);
  typed_.Add("id\x1b\r\x1b[\x01\r", false);
  ASSERT_EQ(lines_.size(), 3u);
  EXPECT_EQ(lines_[1], "id<escape>");
  for (const std::string& line : lines_) {
    for (const char c : line) EXPECT_GE(c, 0x20) << line;
  }
}

TEST_F(TypedLinesTest, AnEndlessLineIsCut) {
  typed_.Add(std::string(10'000, 'x'), false);
  typed_.Finish();
  EXPECT_EQ(lines_.size(), 3u);
}

}  // namespace
}  // namespace warden::jobs
