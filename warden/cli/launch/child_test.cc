#include "warden/cli/launch/child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

namespace warden::cli {
namespace {

ChildOptions Shell(const std::string& script) {
  return {"/bin/sh", {"sh", "-c", script}, {"PATH=/usr/bin:/bin", "WORD=given"}};
}

// Runs it in a process of its own, with a process group of its own, whose exit code it returns.
int InOwnGroup(const std::function<int()>& body, const std::function<void(pid_t)>& meanwhile) {
  const pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    _exit(body());
  }
  setpgid(pid, pid);
  meanwhile(pid);
  int state = 0;
  waitpid(pid, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}

void WaitForFile(const std::string& path) {
  for (int i = 0; i < 3000 && !std::filesystem::exists(path); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// Counts USR1 until TERM, which ends it with that count.
std::string Counter(const std::string& ready) {
  return "n=0; trap 'n=$((n+1))' USR1; trap 'exit $n' TERM; : >" + ready +
         "; while :; do sleep 0.02; done";
}

TEST(RunChildTest, TellsHowItEnded) {
  EXPECT_EQ(RunChild(Shell("exit 7")).value().exit_code, 7);
  EXPECT_EQ(RunChild(Shell("exit 7")).value().signal, 0);
  const Ending killed = RunChild(Shell("kill -TERM $$")).value();
  EXPECT_EQ(killed.signal, SIGTERM);
  EXPECT_EQ(killed.exit_code, 128 + SIGTERM);
  signal(SIGTERM, SIG_DFL);  // It is ignored since.
}

TEST(RunChildTest, ASignalThatEndedItDoesNotEndWhatWeStillDo) {
  const auto finish = [] {
    const int signal = RunChild(Shell("kill -TERM $$")).value().signal;
    raise(SIGTERM);  // As if it had been sent to both of us.
    return signal;
  };
  EXPECT_EQ(InOwnGroup(finish, [](pid_t) {}), SIGTERM);
}

TEST(RunChildTest, GivesTheEnvironment) {
  EXPECT_EQ(RunChild(Shell("test \"$WORD\" = given -a -z \"$HOME\"")).value().exit_code, 0);
}

TEST(RunChildTest, SaysWhenItCannotStart) {
  ChildOptions options = Shell("");
  options.program = "/no/such/program";
  EXPECT_EQ(RunChild(options).status().code(), Code::kNotFound);
  options.program = "/etc/passwd";
  EXPECT_EQ(RunChild(options).status().code(), Code::kIo);
}

TEST(RunChildTest, TellsThePidWhenItHasStarted) {
  pid_t pid = 0;
  ChildOptions options = Shell("exit 0");
  options.started = [&](pid_t started) { pid = started; };
  ASSERT_TRUE(RunChild(options).ok());
  EXPECT_GT(pid, 0);
}

TEST(RunChildTest, LeavesSignalsAsTheyWere) {
  sigset_t before;
  sigset_t after;
  sigprocmask(SIG_BLOCK, nullptr, &before);
  ASSERT_TRUE(RunChild(Shell("exit 0")).ok());
  sigprocmask(SIG_BLOCK, nullptr, &after);
  for (int signal = 1; signal < 32; ++signal) {
    EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal)) << signal;
  }
  // Nor does the child inherit what we hold back.
  EXPECT_EQ(RunChild(Shell("kill -USR1 $$; exit 0")).value().signal, SIGUSR1);
}

TEST(RunChildTest, WorksWhereChildrenAreIgnored) {
  const int code = InOwnGroup(
      [] {
        signal(SIGCHLD, SIG_IGN);
        return RunChild(Shell("exit 9")).value().exit_code;
      },
      [](pid_t) {});
  EXPECT_EQ(code, 9);
}

TEST(RunChildTest, HandsASignalOnOnceWhetherSentToUsOrToAll) {
  for (const bool to_all : {false, true}) {
    const std::string ready = testing::TempDir() + "/child_test_" + std::to_string(getpid());
    std::filesystem::remove(ready);
    const int code = InOwnGroup([&] { return RunChild(Shell(Counter(ready))).value().exit_code; },
                                [&](pid_t pid) {
                                  WaitForFile(ready);
                                  for (int i = 0; i < 3; ++i) {
                                    kill(to_all ? -pid : pid, SIGUSR1);
                                    std::this_thread::sleep_for(std::chrono::milliseconds(300));
                                  }
                                  kill(pid, SIGTERM);
                                });
    EXPECT_EQ(code, 3) << to_all;
    std::filesystem::remove(ready);
  }
}

TEST(DieBySignalTest, IsSeenByTheParent) {
  for (const int signal : {SIGTERM, SIGKILL, SIGSEGV, SIGPIPE}) {
    const int code = InOwnGroup(
        [&]() -> int {
          ::signal(signal, SIG_IGN);
          DieBySignal(signal);
        },
        [](pid_t) {});
    EXPECT_EQ(code, -signal);
  }
}

}  // namespace
}  // namespace warden::cli
