#include "warden/os/process_table.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warden::os {
namespace {

TEST(ProcessTest, OneThatRunsHasAStart) {
  const auto start = StartOfProcess(getpid());
  ASSERT_TRUE(start.has_value());
  EXPECT_EQ(StartOfProcess(getpid()), start);
  EXPECT_FALSE(StartOfProcess(0).has_value());
}

TEST(ProcessTest, OneThatHasEndedHasNone) {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(StartOfProcess(pid).has_value()) << "nobody has asked how it ended";
  ASSERT_EQ(waitpid(pid, nullptr, 0), pid);
  EXPECT_FALSE(StartOfProcess(pid).has_value());
}

}  // namespace
}  // namespace warden::os
