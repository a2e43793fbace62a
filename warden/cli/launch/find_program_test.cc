#include "warden/cli/launch/find_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

class FindProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    path_before_ = std::getenv("PATH");
    root_ = fs::path(testing::TempDir()) / ("find_program_" + std::to_string(getpid()));
    for (const char* folder : {"a", "b"}) fs::create_directories(root_ / folder);
    Make("a/plain", fs::perms::owner_read);
    Make("b/plain", fs::perms::owner_all);
    Make("a/closed", fs::perms::owner_read);
    Make("b/open", fs::perms::owner_all);
    setenv("PATH", ((root_ / "a").string() + ":" + (root_ / "b").string()).c_str(), 1);
  }
  void TearDown() override {
    setenv("PATH", path_before_.c_str(), 1);
    fs::remove_all(root_);
  }

  void Make(const char* name, fs::perms permissions) {
    std::ofstream(root_ / name) << "";
    fs::permissions(root_ / name, permissions);
  }

  std::string path_before_;
  fs::path root_;
};

TEST_F(FindProgramTest, LooksAlongPathForWhatCanBeExecuted) {
  EXPECT_EQ(FindProgram("open").value(), (root_ / "b/open").string());
  EXPECT_EQ(FindProgram("plain").value(), (root_ / "b/plain").string());
}

TEST_F(FindProgramTest, TellsWhatIsThereFromWhatIsNot) {
  EXPECT_EQ(FindProgram("closed").status().code(), Code::kIo);
  EXPECT_EQ(FindProgram("none").status().code(), Code::kNotFound);
  EXPECT_EQ(FindProgram("").status().code(), Code::kNotFound);
}

TEST_F(FindProgramTest, APathIsTakenAsItIs) {
  EXPECT_EQ(FindProgram((root_ / "b/open").string()).value(), (root_ / "b/open").string());
  EXPECT_EQ(FindProgram(root_.string()).status().code(), Code::kIo);
  EXPECT_EQ(FindProgram((root_ / "none").string()).status().code(), Code::kNotFound);
}

}  // namespace
}  // namespace warden::cli
