#include "warden/storage/spool/spool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/spool/process_lock.h"
#include "warden/storage/spool/spool_settings.h"

namespace warden::storage::spool {
namespace {

namespace fs = std::filesystem;

class SpoolTest : public ::testing::Test {
 protected:
  SpoolTest() {
    setenv("WARDEN_S3_SPOOL", folder_.File("spool").c_str(), 1);
    setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1", 1);
    unsetenv("WARDEN_S3_SPOOL_MB");
  }
  ~SpoolTest() override {
    for (const char* name : {"WARDEN_S3_SPOOL", "WARDEN_S3_SPOOL_MB", "AWS_ENDPOINT_URL"}) {
      unsetenv(name);
    }
  }

  os::TempFolder folder_;
};

// What another process says, as its exit code.
int InAnotherProcess(const std::function<int()>& task) {
  const pid_t child = fork();
  if (child == 0) _exit(task());
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST_F(SpoolTest, WritersOfOnePlaceShareAFolder) {
  const SpooledRun run = Join("s3://bucket/deep/mine").value();
  EXPECT_EQ(run.url, "s3://bucket/deep/mine");
  EXPECT_EQ(run.run_url, run.url);
  EXPECT_EQ(fs::path(run.run).filename(), "mine");
  EXPECT_EQ(Join("s3://bucket/deep/mine/").value().folder, run.folder);
  EXPECT_NE(Join("s3://bucket/other/mine").value().folder, run.folder);
  setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:2", 1);
  EXPECT_NE(Join("s3://bucket/deep/mine").value().folder, run.folder);
  EXPECT_EQ(All().value().size(), 3);
}

TEST_F(SpoolTest, SaysWhereTheFilesGo) {
  setenv("AWS_SECRET_ACCESS_KEY", "hidden", 1);
  const SpooledRun run = Join("s3://bucket/mine").value();
  unsetenv("AWS_SECRET_ACCESS_KEY");
  const auto read = Read(run.folder);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->run_url, "s3://bucket/mine");
  EXPECT_EQ(read->variables.at("AWS_ENDPOINT_URL"), "http://127.0.0.1:1");
  EXPECT_FALSE(read->variables.contains("AWS_SECRET_ACCESS_KEY"));
  EXPECT_FALSE(Read(folder_.File("none")));
}

TEST_F(SpoolTest, IsFoundByTheFolderOfTheRun) {
  for (const char* url : {"s3://bucket/mine", "s3://bucket/job/debug-output", "s3://bucket"}) {
    const SpooledRun run = Join(url).value();
    const auto found = FindByFolder(run.run);
    ASSERT_TRUE(found) << url;
    EXPECT_EQ(found->folder, run.folder);
    EXPECT_TRUE(FindByFolder(run.run + "/"));
    EXPECT_FALSE(FindByFolder(run.run + "/tensorboard"));
  }
  EXPECT_FALSE(FindByFolder(folder_.File("run")));
  EXPECT_FALSE(FindByFolder("run"));
}

TEST_F(SpoolTest, RecordsOfRulesLieBesideTensors) {
  const SpooledRun run = Join("s3://bucket/job/debug-output").value();
  EXPECT_EQ(run.url, "s3://bucket/job");
  EXPECT_EQ(run.run_url, "s3://bucket/job/debug-output");
  EXPECT_EQ(fs::path(run.run).parent_path(), run.files);
}

TEST_F(SpoolTest, BadPlacesAndVariablesAreNamed) {
  EXPECT_EQ(Join("s3://").status().code(), Code::kInvalid);
  EXPECT_EQ(Join("s3://bucket/../a").status().code(), Code::kInvalid);
  setenv("WARDEN_S3_SPOOL_MB", "many", 1);
  EXPECT_NE(Join("s3://bucket/a").status().message().find("WARDEN_S3_SPOOL_MB is \"many\""),
            std::string::npos);
}

TEST_F(SpoolTest, AWriterIsSeenByOthersUntilItLeaves) {
  const SpooledRun run = Join("s3://bucket/mine").value();
  const auto writer = [&] { return LockHolder(run.WritersLock()) == 0 ? 0 : 1; };
  const auto alone = [&] { return TakeLock(run.WritersLock(), Lock::kAlone) ? 0 : 1; };
  EXPECT_EQ(InAnotherProcess(writer), 1);
  EXPECT_EQ(InAnotherProcess(alone), 1);
  EXPECT_EQ(InAnotherProcess([&] { return JoinAgain(run).ok() ? 0 : 1; }), 0);
  EXPECT_EQ(LockHolder(run.WritersLock()), 0);  // Only others count.
  Leave(run);
  EXPECT_EQ(InAnotherProcess(writer), 0);
  EXPECT_EQ(InAnotherProcess(alone), 0);
}

TEST_F(SpoolTest, ARemovedRunIsMadeAnew) {
  const SpooledRun run = Join("s3://bucket/mine").value();
  fs::remove_all(run.folder);
  EXPECT_EQ(JoinAgain(run).code(), Code::kNotFound);
  EXPECT_EQ(Join("s3://bucket/mine").value().folder, run.folder);
  EXPECT_TRUE(Read(run.folder));
}

}  // namespace
}  // namespace warden::storage::spool
