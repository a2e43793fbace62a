#include "warden/jobs/launch/start_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "warden/base/strings.h"
#include "warden/os/before_exec.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

// The files that the first word may mean, in order.
std::vector<std::string> Candidates(const ProgramToStart& program) {
  const std::string& word = program.words.front();
  if (word.find('/') != std::string::npos) return {word};
  std::vector<std::string> files;
  for (const std::string& variable : program.environment) {
    if (!variable.starts_with("PATH=")) continue;
    for (const std::string& folder : SplitTrimmed(variable.substr(5), ':')) {
      files.push_back(folder + "/" + word);
    }
  }
  return files;
}

struct Plan {
  const std::vector<std::string>& files;
  char* const* words;
  char* const* environment;
  const char* directory;
  int input, output, members, report, last_signal;
  pid_t parent;
};

// Between fork and exec: nothing is allocated.
[[noreturn]] void BecomeProgram(const Plan& plan) {
  int error = ENOENT;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, plan.last_signal);
  // It may have died before it was asked for.
  if (getppid() != plan.parent) _exit(127);
  os::ResetSignals();
  // A group that takes no members is no reason to fail: descendants are looked for then.
  if (plan.members >= 0) (void)!write(plan.members, "0", 1);
  if (dup2(plan.input, STDIN_FILENO) < 0 || dup2(plan.output, STDOUT_FILENO) < 0 ||
      dup2(plan.output, STDERR_FILENO) < 0 || chdir(plan.directory) != 0) {
    error = errno;
  } else {
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    for (const std::string& file : plan.files) {
      execve(file.c_str(), plan.words, plan.environment);
      if (errno != ENOENT && errno != ENOTDIR) error = errno;
    }
  }
  (void)!write(plan.report, &error, sizeof(error));
  _exit(127);
}

}  // namespace

Result<pid_t> StartProgram(const ProgramToStart& program) {
  const std::vector<std::string> files = Candidates(program);
  const std::vector<char*> words = os::PointersTo(program.words);
  const std::vector<char*> environment = os::PointersTo(program.environment);
  const os::UniqueFd input(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!input.ok()) return os::IoError("open", "/dev/null", errno);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return os::IoError("create", "a pipe", errno);
  const os::UniqueFd read_end(ends[0]);
  os::UniqueFd write_end(ends[1]);
  const Plan plan{
      files,          words.data(),    environment.data(), program.directory.c_str(), input.get(),
      program.output, program.members, write_end.get(),    program.last_signal,       getpid()};
  const pid_t pid = fork();
  if (pid == 0) BecomeProgram(plan);
  if (pid < 0) return os::IoError("start", program.words.front(), errno);
  write_end = os::UniqueFd();
  int error = 0;
  ssize_t size = 0;
  while ((size = read(read_end.get(), &error, sizeof(error))) < 0 && errno == EINTR) {
  }
  if (size != sizeof(error)) return pid;
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return Status(Code::kInvalid, fmt::format("cannot run {} in {}: {}", program.words.front(),
                                            program.directory, os::ErrorText(error)));
}

}  // namespace warden::jobs
