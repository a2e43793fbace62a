#include "warden/watch/local/profiling_change.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "warden/base/json.h"
#include "warden/os/program.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"

namespace warden::watch {
namespace {

class ProfilingChangeTest : public testing::Test {
 protected:
  void Write(const std::string& text) { std::ofstream(file_) << text; }
  std::string Text() const { return os::ReadWholeFile(file_).value_or(""); }
  Json Now() const { return ParseJson(Text()).value(); }

  os::TempFolder folder_;
  const std::string file_ = folder_.File("profilerconfig.json");
};

TEST_F(ProfilingChangeTest, MembersAreReplacedWhateverTheirCase) {
  Write(R"({"disableprofiler": true, "ProfilingIntervalInMilliseconds": 100,
            "profilingparameters": {"localpath": "/there", "numSteps": 1}})");
  const Json change{{"DisableProfiler", false},
                    {"ProfilingParameters", {{"NumSteps", 2}, {"Other", "x"}}}};
  ASSERT_TRUE(ChangeProfiling(file_, change).ok());
  EXPECT_EQ(
      Now(),
      (Json{{"ProfilingIntervalInMilliseconds", 100},
            {"DisableProfiler", false},
            {"ProfilingParameters", {{"NumSteps", 2}, {"Other", "x"}, {"LocalPath", "/there"}}}}));
  ASSERT_TRUE(ChangeProfiling(file_, {{"ProfilingParameters", {{"Other", nullptr}}}}).ok());
  EXPECT_FALSE(Now()["ProfilingParameters"].contains("Other"));
}

TEST_F(ProfilingChangeTest, ATrainingThatRecordedNothingWritesBesideTheFile) {
  Write(R"({"ProfilingParameters": {}})");
  ASSERT_TRUE(ChangeProfiling(file_, {{"ProfilingParameters", {{"NumSteps", 2}}}}).ok());
  EXPECT_EQ(Now()["ProfilingParameters"]["LocalPath"], folder_.path().string());
  std::filesystem::remove(file_);
  ASSERT_TRUE(ChangeProfiling(file_, {{"ProfilingParameters", {{"NumSteps", 2}}}}).ok());
  EXPECT_EQ(Now()["ProfilingParameters"]["LocalPath"], folder_.path().string());
}

TEST_F(ProfilingChangeTest, WhatIsNoObjectStaysAsItIs) {
  for (const char* text : {"[1]", "{", "\"text\""}) {
    Write(text);
    EXPECT_EQ(ChangeProfiling(file_, {{"a", 1}}).code(), Code::kInvalid) << text;
    EXPECT_EQ(Text(), text);
  }
}

TEST_F(ProfilingChangeTest, AProcessWasToldOfItsFile) {
  EXPECT_EQ(ProfilerConfigOf(1 << 29).status().code(), Code::kNotFound);
  for (const bool told : {true, false}) {
    os::Program program;
    program.words = {"sleep", "60"};
    program.environment = {
        {"OTHER=1", told ? "SMPROFILER_CONFIG_PATH=/a/b.json" : "SMPROFILER_CONFIG_PATH="}};
    const os::Started started = os::StartProgram(std::move(program));
    ASSERT_GT(started.pid, 0);
    const auto file = ProfilerConfigOf(started.pid);
    if (told) {
      EXPECT_EQ(file.value(), "/a/b.json");
    } else {
      EXPECT_EQ(file.status().code(), Code::kUnavailable);
    }
    kill(started.pid, SIGKILL);
    waitpid(started.pid, nullptr, 0);
  }
}

}  // namespace
}  // namespace warden::watch
