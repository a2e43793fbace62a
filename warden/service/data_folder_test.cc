#include "warden/service/data_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace warden::service {
namespace {

namespace fs = std::filesystem;

class DataFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/dataXXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string root_;
};

TEST_F(DataFolderTest, IsMadeForItsOwnerAlone) {
  const std::string path = root_ + "/a/b";
  const auto held = DataFolder::Hold(path);
  ASSERT_TRUE(held.ok()) << held.status().message();
  struct stat info{};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(DataFolderTest, AnOpenOneIsClosed) {
  chmod(root_.c_str(), 0755);
  ASSERT_TRUE(DataFolder::Hold(root_).ok());
  struct stat info{};
  ASSERT_EQ(stat(root_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(DataFolderTest, AFolderOfOthersIsNotShut) {
  std::ofstream(root_ + "/thesis.txt") << "by somebody else";
  chmod(root_.c_str(), 0755);
  const auto refused = DataFolder::Hold(root_);
  EXPECT_EQ(refused.status().code(), Code::kInvalid);
  EXPECT_NE(refused.status().message().find("chmod 700"), std::string::npos);
  struct stat info{};
  ASSERT_EQ(stat(root_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0755u);
  EXPECT_FALSE(fs::exists(root_ + "/lock"));

  chmod(root_.c_str(), 0700);
  EXPECT_TRUE(DataFolder::Hold(root_).ok());
}

TEST_F(DataFolderTest, OneThatWasPreparedForUsIsShut) {
  std::ofstream(root_ + "/environments.json") << "{}";
  std::ofstream(root_ + "/events.json") << "{}";
  chmod(root_.c_str(), 0755);
  const auto held = DataFolder::Hold(root_);
  ASSERT_TRUE(held.ok()) << held.status().message();
  struct stat info{};
  ASSERT_EQ(stat(root_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(DataFolderTest, OneOfAnEarlierServiceIsShutAgain) {
  std::ofstream(root_ + "/warden.db") << "";
  chmod(root_.c_str(), 0755);
  EXPECT_TRUE(DataFolder::Hold(root_).ok());
}

TEST_F(DataFolderTest, OneAtATimeAndTheHolderIsNamed) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t other = fork();
  if (other == 0) {
    const auto held = DataFolder::Hold(root_);
    (void)!write(ready[1], held.ok() ? "y" : "n", 1);
    pause();
    _exit(0);
  }
  char answer = 'n';
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  const auto refused = DataFolder::Hold(root_);
  EXPECT_EQ(refused.status().code(), Code::kExists);
  EXPECT_NE(refused.status().message().find("(process " + std::to_string(other) + ")"),
            std::string::npos)
      << refused.status().message();
  // However it ends, the folder is free then.
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  EXPECT_TRUE(DataFolder::Hold(root_).ok());
  close(ready[0]);
  close(ready[1]);
}

TEST_F(DataFolderTest, AChildOfAKilledServiceIsInNobodysWay) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t service = fork();
  if (service == 0) {
    const auto held = DataFolder::Hold(root_);
    // As between fork and exec: it has all our descriptors.
    const pid_t child = fork();
    if (child == 0) {
      pause();
      _exit(0);
    }
    (void)!write(ready[1], &child, sizeof(child));
    pause();
    _exit(0);
  }
  pid_t child = 0;
  ASSERT_EQ(read(ready[0], &child, sizeof(child)), static_cast<ssize_t>(sizeof(child)));
  EXPECT_EQ(DataFolder::Hold(root_).status().code(), Code::kExists);
  kill(service, SIGKILL);
  waitpid(service, nullptr, 0);
  const auto held = DataFolder::Hold(root_);
  EXPECT_TRUE(held.ok()) << held.status().message();
  kill(child, SIGKILL);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(DataFolderTest, NotTwiceInOneProcess) {
  {
    const auto held = DataFolder::Hold(root_);
    ASSERT_TRUE(held.ok());
    EXPECT_EQ(DataFolder::Hold(root_).status().code(), Code::kExists);
    EXPECT_EQ(DataFolder::Hold(root_ + "/.").status().code(), Code::kExists);
    // The second attempt must not have given the lock away.
    const pid_t other = fork();
    if (other == 0) {
      const int file = open((root_ + "/lock").c_str(), O_RDWR | O_CLOEXEC);
      struct flock wanted{};
      wanted.l_type = F_WRLCK;
      wanted.l_whence = SEEK_SET;
      _exit(fcntl(file, F_SETLK, &wanted) == 0 ? 1 : 0);
    }
    int state = 0;
    waitpid(other, &state, 0);
    EXPECT_EQ(state, 0);
  }
  EXPECT_TRUE(DataFolder::Hold(root_).ok());
}

TEST_F(DataFolderTest, WhatIsNoFolderIsRefused) {
  std::ofstream(root_ + "/file") << "x";
  EXPECT_FALSE(DataFolder::Hold(root_ + "/file").ok());
  EXPECT_FALSE(DataFolder::Hold(root_ + "/file/below").ok());
  fs::create_symlink("/etc/passwd", root_ + "/lock");
  EXPECT_FALSE(DataFolder::Hold(root_).ok());
}

}  // namespace
}  // namespace warden::service
