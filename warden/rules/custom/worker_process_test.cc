#include "warden/rules/custom/worker_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "warden/base/json.h"

namespace warden::rules {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kLong{20000};

std::unique_ptr<WorkerProcess> Shell(const std::string& script,
                                     std::vector<std::string>* lines = nullptr) {
  auto process = WorkerProcess::Start({"/bin/sh", "-c", script}, [lines](std::string_view line) {
    if (lines != nullptr) lines->emplace_back(line);
  });
  EXPECT_TRUE(process.ok()) << process.status().message();
  return std::move(process.value());
}

bool IsAlive(pid_t pid) { return kill(pid, 0) == 0; }

void WaitUntilGone(pid_t pid) {
  const auto deadline = steady_clock::now() + kLong;
  while (IsAlive(pid) && steady_clock::now() < deadline) {
    std::this_thread::sleep_for(milliseconds(5));
  }
}

TEST(WorkerProcessTest, AnswersLineByLine) {
  const auto process = Shell("while read line; do echo \"{\\\"got\\\": $line}\"; done");
  for (int i = 0; i < 3; ++i) {
    const auto answer = process->Ask({{"step", i}}, kLong);
    ASSERT_TRUE(answer.ok()) << answer.status().message();
    EXPECT_EQ(answer.value()["got"]["step"], i);
  }
}

TEST(WorkerProcessTest, TellsWhatItPrints) {
  std::vector<std::string> lines;
  const auto process = Shell("read line; printf 'one\\ntw\\377o\\n' >&2; echo '{}'", &lines);
  ASSERT_TRUE(process->Ask(Json::object(), kLong).ok());
  const auto second = process->Ask(Json::object(), kLong);
  EXPECT_EQ(second.status().code(), Code::kIo);
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "tw\xEF\xBF\xBDo"}));
}

TEST(WorkerProcessTest, SaysHowItEnded) {
  const auto exited = Shell("read line; echo sorry >&2; exit 3")->Ask(Json::object(), kLong);
  EXPECT_EQ(exited.status().code(), Code::kIo);
  EXPECT_EQ(exited.status().message(), "exited with code 3; its output:\nsorry");
  const auto killed = Shell("read line; kill -SEGV $$")->Ask(Json::object(), kLong);
  EXPECT_EQ(killed.status().message(), "was killed by signal 11 (Segmentation fault)");
  const auto missing = WorkerProcess::Start({"/no/such/program"}, [](std::string_view) {});
  EXPECT_EQ(missing.value()->Ask(Json::object(), kLong).status().message(), "exited with code 127");
}

TEST(WorkerProcessTest, OneThatHasEndedDoesNoHarm) {
  const auto process = Shell("exit 0");
  std::this_thread::sleep_for(milliseconds(100));
  const Json long_request = {{"text", std::string(1 << 20, 'x')}};  // More than fits anywhere.
  EXPECT_EQ(process->Ask(long_request, kLong).status().message(), "exited with code 0");
  EXPECT_EQ(process->Ask(long_request, kLong).status().message(), "has exited");
}

TEST(WorkerProcessTest, OneThatDoesNotReadIsLate) {
  const Json long_request = {{"text", std::string(1 << 20, 'x')}};
  const auto answer = Shell("sleep 60")->Ask(long_request, milliseconds(100));
  EXPECT_EQ(answer.status().message(), "did not answer within 0.1 s and was killed");
}

TEST(WorkerProcessTest, AnEndIsSeenThoughAnotherHoldsTheChannel) {
  const auto begin = steady_clock::now();
  const auto answer = Shell("read line; sleep 60 & exit 4")->Ask(Json::object(), kLong);
  EXPECT_EQ(answer.status().message(), "exited with code 4");
  EXPECT_LT(steady_clock::now() - begin, kLong / 2);
}

TEST(WorkerProcessTest, TheLateOneDiesWithAllItStarted) {
  std::vector<std::string> lines;
  const auto process = Shell("sleep 1000 & echo $! >&2; echo $$ >&2; wait", &lines);
  const auto begin = steady_clock::now();
  EXPECT_EQ(process->Ask(Json::object(), milliseconds(500)).status().code(), Code::kUnavailable);
  EXPECT_LT(steady_clock::now() - begin, kLong / 2);
  ASSERT_EQ(lines.size(), 2u);
  for (const std::string& line : lines) {
    WaitUntilGone(std::stoi(line));
    EXPECT_FALSE(IsAlive(std::stoi(line)));
  }
}

TEST(WorkerProcessTest, FloodsDoNoHarm) {
  const auto endless = Shell("exec yes flood >&2")->Ask(Json::object(), milliseconds(300));
  EXPECT_EQ(endless.status().code(), Code::kUnavailable);
  const auto answer = Shell("tr '\\0' x </dev/zero")->Ask(Json::object(), kLong);
  EXPECT_EQ(answer.status().message(), "sent an answer larger than 16 MiB");
  const auto nonsense = Shell("echo hello")->Ask(Json::object(), kLong);
  EXPECT_EQ(nonsense.status().message(), "sent an answer that is not a JSON object");
}

TEST(WorkerProcessTest, EndsWhenNobodyAsksAnyMore) {
  std::vector<std::string> lines;
  auto process = Shell("echo $$ >&2; while read line; do echo '{}'; done; echo done >&2", &lines);
  ASSERT_TRUE(process->Ask(Json::object(), kLong).ok());
  process.reset();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1], "done");
  EXPECT_FALSE(IsAlive(std::stoi(lines[0])));
}

TEST(WorkerProcessTest, BeginsWithAllSignalsAtTheirDefaults) {
  signal(SIGUSR1, SIG_IGN);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  std::vector<std::string> lines;
  const auto process = Shell("grep -E '^Sig(Blk|Ign)' /proc/self/status >&2; echo '{}'", &lines);
  EXPECT_TRUE(process->Ask(Json::object(), kLong).ok());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  signal(SIGUSR1, SIG_DFL);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "SigBlk:\t0000000000000000");
  // The C library keeps signals 32 and 33 for itself: whoever ignores them, for all below it,
  // stays.
  const uint64_t ignored = std::stoull(lines[1].substr(lines[1].find('\t') + 1), nullptr, 16);
  EXPECT_EQ(ignored & ~(uint64_t{3} << 31), 0u) << lines[1];
}

TEST(WorkerProcessTest, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    const auto process = Shell("trap '' HUP; echo \"{\\\"pid\\\": $$}\"; sleep 1000");
    const auto answer = process->Ask(Json::object(), kLong);
    const pid_t pid = answer.ok() ? answer.value()["pid"].get<pid_t>() : -1;
    const ssize_t written = write(ends[1], &pid, sizeof(pid));
    _exit(written == sizeof(pid) ? 0 : 1);
  }
  pid_t pid = -1;
  ASSERT_EQ(read(ends[0], &pid, sizeof(pid)), static_cast<ssize_t>(sizeof(pid)));
  ASSERT_GT(pid, 0);
  waitpid(parent, nullptr, 0);
  // Whoever inherits it may not reap it: a zombie is dead, too.
  const auto deadline = steady_clock::now() + kLong;
  const std::string status = "/proc/" + std::to_string(pid) + "/cmdline";
  const auto runs = [&] {
    FILE* file = fopen(status.c_str(), "r");
    if (file == nullptr) return false;
    const int first = fgetc(file);
    fclose(file);
    return first != EOF;
  };
  while (runs() && steady_clock::now() < deadline) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_FALSE(runs());
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace warden::rules
