#include "warden/os/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "warden/os/posix.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::os {
namespace {

using Words = std::vector<std::string>;

Program ShellProgram(const std::string& script) {
  Program program;
  program.words = {"sh", "-c", script};
  return program;
}

int StateOf(pid_t pid) {
  int state = 0;
  while (waitpid(pid, &state, 0) < 0 && errno == EINTR) {
  }
  return state;
}

// Everything that the program prints to its standard output.
std::string PrintedBy(Program program) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  program.output = write_end.get();
  const Started started = StartProgram(std::move(program));
  EXPECT_GT(started.pid, 0) << ErrorText(started.error);
  write_end = UniqueFd();
  std::string text;
  char block[1000];
  for (ssize_t n = 0; (n = read(read_end.get(), block, sizeof(block))) > 0;) {
    text.append(block, static_cast<size_t>(n));
  }
  if (started.pid > 0) {
    EXPECT_EQ(StateOf(started.pid), 0);
  }
  return text;
}

void WriteExecutable(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  chmod(path.c_str(), 0755);
}

// Whether there is no child left to wait for.
bool NoChildIsLeft() { return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

TEST(ProgramTest, IsFoundByOurPath) {
  EXPECT_EQ(PrintedBy(ShellProgram("echo $((1 + 1))")), "2\n");
  Program missing;
  missing.words = {"no-such-program-anywhere"};
  const Started started = StartProgram(missing);
  EXPECT_EQ(started.pid, -1);
  EXPECT_EQ(started.error, ENOENT);
  EXPECT_TRUE(started.tried);
  missing.words = {""};
  EXPECT_EQ(StartProgram(missing).error, ENOENT);
  EXPECT_TRUE(NoChildIsLeft());
}

TEST(ProgramTest, TheFirstFileThatCanBeExecutedIs) {
  const TempFolder temp;
  const std::string text = (temp.path() / "text").string();
  std::ofstream(text) << "no program";
  Program program = ShellProgram("echo $0");
  program.files = Words{"/no/such/file", text, "/bin/sh"};
  EXPECT_EQ(PrintedBy(program), "sh\n");
  // What is there and cannot be executed is worth more than what is not there.
  program.files = Words{"/no/such/file", text, "/nor/this"};
  EXPECT_EQ(StartProgram(program).error, EACCES);
  program.files = Words{text + "/below"};
  EXPECT_EQ(StartProgram(program).error, ENOTDIR);
  program.files = Words{};
  EXPECT_EQ(StartProgram(program).error, ENOENT);
}

TEST(ProgramTest, ScriptsWithoutInterpreterRunOnlyIfAsked) {
  const TempFolder temp;
  const std::string script = (temp.path() / "script").string();
  WriteExecutable(script, "echo \"$0 $1\"\n");
  Program program;
  program.words = {"name", "word"};
  program.files = Words{script};
  EXPECT_EQ(StartProgram(program).error, ENOEXEC);
  program.takes_scripts = true;
  EXPECT_EQ(PrintedBy(program), script + " word\n");
}

TEST(ProgramTest, HasTheGivenEnvironmentOrOurs) {
  setenv("PROGRAM_TEST", "ours", 1);
  Program program = ShellProgram("echo \"$PROGRAM_TEST $WORD\"");
  EXPECT_EQ(PrintedBy(program), "ours \n");
  program.environment = Words{"WORD=given"};
  EXPECT_EQ(PrintedBy(program), " given\n");
  unsetenv("PROGRAM_TEST");
}

TEST(ProgramTest, WorksInTheFolder) {
  const TempFolder temp;
  Program program = ShellProgram("pwd -P");
  program.folder = temp.path().string();
  EXPECT_EQ(PrintedBy(program), std::filesystem::canonical(temp.path()).string() + "\n");
  program.folder = (temp.path() / "missing").string();
  const Started started = StartProgram(program);
  EXPECT_EQ(started.pid, -1);
  EXPECT_EQ(started.error, ENOENT);
  EXPECT_TRUE(started.tried);
}

TEST(ProgramTest, ReadsAndWritesWhereItShould) {
  const TempFolder temp;
  const std::string path = (temp.path() / "input").string();
  std::ofstream(path) << "typed\n";
  const UniqueFd input(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const UniqueFd errors(open((temp.path() / "errors").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  Program program = ShellProgram("read line; echo \"got $line\"; echo oops >&2");
  program.input = input.get();
  program.errors = errors.get();
  EXPECT_EQ(PrintedBy(program), "got typed\n");
  char text[10] = {};
  EXPECT_EQ(pread(errors.get(), text, sizeof(text) - 1, 0), 5);
  EXPECT_STREQ(text, "oops\n");
}

// Whoever closed the standard descriptors gets their numbers for others.
TEST(ProgramTest, StandardNumbersMayBeAnything) {
  const TempFolder temp;
  const std::string path = (temp.path() / "output").string();
  const pid_t child = fork();
  if (child == 0) {
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    const int output = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    Program program = ShellProgram("echo one; echo two >&2");
    program.output = output;
    program.errors = output;
    const Started started = StartProgram(program);
    _exit(output == STDIN_FILENO && started.pid > 0 && StateOf(started.pid) == 0 ? 0 : 1);
  }
  EXPECT_EQ(StateOf(child), 0);
  std::ifstream file(path);
  std::string one, two;
  file >> one >> two;
  EXPECT_EQ(one + " " + two, "one two");
}

TEST(ProgramTest, InheritsOtherFilesOnlyIfAsked) {
  const UniqueFd other(fcntl(STDIN_FILENO, F_DUPFD, 50));
  ASSERT_TRUE(other.ok());
  Program program =
      ShellProgram("test -e /proc/self/fd/" + std::to_string(other.get()) + " && echo there; true");
  EXPECT_EQ(PrintedBy(program), "");
  program.keeps_files = true;
  EXPECT_EQ(PrintedBy(program), "there\n");
}

TEST(ProgramTest, SignalsAreAsNewUnlessKept) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  signal(SIGUSR1, SIG_IGN);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto killed_by = [](int number, bool keeps) {
    Program program = ShellProgram("kill -" + std::to_string(number) + " $$; exit 0");
    program.keeps_signals = keeps;
    const int state = StateOf(StartProgram(program).pid);
    return WIFSIGNALED(state) ? WTERMSIG(state) : 0;
  };
  EXPECT_EQ(killed_by(SIGUSR1, false), SIGUSR1);
  EXPECT_EQ(killed_by(SIGUSR2, false), SIGUSR2);
  EXPECT_EQ(killed_by(SIGUSR1, true), 0);
  EXPECT_EQ(killed_by(SIGUSR2, true), 0);
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, &before, &after);
  signal(SIGUSR1, SIG_DFL);
  EXPECT_TRUE(sigismember(&after, SIGUSR2));
  EXPECT_FALSE(sigismember(&after, SIGTERM));
}

TEST(ProgramTest, LeadsAGroupOrSessionIfAsked) {
  // Process group and session as the kernel tells them, relative to its own number.
  const std::string script =
      "read pid name state parent group session rest </proc/$$/stat; "
      "test $group = $$ && echo group; test $session = $$ && echo session; "
      "true";
  Program program = ShellProgram(script);
  EXPECT_EQ(PrintedBy(program), "");
  program.group = Program::Group::kOwn;
  EXPECT_EQ(PrintedBy(program), "group\n");
  program.group = Program::Group::kOwnSession;
  EXPECT_EQ(PrintedBy(program), "group\nsession\n");
}

TEST(ProgramTest, HasATerminalIfAsked) {
  const UniqueFd ours(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(ours.ok() && grantpt(ours.get()) == 0 && unlockpt(ours.get()) == 0);
  const UniqueFd theirs(open(ptsname(ours.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(theirs.ok());
  Program program = ShellProgram("echo typed >/dev/tty && echo yes");
  program.input = theirs.get();
  program.group = Program::Group::kOwnTerminal;
  EXPECT_EQ(PrintedBy(program), "yes\n");
  char text[10] = {};
  EXPECT_EQ(read(ours.get(), text, sizeof(text) - 1), 7);
  EXPECT_STREQ(text, "typed\r\n");
  const UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  program.input = nothing.get();
  EXPECT_EQ(StartProgram(program).error, ENOTTY);
}

TEST(ProgramTest, DetachedIsNotOurChild) {
  Program program = ShellProgram("exit 0");
  program.group = Program::Group::kOwnSession;
  program.detached = true;
  EXPECT_GT(StartProgram(program).pid, 0);
  EXPECT_TRUE(NoChildIsLeft());
  program.files = Words{"/no/such/file"};
  const Started started = StartProgram(program);
  EXPECT_EQ(started.pid, -1);
  EXPECT_EQ(started.error, ENOENT);
  EXPECT_TRUE(started.tried);
  program = ShellProgram("exit 0");
  program.detached = true;
  program.last_steps = [] { raise(SIGKILL); };
  const Started killed = StartProgram(program);
  EXPECT_EQ(killed.pid, -1);
  EXPECT_EQ(killed.error, 0);
  EXPECT_TRUE(NoChildIsLeft());
}

TEST(ProgramTest, FailureMayBeAnExitCode) {
  Program program = ShellProgram("exit 0");
  program.files = Words{"/no/such/file"};
  program.fails_by_exit_code = true;
  const Started started = StartProgram(program);
  ASSERT_GT(started.pid, 0);
  const int state = StateOf(started.pid);
  EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 127) << state;
}

TEST(ProgramTest, GetsASignalWhenItsParentEnds) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const pid_t parent = fork();
  if (parent == 0) {
    Program program = ShellProgram("exec sleep 1000");
    program.output = write_end.get();  // Open as long as the program lives.
    program.last_signal = SIGKILL;
    _exit(StartProgram(program).pid > 0 ? 0 : 1);
  }
  EXPECT_EQ(StateOf(parent), 0);
  write_end = UniqueFd();
  char byte = 0;
  EXPECT_EQ(read(read_end.get(), &byte, 1), 0);
}

TEST(ProgramTest, TakesLastStepsInTheNewProcess) {
  Program program = ShellProgram("umask");
  program.last_steps = [] { umask(0027); };
  EXPECT_EQ(PrintedBy(program), "0027\n");
}

TEST(ProgramTest, CanBeStartedBehindAFork) {
  Program given = ShellProgram("exit 5");
  const PreparedProgram prepared(given);
  const pid_t child = fork();
  if (child == 0) _exit(WEXITSTATUS(StateOf(prepared.Start().pid)));
  EXPECT_EQ(WEXITSTATUS(StateOf(child)), 5);
  EXPECT_EQ(WEXITSTATUS(StateOf(prepared.Start().pid)), 5);
}

}  // namespace
}  // namespace warden::os
