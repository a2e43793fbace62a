#include "warden/capture/launch_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "warden/config/hook_config.h"
#include "warden/storage/store.h"

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

TEST_F(LaunchFolderTest, ProcessesOfALaunchMayWriteAtTheSameMoment) {
  const SharedLaunch second{"7.0 0", 1, 2};
  const auto store = storage::OpenStore("run").value();
  auto other = store->Create("warden/hook.json").value();
  std::thread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    other.reset();
  });
  const auto folder = MakeLaunchFolder(Config("run"), "train", &second);
  ends.join();
  EXPECT_TRUE(folder.ok()) << folder.status().message();
}

TEST_F(LaunchFolderTest, ProcessesOfALaunchShareItInAnyOrder) {
  const SharedLaunch second{"7.0 0", 1, 2}, first{"7.0 0", 0, 2};
  const auto early = MakeLaunchFolder(Config(""), "train-7.0", &second).value();
  EXPECT_EQ(early.run, "warden-runs/train-7.0");
  EXPECT_EQ(MakeLaunchFolder(Config(""), "train-7.0", &first).value().path, early.path);
  EXPECT_TRUE(fs::exists(early.config_file));
  // Also one that starts when the others have finished.
  std::ofstream(early.path + "/training_job_end.ts") << "";
  EXPECT_EQ(MakeLaunchFolder(Config(""), "train-7.0", &second).value().path, early.path);
  EXPECT_EQ(MakeLaunchFolder(Config(early.run), "", &second).value().path, early.path);
}

TEST_F(LaunchFolderTest, TheNextAttemptContinuesWhatWasInterrupted) {
  const SharedLaunch before{"7.0 0", 0, 2}, after{"7.0 1", 0, 2}, beside{"7.0 1", 1, 2};
  const auto begun = MakeLaunchFolder(Config(""), "train-7.0", &before).value();
  EXPECT_EQ(MakeLaunchFolder(Config(""), "train-7.0", &beside).value().path, begun.path);
  EXPECT_EQ(MakeLaunchFolder(Config(""), "train-7.0", &after).value().path, begun.path);
  // A finished run is left alone.
  std::ofstream(begun.path + "/training_job_end.ts") << "";
  const SharedLaunch third{"7.0 2", 0, 2}, beside_third{"7.0 2", 1, 2};
  for (const SharedLaunch* launch : {&beside_third, &third}) {
    EXPECT_EQ(MakeLaunchFolder(Config(""), "train-7.0", launch).value().run,
              "warden-runs/train-7.0-2");
    EXPECT_EQ(MakeLaunchFolder(Config(begun.run), "", launch).status().code(), Code::kInvalid);
  }
}

TEST_F(LaunchFolderTest, SingleProcessesOfAnAttemptHaveTheirOwn) {
  const SharedLaunch before{"7 0"}, after{"7 1"};
  for (const SharedLaunch* launch : {&before, &after}) {
    EXPECT_EQ(MakeLaunchFolder(Config(""), "train-7", launch).value().run, "warden-runs/train-7");
    EXPECT_EQ(MakeLaunchFolder(Config(""), "train-7", launch).value().run, "warden-runs/train-7-2");
  }
}

TEST_F(LaunchFolderTest, SaysWhenItCannotBeWritten) {
  std::ofstream("file") << "";
  EXPECT_FALSE(MakeLaunchFolder(Config("file"), "train").ok());
  EXPECT_FALSE(MakeLaunchFolder(Config("ftp://host/x"), "train").ok());
}

}  // namespace
}  // namespace warden::capture
