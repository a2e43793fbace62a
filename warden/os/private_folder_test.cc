#include "warden/os/private_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "warden/os/temp_folder_for_test.h"

namespace warden::os {
namespace {

mode_t ModeOf(const std::string& path) {
  struct stat info{};
  return lstat(path.c_str(), &info) == 0 ? info.st_mode & 0777 : 0;
}

TEST(PrivateFolder, IsMadeForItsOwnerAlone) {
  const TempFolder folder;
  const std::string path = folder.File("a/b");
  ASSERT_TRUE(MakePrivateFolder(path).ok());
  EXPECT_EQ(ModeOf(path), 0700U);
  chmod(path.c_str(), 0777);
  ASSERT_TRUE(MakePrivateFolder(path).ok());
  EXPECT_EQ(ModeOf(path), 0700U);
}

TEST(PrivateFolder, NothingIsChangedThroughALink) {
  const TempFolder folder;
  const std::string victim = folder.File("victim");
  std::filesystem::create_directory(victim);
  chmod(victim.c_str(), 0755);
  const std::string link = folder.File("link");
  std::filesystem::create_directory_symlink(victim, link);
  EXPECT_EQ(MakePrivateFolder(link).code(), Code::kIo);
  EXPECT_EQ(ModeOf(victim), 0755U);
  EXPECT_EQ(MakePrivateFolder(folder.Write("file", "text")).code(), Code::kIo);
}

TEST(PrivateFolder, OfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a folder of another user";
  const TempFolder folder;
  const std::string path = folder.File("theirs");
  std::filesystem::create_directory(path);
  ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
  EXPECT_EQ(MakePrivateFolder(path).code(), Code::kIo);
}

}  // namespace
}  // namespace warden::os
