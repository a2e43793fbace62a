#include "warden/timeline/feed/folder_scan.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "warden/os/temp_folder_for_test.h"
#include "warden/timeline/feed/profile_feed.h"

namespace warden::timeline {
namespace {

namespace fs = std::filesystem;

class FolderScanTest : public testing::Test {
 protected:
  FolderScanTest() { fs::create_directories(run_); }

  void Write(const fs::path& path) const {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "text";
  }
  static std::vector<std::string> KeysOf(FolderScan* scan) {
    std::vector<std::string> keys;
    for (const FoundFile& file : scan->List()) keys.push_back(file.key);
    return keys;
  }

  const os::TempFolder folder_;
  const fs::path run_ = folder_.path() / "run";
  const fs::path elsewhere_ = folder_.path() / "elsewhere";
  const fs::path profile_ = run_ / "profiler-output";
};

using Keys = std::vector<std::string>;

TEST_F(FolderScanTest, AProfileThatLeadsOutOfTheRunIsEmpty) {
  Write(elsewhere_ / "system/secret");
  fs::create_directory_symlink(elsewhere_, profile_);
  FolderScan scan(profile_);
  EXPECT_EQ(KeysOf(&scan), Keys());
  const auto feed = OpenProfileFeed(profile_);
  ProfileBatch batch;
  EXPECT_TRUE(feed->Next(&batch).ok());
  EXPECT_FALSE(feed->any());
  // It is looked at anew when it is something else.
  fs::remove(profile_);
  Write(profile_ / "system/file");
  EXPECT_EQ(KeysOf(&scan), Keys{"system/file"});
}

TEST_F(FolderScanTest, AFolderThatBecomesALinkOutIsEmpty) {
  Write(profile_ / "system/file");
  Write(elsewhere_ / "system/secret");
  FolderScan scan(profile_);
  EXPECT_EQ(KeysOf(&scan), Keys{"system/file"});
  fs::remove_all(profile_);
  fs::create_directory_symlink(elsewhere_, profile_);
  EXPECT_EQ(KeysOf(&scan), Keys());
}

TEST_F(FolderScanTest, AProfileMayBeALinkInsideTheRunAndTheRunALinkItself) {
  Write(run_ / "data/system/file");
  fs::create_directory_symlink("data", profile_);
  fs::create_directory_symlink(run_, folder_.path() / "link");
  FolderScan scan(folder_.path() / "link/profiler-output");
  EXPECT_EQ(KeysOf(&scan), Keys{"system/file"});
}

TEST_F(FolderScanTest, LinksAndPipesInItAreIgnored) {
  Write(profile_ / "system/file");
  Write(elsewhere_ / "secret");
  fs::create_symlink(elsewhere_ / "secret", profile_ / "system/link");
  fs::create_directory_symlink(elsewhere_, profile_ / "framework");
  ASSERT_EQ(mkfifo((profile_ / "system/pipe").c_str(), 0600), 0);
  FolderScan scan(profile_);
  EXPECT_EQ(KeysOf(&scan), Keys{"system/file"});
}

}  // namespace
}  // namespace warden::timeline
