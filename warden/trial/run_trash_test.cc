#include "warden/trial/run_trash.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/os/temp_folder_for_test.h"
#include "warden/trial/find_runs.h"

namespace warden::trial {
namespace {

namespace fs = std::filesystem;

class RunTrashTest : public testing::Test {
 protected:
  std::string MakeRun(const std::string& name, const std::string& text) {
    const fs::path run = folder_.path() / name;
    fs::create_directories(run / "index");
    std::ofstream(run / "text") << text;
    return run.string();
  }
  static std::string TextIn(const std::string& run) {
    std::string text;
    std::ifstream(run + "/text") >> text;
    return text;
  }

  const os::TempFolder folder_;
  const std::string root_ = folder_.path().string();
};

TEST_F(RunTrashTest, DeletedRunsComeBackWhole) {
  const std::string run = MakeRun("a", "first");
  const auto deleted = MoveToTrash(run + "/", 1000);
  ASSERT_TRUE(deleted.ok()) << deleted.status().message();
  EXPECT_FALSE(fs::exists(run));
  EXPECT_TRUE(FindRuns(root_).empty());  // Searches leave the trash out.
  // Another under the same name, deleted in the same moment.
  MakeRun("a", "second");
  ASSERT_TRUE(MoveToTrash(run, 1000).ok());
  const auto trash = ListTrash(root_);
  ASSERT_EQ(trash.size(), 2u);
  EXPECT_EQ(trash[0].folder, run);
  ASSERT_TRUE(RestoreFromTrash(trash[0]).ok());
  EXPECT_EQ(TextIn(run), "second");
  const Status taken = RestoreFromTrash(trash[1]);
  EXPECT_EQ(taken.code(), Code::kExists);
  EXPECT_EQ(taken.message(), run + " exists; move it away to restore the deleted run");
  fs::remove_all(run);
  ASSERT_TRUE(RestoreFromTrash(trash[1]).ok());
  EXPECT_EQ(TextIn(run), "first");
  fs::remove_all(run);
  EXPECT_EQ(RestoreFromTrash(trash[1]).code(), Code::kNotFound);
  EXPECT_FALSE(fs::exists(folder_.path() / kTrashFolder));
}

TEST_F(RunTrashTest, RefusesWhatIsNoFolder) {
  EXPECT_EQ(MoveToTrash(root_ + "/none", 1).status().code(), Code::kNotFound);
  EXPECT_EQ(MoveToTrash("/", 1).status().code(), Code::kInvalid);
  EXPECT_EQ(MoveToTrash("..", 1).status().code(), Code::kInvalid);
  const std::string run = MakeRun("a", "x");
  fs::create_directory_symlink(run, root_ + "/link");
  EXPECT_EQ(MoveToTrash(root_ + "/link", 1).status().code(), Code::kInvalid);
  EXPECT_TRUE(fs::exists(run));
}

TEST_F(RunTrashTest, PurgesOnlyWhatIsOldAndOurs) {
  ASSERT_TRUE(MoveToTrash(MakeRun("old", "x"), 1000).ok());
  ASSERT_TRUE(MoveToTrash(MakeRun("new", "x"), 2000).ok());
  MakeRun(".warden-trash/notes/mine", "x");  // Not a time.
  const fs::path link = folder_.path() / kTrashFolder / "5";
  fs::create_directories(link);
  fs::create_directory_symlink(MakeRun("elsewhere", "x"), link / "elsewhere");
  EXPECT_EQ(PurgeTrash(root_, 1000 + kTrashSeconds), 0u);
  EXPECT_EQ(PurgeTrash(root_, 1001 + kTrashSeconds), 1u);
  ASSERT_EQ(ListTrash(root_).size(), 1u);
  EXPECT_EQ(ListTrash(root_)[0].folder, root_ + "/new");
  EXPECT_TRUE(fs::exists(folder_.path() / kTrashFolder / "notes" / "mine" / "text"));
  EXPECT_TRUE(fs::exists(root_ + "/elsewhere/text"));
}

}  // namespace
}  // namespace warden::trial
