#include "warden/os/whole_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "warden/os/temp_folder_for_test.h"

namespace warden::os {
namespace {

TEST(WholeFileTest, ReadsAllOfIt) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("whole-file-" + std::to_string(getpid()));
  const std::string text(100'000, 'x');
  std::ofstream(path) << text;
  EXPECT_EQ(ReadWholeFile(path), text);
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_EQ(ReadWholeFile(path), "");
  std::filesystem::remove(path);
  EXPECT_EQ(ReadWholeFile(path), std::nullopt);
}

TEST(WholeFileTest, AFolderIsNone) { EXPECT_EQ(ReadWholeFile("/tmp"), std::nullopt); }

TEST(PlainFileTest, NothingButAFileOfThatSize) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("plain-file-" + std::to_string(getpid()));
  std::ofstream(path) << std::string(100, 'x');
  EXPECT_EQ(ReadPlainFile(path, 100), std::string(100, 'x'));
  EXPECT_EQ(ReadPlainFile(path, 99), std::nullopt);
  const std::string link = path + ".link";
  std::filesystem::create_symlink(path, link);
  EXPECT_EQ(ReadPlainFile(link, 100), std::nullopt);
  std::filesystem::remove(link);
  std::filesystem::remove(path);
  EXPECT_EQ(ReadPlainFile(path, 100), std::nullopt);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(ReadPlainFile(path, 100), std::nullopt);
  std::filesystem::remove(path);
  EXPECT_EQ(ReadPlainFile("/tmp", 100), std::nullopt);
  EXPECT_EQ(ReadPlainFile("/dev/zero", 100), std::nullopt);
}

TEST(PlainFileTest, InsideAFolderNoLinkLeadsOut) {
  const TempFolder all;
  const std::filesystem::path folder = all.path() / "run";
  std::filesystem::create_directories(folder / "real");
  std::ofstream(folder / "real/file") << "own";
  std::filesystem::create_directories(all.path() / "elsewhere");
  std::ofstream(all.path() / "elsewhere/file") << "secret";
  std::filesystem::create_directory_symlink("real", folder / "inside");
  std::filesystem::create_directory_symlink(all.path() / "elsewhere", folder / "outside");
  std::filesystem::create_symlink(all.path() / "elsewhere/file", folder / "file");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_directory_symlink(folder, all.path() / "link");
  for (const std::string& named : {folder.string(), all.File("link")}) {
    EXPECT_EQ(ReadPlainFileInside(named, "real/file", 100), "own");
    EXPECT_EQ(ReadPlainFileInside(named, "inside/file", 100), "own");
    EXPECT_EQ(ReadPlainFileInside(named, "inside/file", 2), std::nullopt);
    for (const char* key : {"outside/file", "file", "pipe", "real", "none"}) {
      EXPECT_EQ(ReadPlainFileInside(named, key, 100), std::nullopt) << key;
    }
  }
}

TEST(WholeFileTest, WhatGoesAwayMeanwhileIsNone) {
  for (int i = 0; i < 200; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    const std::string path = "/proc/" + std::to_string(child) + "/stat";
    (void)ReadWholeFile(path);  // While it ends: some text, or nothing, but no failure.
    waitpid(child, nullptr, 0);
    EXPECT_EQ(ReadWholeFile(path), std::nullopt);
  }
}

}  // namespace
}  // namespace warden::os
