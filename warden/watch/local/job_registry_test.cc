#include "warden/watch/local/job_registry.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

namespace warden::watch {
namespace {

class JobRegistryTest : public testing::Test {
 protected:
  JobRegistryTest() {
    std::filesystem::create_directories(folder_);
    setenv("XDG_RUNTIME_DIR", folder_.c_str(), 1);
  }
  ~JobRegistryTest() override {
    unsetenv("XDG_RUNTIME_DIR");
    std::filesystem::remove_all(folder_);
  }

  const std::string folder_ =
      std::filesystem::temp_directory_path() / ("job-registry-test-" + std::to_string(getpid()));
};

TEST_F(JobRegistryTest, TellsOfAJobAsLongAsItIsThere) {
  EXPECT_TRUE(RunningJobsHere().empty());
  {
    const auto entry = JobEntry::Add("train", getpid(), "/runs/a");
    ASSERT_TRUE(entry.ok()) << entry.status().message();
    const auto jobs = RunningJobsHere();
    ASSERT_EQ(jobs.size(), 1u);
    EXPECT_EQ(jobs[0].name, "train");
    EXPECT_EQ(jobs[0].pid, getpid());
    EXPECT_EQ(jobs[0].run, "/runs/a");
  }
  EXPECT_TRUE(RunningJobsHere().empty());
}

TEST_F(JobRegistryTest, AProcessThatHasEndedIsNoJob) {
  const pid_t pid = fork();
  if (pid == 0) {
    pause();
    _exit(0);
  }
  const auto entry = JobEntry::Add("train", pid, "/runs/a");
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(RunningJobsHere().size(), 1u);
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  EXPECT_TRUE(RunningJobsHere().empty());
}

TEST_F(JobRegistryTest, NothingIsChangedThroughALink) {
  const std::string victim = folder_ + "/victim";
  std::filesystem::create_directory(victim);
  chmod(victim.c_str(), 0755);
  std::filesystem::create_directory_symlink(victim, folder_ + "/tensorwarden");
  EXPECT_FALSE(JobEntry::Add("train", getpid(), "/runs/a").ok());
  struct stat info{};
  ASSERT_EQ(stat(victim.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0755U);
}

TEST_F(JobRegistryTest, AFolderThatOthersMayWriteToIsNotBelieved) {
  const auto entry = JobEntry::Add("train", getpid(), "/runs/a");
  ASSERT_TRUE(entry.ok());
  chmod((folder_ + "/tensorwarden").c_str(), 0777);
  EXPECT_TRUE(RunningJobsHere().empty());
}

TEST_F(JobRegistryTest, AFolderOfAnotherUserOrBehindALinkIsNotBelieved) {
  const std::string own = folder_ + "/tensorwarden";
  const auto entry = JobEntry::Add("train", getpid(), "/runs/a");
  ASSERT_TRUE(entry.ok());
  ASSERT_EQ(RunningJobsHere().size(), 1u);
  std::filesystem::rename(own, folder_ + "/elsewhere");
  std::filesystem::create_directory_symlink(folder_ + "/elsewhere", own);
  EXPECT_TRUE(RunningJobsHere().empty());
  std::filesystem::remove(own);
  std::filesystem::rename(folder_ + "/elsewhere", own);
  EXPECT_EQ(RunningJobsHere().size(), 1u);
  if (geteuid() != 0) return;  // Giving a folder away needs root.
  ASSERT_EQ(chown(own.c_str(), 65534, 65534), 0);
  EXPECT_TRUE(RunningJobsHere().empty());
}

}  // namespace
}  // namespace warden::watch
