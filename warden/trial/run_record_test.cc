#include "warden/trial/run_record.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/os/temp_folder_for_test.h"

namespace warden::trial {
namespace {

using Map = std::map<std::string, std::string>;

TEST(RunRecordTest, OptionsOfACommandAreHyperParameters) {
  RunRecord record;
  record.command = {"python",  "train.py", "--lr", "0.1", "--epochs=3",
                    "--quick", "--name",   "a b",  "-v",  "model.depth=4"};
  EXPECT_EQ(record.HyperParameters(), (Map{{"lr", "0.1"},
                                           {"epochs", "3"},
                                           {"quick", "true"},
                                           {"name", "a b"},
                                           {"model.depth", "4"}}));
}

TEST(RunRecordTest, TheScriptIsFoundAmongTheWordsOfACommand) {
  const auto script = [](std::vector<std::string> command) {
    RunRecord record;
    record.command = std::move(command);
    return record.Script();
  };
  EXPECT_EQ(script({"python", "-u", "train.py", "--lr", "0.1"}), "train.py");
  EXPECT_EQ(script({"torchrun", "--nproc_per_node", "2", "src/train.py"}), "src/train.py");
  EXPECT_EQ(script({"python", "-m", "package.train", "--lr", "0.1"}), "package.train");
  EXPECT_EQ(script({"./train.sh"}), "./train.sh");
  EXPECT_EQ(script({"python", "-m"}), "python");
  EXPECT_EQ(script({}), "");
}

TEST(RunRecordTest, ScriptsAreTheSameFromWhereverTheyAreStarted) {
  EXPECT_TRUE(IsSameScript("train.py", "./train.py"));
  EXPECT_TRUE(IsSameScript("train.py", "/home/me/train.py"));
  EXPECT_TRUE(IsSameScript("/a/b/../train.py", "/a/train.py"));
  EXPECT_FALSE(IsSameScript("/a/train.py", "/b/train.py"));
  EXPECT_FALSE(IsSameScript("train.py", "eval.py"));
  EXPECT_FALSE(IsSameScript("", ""));
}

TEST(RunRecordTest, ComesBackAsItWasWritten) {
  const os::TempFolder folder;
  RunRecord record;
  record.command = {"python", "train.py"};
  record.started = 1'700'000'000.5;
  ASSERT_TRUE(WriteRunRecord(folder.path().string(), record).ok());
  auto read = ReadRunRecord(folder.path().string());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->CommandLine(), "python train.py");
  EXPECT_EQ(read->started, record.started);
  EXPECT_FALSE(read->ended);

  record.ended = 1'700'000'010;
  record.signal = 15;
  ASSERT_TRUE(WriteRunRecord(folder.path().string(), record).ok());
  read = ReadRunRecord(folder.path().string());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->ended, record.ended);
  EXPECT_EQ(read->signal, 15);
  EXPECT_FALSE(read->exit_code);
}

TEST(RunRecordTest, WhatIsNoneIsNone) {
  const os::TempFolder folder;
  EXPECT_FALSE(ReadRunRecord(folder.path().string()));
  std::filesystem::create_directories(folder.path().string() + "/warden");
  for (const char* text : {"", "{", "[]", "{\"command\": 3}", "{}"}) {
    std::ofstream(folder.path().string() + "/warden/run.json") << text;
    EXPECT_FALSE(ReadRunRecord(folder.path().string())) << text;
  }
  std::ofstream(folder.path().string() + "/warden/run.json")
      << R"({"command": [1, "x"], "started": "soon", "exit_code": 1.5})";
  const auto read = ReadRunRecord(folder.path().string());
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->started);
  EXPECT_FALSE(read->exit_code);
}

}  // namespace
}  // namespace warden::trial
