#include "warden/os/open_files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "warden/os/program.h"

namespace warden::os {
namespace {

// In a process of its own: what is raised stays so.
TEST(OpenFilesTest, ARaisedLimitIsNotInherited) {
  const pid_t child = fork();
  if (child == 0) {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max < 300) _exit(0);
    limit.rlim_cur = 256;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (RaiseOpenFilesLimit(300) != 300 || OpenFilesLimit() != 300) _exit(1);
    if (RaiseOpenFilesLimit(200) != 300) _exit(2);
    Program program;
    program.words = {"/bin/sh", "-c", "test $(ulimit -Sn) = 256"};
    const Started started = StartProgram(std::move(program));
    int state = 0;
    if (started.pid <= 0 || waitpid(started.pid, &state, 0) != started.pid) _exit(3);
    _exit(WIFEXITED(state) && WEXITSTATUS(state) == 0 && OpenFilesLimit() == 300 ? 0 : 4);
  }
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_TRUE(WIFEXITED(state));
  EXPECT_EQ(WEXITSTATUS(state), 0);
}

}  // namespace
}  // namespace warden::os
