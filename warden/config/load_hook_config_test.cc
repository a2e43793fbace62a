#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "warden/config/hook_config.h"

namespace warden::config {
namespace {

// A folder for files, and the three variables unset around each test.
class LoadHookConfigTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("load_hook_config_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    Unset();
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    Unset();
  }

  std::string Write(const std::string& name, std::string_view text) {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static void Set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

  std::filesystem::path folder_;

 private:
  static void Unset() {
    for (const char* name :
         {"SMDEBUG_CONFIG_FILE_PATH", "TENSORBOARD_CONFIG_FILE_PATH", "TRAINING_JOB_NAME"}) {
      unsetenv(name);
    }
  }
};

TEST_F(LoadHookConfigTest, ThePathGivenBeatsTheVariable) {
  Set("SMDEBUG_CONFIG_FILE_PATH", Write("variable.json", R"({"LocalPath": "/variable"})"));
  const std::string given = Write("given.json", R"({"LocalPath": "/given"})");
  EXPECT_EQ(LoadHookConfig(given, Framework::kPyTorch).value().out_dir, "/given");
  EXPECT_EQ(LoadHookConfig("", Framework::kPyTorch).value().out_dir, "/variable");
}

TEST_F(LoadHookConfigTest, SaysWhichFileIsMissing) {
  const std::string path = folder_ / "none.json";
  const auto config = LoadHookConfig(path, Framework::kPyTorch);
  EXPECT_EQ(config.status().code(), Code::kNotFound);
  EXPECT_NE(config.status().message().find(path), std::string::npos);
}

TEST_F(LoadHookConfigTest, AFolderIsNoFile) {
  EXPECT_EQ(LoadHookConfig(folder_.string(), Framework::kPyTorch).status().code(), Code::kIo);
}

TEST_F(LoadHookConfigTest, NamesTheFileOfABadValue) {
  const std::string path = Write("bad.json", R"({"LocalPath": 5})");
  const auto config = LoadHookConfig(path, Framework::kPyTorch);
  EXPECT_EQ(config.status().message(), path + ": LocalPath is 5; expected a string");
}

TEST_F(LoadHookConfigTest, OutsideAJobTensorBoardIsWhatTheFileSays) {
  Set("TENSORBOARD_CONFIG_FILE_PATH", Write("tb.json", R"({"LocalPath": "/job"})"));
  const std::string path = Write("hook.json", R"({"HookParameters": {"tensorboard_dir": "/own"}})");
  const HookConfig config = LoadHookConfig(path, Framework::kPyTorch).value();
  EXPECT_TRUE(config.export_tensorboard);
  EXPECT_EQ(config.tensorboard_dir, "/own");
}

TEST_F(LoadHookConfigTest, InAJobTensorBoardHasItsOwnFile) {
  Set("TRAINING_JOB_NAME", "");
  const std::string path =
      Write("hook.json",
            R"({"HookParameters": {"tensorboard_dir": "/own", "export_tensorboard": true}})");

  Set("TENSORBOARD_CONFIG_FILE_PATH", folder_ / "none.json");
  EXPECT_FALSE(LoadHookConfig(path, Framework::kPyTorch).value().export_tensorboard);

  Set("TENSORBOARD_CONFIG_FILE_PATH", Write("tb.json", R"({"LocalPath": "/job"})"));
  const HookConfig config = LoadHookConfig(path, Framework::kPyTorch).value();
  EXPECT_TRUE(config.export_tensorboard);
  EXPECT_EQ(config.tensorboard_dir, "/job");

  Set("TENSORBOARD_CONFIG_FILE_PATH", Write("tb.json", R"({"LocalPath": null})"));
  EXPECT_FALSE(LoadHookConfig(path, Framework::kPyTorch).value().export_tensorboard);

  Set("TENSORBOARD_CONFIG_FILE_PATH", Write("tb.json", "[1]"));
  EXPECT_EQ(LoadHookConfig(path, Framework::kPyTorch).status().code(), Code::kInvalidType);

  Set("TENSORBOARD_CONFIG_FILE_PATH", Write("tb.json", "{"));
  EXPECT_EQ(LoadHookConfig(path, Framework::kPyTorch).status().code(), Code::kCorrupt);
}

}  // namespace
}  // namespace warden::config
