#include "warden/actions/exec.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "warden/actions/actions_for_test.h"
#include "warden/base/json.h"
#include "warden/os/process_table.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::actions {
namespace {

using std::chrono::milliseconds;

Status RunScript(const std::string& script, int timeout_s = 30, std::stop_token stop = {}) {
  return NewExec({{}, script, std::chrono::seconds(timeout_s)}, {})->Run(SomeFiring(), stop).status;
}

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool IsGone(pid_t pid) {
  for (int i = 0; i < 200; ++i) {
    const auto process = os::FindProcess(pid);
    if (!process || process->ended) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

TEST(ExecTest, GivesTheEventAndTheNames) {
  const os::TempFolder folder;
  const std::string out = folder.File("out");
  ASSERT_TRUE(RunScript("cat >" + out + "; echo \"$WARDEN_JOB $WARDEN_RUN\" >>" + out).ok());
  const std::string text = Contents(out);
  const auto event = ParseJson(text.substr(0, text.find('\n')));
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event.value(), EventOf(SomeFiring(), {}));
  EXPECT_EQ(text.substr(text.find('\n') + 1), "demo-001 runs/demo-001\n");
}

TEST(ExecTest, WordsAreNotGivenToAShell) {
  const os::TempFolder folder;
  const std::string path = folder.File("a b;$(x)");
  EXPECT_TRUE(NewExec({{"touch", path}, "", std::chrono::seconds(10)}, {})
                  ->Run(SomeFiring(), {})
                  .status.ok());
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(ExecTest, TellsHowItFailedAndTheEndOfWhatItSaid) {
  const Status failed = RunScript("yes | head -c 100000; echo last >&2; exit 3");
  EXPECT_EQ(failed.code(), Code::kInvalid);
  EXPECT_TRUE(failed.message().starts_with("/bin/sh exited with code 3, output: "))
      << failed.message();
  EXPECT_TRUE(failed.message().ends_with("last\"")) << failed.message();
  EXPECT_LT(failed.message().size(), 3000U);
  EXPECT_EQ(RunScript("exit 75").code(), Code::kUnavailable);
  EXPECT_NE(RunScript("kill -9 $$").message().find("signal 9"), std::string::npos);
  const Status absent = NewExec({{"/no/such/program"}, "", std::chrono::seconds(1)}, {})
                            ->Run(SomeFiring(), {})
                            .status;
  EXPECT_EQ(absent.code(), Code::kInvalid);
  EXPECT_NE(absent.message().find("/no/such/program"), std::string::npos);
}

TEST(ExecTest, AProgramThatDoesNotReadItsInputIsNoTrouble) {
  Firing firing = SomeFiring();
  firing.finding.message.assign(1 << 20, 'x');
  EXPECT_TRUE(NewExec({{"true"}, "", std::chrono::seconds(10)}, {})->Run(firing, {}).status.ok());
}

TEST(ExecTest, KillsTheWholeGroupWhenTheTimeIsOver) {
  const os::TempFolder folder;
  const std::string pids = folder.File("pids");
  const Status status =
      RunScript("trap '' TERM; sleep 100 & echo $! >" + pids + "; echo begun; wait", 1);
  EXPECT_EQ(status.code(), Code::kInvalid);
  EXPECT_NE(status.message().find("longer than 1000 ms"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("begun"), std::string::npos);
  EXPECT_TRUE(IsGone(std::stoi(Contents(pids))));
}

TEST(ExecTest, DoesNotWaitForWhatStaysInTheBackground) {
  const os::TempFolder folder;
  const std::string pids = folder.File("pids");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(RunScript("sleep 20 & echo $! >" + pids).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  kill(std::stoi(Contents(pids)), SIGKILL);
}

TEST(ExecTest, IsBrokenOffByAStop) {
  std::stop_source source;
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(200));
    source.request_stop();
  });
  EXPECT_EQ(RunScript("sleep 100", 100, source.get_token()).code(), Code::kUnavailable);
  other.join();
}

TEST(ExecTest, SignalsAreAsIfNeverTouched) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  signal(SIGUSR1, SIG_IGN);
  EXPECT_NE(RunScript("kill -USR1 $$; exit 0").message().find("signal 10"), std::string::npos);
  signal(SIGUSR1, SIG_DFL);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace
}  // namespace warden::actions
