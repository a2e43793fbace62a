#include "warden/jobs/launch/master_port.h"

#include <gtest/gtest.h>

#include <future>

#include "warden/os/few_files_for_test.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::jobs {
namespace {

TEST(MasterPortTest, IsTheSameForAllHosts) {
  const os::TempFolder folder;
  const auto first = MasterPort(folder.File("job"));
  ASSERT_TRUE(first.ok()) << first.status().message();
  EXPECT_GT(first.value(), 0);
  EXPECT_EQ(MasterPort(folder.File("job")).value(), first.value());
}

TEST(MasterPortTest, WaitsForADescriptor) {
  const os::TempFolder folder;
  os::LogPipe log;
  os::FewFiles few(0);
  auto port = std::async(std::launch::async, [&] { return MasterPort(folder.File("job")); });
  EXPECT_TRUE(log.Await("no port chosen yet: Too many open files"));
  few.End();
  const auto found = port.get();
  EXPECT_TRUE(found.ok()) << found.status().message();
}

}  // namespace
}  // namespace warden::jobs
