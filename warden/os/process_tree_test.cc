#include "warden/os/process_tree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <thread>
#include <vector>

#include "warden/os/process_table.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::os {
namespace {

using std::chrono::milliseconds;

// Runs a script of the shell in a child; the word PIDS in it is a file for the numbers of processes
// that it starts, one to a line.
class Script {
 public:
  Script(const std::string& text, bool own_session, size_t processes) {
    pid_ = fork();
    if (pid_ == 0) {
      if (own_session) setsid();
      setenv("PIDS", folder_.File("pids").c_str(), 1);
      execl("/bin/bash", "bash", "-c", text.c_str(), nullptr);
      _exit(127);
    }
    for (int i = 0; i < 1000 && Started().size() < processes; ++i) {
      std::this_thread::sleep_for(milliseconds(10));
    }
  }
  ~Script() {
    for (const pid_t pid : Started()) kill(pid, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  pid_t pid() const { return pid_; }
  std::vector<pid_t> Started() const {
    std::ifstream file(folder_.File("pids"));
    std::vector<pid_t> pids;
    for (pid_t pid = 0; file >> pid;) pids.push_back(pid);
    return pids;
  }
  // Those of them, and the script itself, that go on.
  std::vector<pid_t> Alive() const {
    std::vector<pid_t> alive;
    std::vector<pid_t> all = Started();
    all.push_back(pid_);
    for (const pid_t pid : all) {
      const auto process = FindProcess(pid);
      if (process && !process->ended) alive.push_back(pid);
    }
    return alive;
  }

 private:
  TempFolder folder_;
  pid_t pid_ = -1;
};

milliseconds TimeTo(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
}

const char* const kThreeLevels =
    "(sleep 100 & echo $! >>$PIDS; sh -c 'echo $$ >>$PIDS; sleep 100; :' & wait) & "
    "echo $! >>$PIDS; wait";

TEST(StopProcessTreeTest, EndsAllDescendantsSoonWhenTheyObey) {
  const Script script(kThreeLevels, false, 3);
  ASSERT_EQ(script.Started().size(), 3U);
  const auto time = TimeTo([&] {
    const Status status = StopProcessTree(script.pid(), milliseconds(20'000));
    EXPECT_TRUE(status.ok()) << status.message();
  });
  EXPECT_EQ(script.Alive(), std::vector<pid_t>{});
  EXPECT_LT(time, milliseconds(10'000));
}

TEST(StopProcessTreeTest, KillsThoseThatDoNotObey) {
  const Script script(
      "trap '' TERM; (trap '' TERM; echo $BASHPID >>$PIDS; while :; do sleep 1; done) & "
      "while :; do sleep 1; done",
      false, 1);
  const auto time =
      TimeTo([&] { EXPECT_TRUE(StopProcessTree(script.pid(), milliseconds(300)).ok()); });
  EXPECT_EQ(script.Alive(), std::vector<pid_t>{});
  EXPECT_GE(time, milliseconds(300));
}

TEST(StopProcessTreeTest, WakesTheStoppedSoThatTheyCanEndInOrder) {
  const Script script("trap 'exit 0' TERM; echo $$ >>$PIDS; kill -STOP $$; :", false, 1);
  EXPECT_TRUE(StopProcessTree(script.pid(), milliseconds(20'000)).ok());
  EXPECT_EQ(script.Alive(), std::vector<pid_t>{});
}

TEST(StopProcessTreeTest, LetsThemStartWhatTheyNeedToEndInGoodOrder) {
  const TempFolder folder;
  const Script script("trap 'sleep 0.3 && echo x >" + folder.File("saved") +
                          "; exit 0' TERM; echo $$ >>$PIDS; while :; do sleep 0.05; done",
                      false, 1);
  EXPECT_TRUE(StopProcessTree(script.pid(), milliseconds(20'000)).ok());
  EXPECT_TRUE(std::filesystem::exists(folder.File("saved")));
}

TEST(StopProcessTreeTest, FindsOrphansOfItsSession) {
  // The middle one ends at once, and its child belongs to nobody but the session.
  const Script script("(sleep 100 & echo $! >>$PIDS) ; trap '' TERM; while :; do sleep 1; done",
                      true, 1);
  ASSERT_EQ(script.Started().size(), 1U);
  EXPECT_TRUE(StopProcessTree(script.pid(), milliseconds(200)).ok());
  EXPECT_EQ(script.Alive(), std::vector<pid_t>{});
}

TEST(StopProcessTreeTest, CatchesWhatIsStartedMeanwhile) {
  // Starts a new one ten times a second, each of which ignores the request too.
  const Script script(
      "trap '' TERM; while :; do (trap '' TERM; exec sleep 100) & echo $! >>$PIDS; sleep 0.1; done",
      false, 2);
  EXPECT_TRUE(StopProcessTree(script.pid(), milliseconds(500)).ok());
  EXPECT_GT(script.Started().size(), 3U);
  EXPECT_EQ(script.Alive(), std::vector<pid_t>{});
}

TEST(StopProcessTreeTest, LeavesOthersAlone) {
  const Script other("echo $$ >>$PIDS; exec sleep 100", false, 1);
  const Script script("echo $$ >>$PIDS; exec sleep 100", false, 1);
  EXPECT_TRUE(StopProcessTree(script.pid(), milliseconds(5000)).ok());
  EXPECT_EQ(script.Alive(), std::vector<pid_t>{});
  EXPECT_FALSE(other.Alive().empty());
}

TEST(StopProcessTreeTest, RefusesItselfAndThoseAbove) {
  for (const pid_t pid : {pid_t{-1}, pid_t{0}, pid_t{1}, getpid(), getppid()}) {
    EXPECT_EQ(StopProcessTree(pid, milliseconds(0)).code(), Code::kInvalid) << pid;
  }
}

TEST(StopProcessTreeTest, IsContentWithOneThatIsGone) {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  // Ended, and still listed.
  EXPECT_TRUE(StopProcessTree(pid, milliseconds(1000)).ok());
  waitpid(pid, nullptr, 0);
  EXPECT_TRUE(StopProcessTree(pid, milliseconds(1000)).ok());
}

}  // namespace
}  // namespace warden::os
