#include "warden/auth/audit_log.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"

namespace warden::auth {
namespace {

TEST(AuditLogTest, WritesALineForEachDeed) {
  const os::TempFolder folder;
  const AuditLog log(folder.File("audit.log"));
  const Identity who{.access_key = "WARDEN1", .account = "123456789012", .region = "", .scopes = 2};
  log.Add(who, {"sagemaker:StopTrainingJob", "demo", "ok"});
  log.Add(who, {"s3:PUT", "bucket/a\nb", "begun"});
  const std::string text = *os::ReadWholeFile(folder.File("audit.log"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  const auto first = ParseJson(text.substr(0, text.find('\n')));
  ASSERT_TRUE(first.ok()) << text;
  EXPECT_EQ(first.value()["key"], "WARDEN1");
  EXPECT_EQ(first.value()["action"], "sagemaker:StopTrainingJob");
  EXPECT_EQ(first.value()["resource"], "demo");
  EXPECT_EQ(first.value()["outcome"], "ok");
  struct stat info{};
  ASSERT_EQ(stat(folder.File("audit.log").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST(AuditLogTest, StartsANewFileWhenItWasMoved) {
  const os::TempFolder folder;
  const AuditLog log(folder.File("audit.log"));
  log.Add({}, {"a", "", "ok"});
  std::filesystem::rename(folder.File("audit.log"), folder.File("audit.log.1"));
  log.Add({}, {"b", "", "ok"});
  EXPECT_NE(os::ReadWholeFile(folder.File("audit.log"))->find("\"b\""), std::string::npos);
}

TEST(AuditLogTest, LinesOfSeveralThreadsAreWhole) {
  const os::TempFolder folder;
  const AuditLog log(folder.File("audit.log"));
  constexpr int kLines = 200;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int line = 0; line < kLines; ++line) log.Add({}, {std::string(100, 'x'), "", "ok"});
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string text = *os::ReadWholeFile(folder.File("audit.log"));
  int whole = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    if (ParseJson(text.substr(begin, end - begin)).ok()) ++whole;
    begin = end + 1;
  }
  EXPECT_EQ(whole, 4 * kLines);
}

}  // namespace
}  // namespace warden::auth
