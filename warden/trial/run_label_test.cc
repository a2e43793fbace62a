#include "warden/trial/run_label.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/os/temp_folder_for_test.h"

namespace warden::trial {
namespace {

class RunLabelTest : public testing::Test {
 protected:
  void Put(const std::string& text) {
    std::filesystem::create_directories(run_ + "/warden");
    std::ofstream(run_ + "/warden/label.json") << text;
  }

  const os::TempFolder folder_;
  const std::string run_ = folder_.path().string();
};

TEST_F(RunLabelTest, ComesBackAsItWasWritten) {
  RunLabel label;
  label.good = false;
  label.since = 120;
  label.note = "wrong \"data\"\nsince the restart";
  label.time = 1'700'000'000.5;
  ASSERT_TRUE(WriteRunLabel(run_, label).ok());
  const auto read = ReadRunLabel(run_);
  ASSERT_TRUE(read.ok()) << read.status().message();
  ASSERT_TRUE(read.value());
  EXPECT_FALSE(read.value()->good);
  EXPECT_EQ(read.value()->since, 120);
  EXPECT_EQ(read.value()->note, label.note);
  EXPECT_EQ(read.value()->time, label.time);

  ASSERT_TRUE(RemoveRunLabel(run_).ok());
  EXPECT_FALSE(ReadRunLabel(run_).value());
  EXPECT_TRUE(RemoveRunLabel(run_).ok());
}

TEST_F(RunLabelTest, ARunWithoutOneHasNone) {
  const auto read = ReadRunLabel(run_);
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read.value());
}

TEST_F(RunLabelTest, ADamagedOneIsAnErrorThatNamesTheFile) {
  for (const char* text :
       {"", "{", "[]", "{}", R"({"label": "fine"})", R"({"label": 3})",
        R"({"label": "bad", "since": -1})", R"({"label": "bad", "since": "soon"})",
        R"({"label": "bad", "since": 1.5})", R"({"label": "bad", "since": 1e300})"}) {
    Put(text);
    const auto read = ReadRunLabel(run_);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.status().code(), Code::kCorrupt);
    EXPECT_NE(read.status().message().find("label.json"), std::string::npos);
  }
  Put(std::string(2 << 20, ' ') + R"({"label": "good"})");
  EXPECT_FALSE(ReadRunLabel(run_).ok());
}

TEST_F(RunLabelTest, MembersThatAreNotKnownAreIgnored) {
  Put(R"({"label": "good", "since": null, "note": 3, "time": "now", "by": "me"})");
  const auto read = ReadRunLabel(run_);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_TRUE(read.value()->good);
  EXPECT_EQ(read.value()->note, "");
}

}  // namespace
}  // namespace warden::trial
