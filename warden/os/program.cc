#include "warden/os/program.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "warden/os/blocked_signals.h"
#include "warden/os/open_files.h"
#include "warden/os/posix.h"

namespace warden::os {
namespace {

constexpr int kFirstFreeDescriptor = STDERR_FILENO + 1;
constexpr int kNotExecuted = 127;  // As shells have it.
constexpr char kShell[] = "/bin/sh";

// What the new process tells through a pipe that closes when it becomes the program.
struct Report {
  pid_t pid = 0;  // 0: there is no such process.
  int error = 0;
};

// What the word may mean, in order, as the C library looks for it.
std::vector<std::string> FilesOnPath(const std::string& word) {
  if (word.empty() || word.find('/') != std::string::npos) return {word};
  const char* variable = std::getenv("PATH");
  std::string_view path = variable == nullptr ? "/bin:/usr/bin" : variable;
  std::vector<std::string> files;
  for (;;) {
    const size_t colon = path.find(':');
    const std::string folder(path.substr(0, colon));
    files.push_back((folder.empty() ? "." : folder) + "/" + word);
    if (colon == std::string_view::npos) return files;
    path.remove_prefix(colon + 1);
  }
}

// The words as exec takes them.
std::vector<char*> PointersTo(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<char*> ScriptWords(const std::vector<char*>& words, const std::string& file) {
  std::vector<char*> script = words;
  script[0] = const_cast<char*>(file.c_str());
  script.insert(script.begin(), const_cast<char*>(kShell));
  return script;
}

// No handler of ours may run from here on. (The C library keeps two signals for itself, which it
// refuses to touch.)
void ResetSignals(bool keep_ignored) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action{};
    sigaction(signal, nullptr, &action);
    if (keep_ignored && action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
  }
}

// A number that cannot be overwritten when the standard ones are set: we may have been started
// without those.
int OutOfTheWay(int descriptor) {
  if (descriptor < 0 || descriptor >= kFirstFreeDescriptor) return descriptor;
  return fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstFreeDescriptor);
}

// Reads until the other side is closed; the last report counts.
Report ReadReports(int pipe) {
  Report last;
  for (;;) {
    Report report;
    const ssize_t size = read(pipe, &report, sizeof(report));
    if (size < 0 && errno == EINTR) continue;
    if (size != sizeof(report)) return last;
    last = report;
  }
}

void WriteReport(int pipe, const Report& report) {
  if (pipe >= 0) (void)!write(pipe, &report, sizeof(report));
}

void WaitForEnd(pid_t pid) {
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

struct PreparedProgram::Parent {
  pid_t pid;
  int report;  // Of the pipe, or -1.
  const sigset_t& signals;
};

PreparedProgram::PreparedProgram(Program program)
    : program_(std::move(program)),
      files_(program_.files ? *program_.files : FilesOnPath(program_.words.front())),
      words_(PointersTo(program_.words)),
      environment_(program_.environment ? PointersTo(*program_.environment) : std::vector<char*>()),
      script_words_(program_.takes_scripts ? ScriptWords(words_, files_.front())
                                           : std::vector<char*>()) {}

Started PreparedProgram::Start() const {
  int ends[2] = {-1, -1};
  if (!program_.fails_by_exit_code && pipe2(ends, O_CLOEXEC) != 0) return {-1, errno, false};
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  pid_t pid = -1;
  {
    // A handler of ours must not run in the child.
    const BlockedSignals blocked;
    const Parent parent{getpid(), ends[1], blocked.before()};
    pid = fork();
    if (pid == 0 && program_.detached) {
      pid = fork();
      if (pid < 0) WriteReport(ends[1], {0, errno});
      if (pid != 0) _exit(0);
    }
    if (pid == 0) Become(parent);
  }
  if (pid < 0) return {-1, errno, false};
  // Here too: whoever needs the group must not depend on who is faster.
  if (program_.group == Program::Group::kOwn) setpgid(pid, pid);
  if (program_.fails_by_exit_code) return {pid, 0, true};
  write_end = UniqueFd();
  const Report report = ReadReports(read_end.get());
  if (!program_.detached && report.error == 0) return {pid, 0, true};
  WaitForEnd(pid);
  if (report.error != 0 || report.pid == 0) return {-1, report.error, report.pid != 0};
  return {report.pid, 0, true};
}

void PreparedProgram::Become(const Parent& parent) const {
  Report report{getpid(), 0};
  const int pipe = OutOfTheWay(parent.report);
  if (program_.group == Program::Group::kOwn) setpgid(0, 0);
  if (program_.group >= Program::Group::kOwnSession) setsid();
  if (program_.last_signal != 0) {
    prctl(PR_SET_PDEATHSIG, program_.last_signal);
    // It may have died before it was asked for. From another process namespace it is seen as 0.
    const pid_t now = getppid();
    if (now != parent.pid && now != 0) _exit(kNotExecuted);
  }
  ResetSignals(program_.keeps_signals);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, program_.keeps_signals ? &parent.signals : &none, nullptr);
  if (program_.last_steps) program_.last_steps();
  if (Redirect() && (program_.folder.empty() || chdir(program_.folder.c_str()) == 0)) {
    WriteReport(pipe, report);
    if (!program_.keeps_files) {
      syscall(SYS_close_range, kFirstFreeDescriptor, ~0U, CLOSE_RANGE_CLOEXEC);
    }
    // Late: until here there may be more descriptors than the program is allowed.
    RestoreOpenFilesLimit();
    report.error = Execute();
  } else {
    report.error = errno;
  }
  WriteReport(pipe, report);
  // What our output has buffered must not pass for the program's: sanitizers write it out even
  // here.
  close(STDOUT_FILENO);
  _exit(kNotExecuted);
}

bool PreparedProgram::Redirect() const {
  const int wanted[] = {program_.input, program_.output, program_.errors};
  int moved[] = {-1, -1, -1};
  for (int i = 0; i < kFirstFreeDescriptor; ++i) {
    moved[i] = OutOfTheWay(wanted[i]);
    if (wanted[i] >= 0 && moved[i] < 0) return false;
  }
  if (program_.group == Program::Group::kOwnTerminal && ioctl(moved[0], TIOCSCTTY, 0) != 0) {
    return false;
  }
  for (int i = 0; i < kFirstFreeDescriptor; ++i) {
    if (moved[i] >= 0 && dup2(moved[i], i) < 0) return false;
  }
  return true;
}

int PreparedProgram::Execute() const {
  char* const* environment = program_.environment ? environment_.data() : environ;
  int error = ENOENT;
  for (const std::string& file : files_) {
    execve(file.c_str(), words_.data(), environment);
    if (errno == ENOEXEC && program_.takes_scripts) {
      execve(kShell, script_words_.data(), environment);
    }
    if (files_.size() == 1 || !IsAbsence(errno)) error = errno;
  }
  return error;
}

}  // namespace warden::os
