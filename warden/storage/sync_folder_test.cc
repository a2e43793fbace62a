#include "warden/storage/sync_folder.h"

#include <gtest/gtest.h>

#include "warden/os/temp_folder_for_test.h"

namespace warden::storage {
namespace {

TEST(SyncFolder, NeedsAFolder) {
  const os::TempFolder folder;
  EXPECT_TRUE(SyncFolder(folder.path()).ok());
  EXPECT_EQ(SyncFolder(folder.File("nowhere")).code(), Code::kNotFound);
  EXPECT_EQ(SyncFolder(folder.Write("file", "text")).code(), Code::kNotFound);
}

}  // namespace
}  // namespace warden::storage
