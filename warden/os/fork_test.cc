#include "warden/os/fork.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warden::os {
namespace {

TEST(Fork, ChildrenCountOneMore) {
  const uint64_t here = ForkGeneration();
  const pid_t child = fork();
  if (child == 0) _exit(ForkGeneration() == here + 1 ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ForkGeneration(), here);
}

}  // namespace
}  // namespace warden::os
