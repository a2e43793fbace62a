#include "warden/capture/launch_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "warden/config/hook_config.h"

namespace warden::capture {
namespace {

namespace fs = std::filesystem;

class LaunchFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::remove_all(Root());
    fs::create_directories(Root());
    fs::current_path(Root());
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(Root());
  }

  // Tests run side by side, each in a process of its own.
  static fs::path Root() {
    return fs::path(testing::TempDir()) / ("launch_folder_test_" + std::to_string(getpid()));
  }

  static config::LaunchConfig Config(const std::string& out_dir) {
    config::LaunchFlags flags;
    flags.out_dir = out_dir;
    return config::MakeLaunchConfig(flags).value();
  }

 private:
  fs::path before_;
};

TEST_F(LaunchFolderTest, HoldsAConfigurationThatNamesIt) {
  const auto folder = MakeLaunchFolder(Config("runs/a/"), "train").value();
  EXPECT_EQ(folder.run, "runs/a/");
  EXPECT_EQ(folder.path, (fs::current_path() / "runs/a").string());
  EXPECT_EQ(folder.config_file, folder.path + "/warden/hook.json");
  const auto config = config::LoadHookConfig(folder.config_file, config::Framework::kPyTorch);
  ASSERT_TRUE(config.ok()) << config.status().message();
  EXPECT_EQ(config.value().out_dir, folder.path);
}

TEST_F(LaunchFolderTest, IsNewWhereNoneIsNamed) {
  const auto first = MakeLaunchFolder(Config(""), "train").value();
  const auto second = MakeLaunchFolder(Config(""), "train").value();
  EXPECT_TRUE(first.run.starts_with("warden-runs/train-")) << first.run;
  EXPECT_NE(first.run, second.run);
}

TEST_F(LaunchFolderTest, AFinishedRunIsLeftAlone) {
  fs::create_directory("old");
  std::ofstream("old/training_job_end.ts") << "";
  const auto folder = MakeLaunchFolder(Config("old"), "train");
  EXPECT_EQ(folder.status().code(), Code::kInvalid);
  EXPECT_FALSE(fs::exists("old/warden"));
}

TEST_F(LaunchFolderTest, SaysWhenItCannotBeWritten) {
  std::ofstream("file") << "";
  EXPECT_FALSE(MakeLaunchFolder(Config("file"), "train").ok());
  EXPECT_FALSE(MakeLaunchFolder(Config("ftp://host/x"), "train").ok());
}

}  // namespace
}  // namespace warden::capture
