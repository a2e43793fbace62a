#include "warden/jobs/agent/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "warden/os/before_exec.h"
#include "warden/os/blocked_signals.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

#if !defined(__has_feature)
constexpr bool kCanLimitMemory = true;
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kCanLimitMemory = false;
#else
constexpr bool kCanLimitMemory = true;
#endif

// What the new process tells us.
struct Report {
  pid_t pid = 0;
  int error = 0;  // Of exec, or of what comes before it.
};

// All that is needed between fork and exec, where nothing may be allocated.
struct Plan {
  char* const* words;
  char* const* environment;
  int input;
  int output;
  int report;
  uint64_t memory_bytes;
};

void Limit(int resource, rlim_t most) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource>(resource), &now);
  if (now.rlim_max < most) most = now.rlim_max;
  const rlimit limit{most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

// Never returns. Only calls that are safe in the child of a process with threads.
[[noreturn]] void BecomeProgram(const Plan& plan) {
  Report report{getpid(), 0};
  setsid();
  os::ResetSignals();
  Limit(RLIMIT_CORE, 0);
  // Not RLIMIT_AS: that counts mapped files too, of which runs have many.
  if (plan.memory_bytes != 0 && kCanLimitMemory) Limit(RLIMIT_DATA, plan.memory_bytes);
  const bool ready = chdir("/") == 0 && dup2(plan.input, STDIN_FILENO) >= 0 &&
                     dup2(plan.output, STDOUT_FILENO) >= 0 && dup2(plan.output, STDERR_FILENO) >= 0;
  if (ready) {
    // The report goes on: with a number that says that it is running, closed by exec.
    (void)!write(plan.report, &report, sizeof(report));
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    execve(plan.words[0], plan.words, plan.environment);
  }
  report.error = errno;
  (void)!write(plan.report, &report, sizeof(report));
  _exit(127);
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

}  // namespace

Result<pid_t> SpawnDetached(const DetachedProgram& program) {
  const std::vector<char*> words = os::PointersTo(program.words);
  const std::vector<char*> environment = os::PointersTo(program.environment);
  const os::UniqueFd input(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!input.ok()) return os::IoError("open", "/dev/null", errno);
  const os::UniqueFd output(
      open(program.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!output.ok()) return os::IoError("open", program.output, errno);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return os::IoError("create", "a pipe", errno);
  const os::UniqueFd read_end(ends[0]);
  os::UniqueFd write_end(ends[1]);
  const Plan plan{words.data(), environment.data(), input.get(),
                  output.get(), write_end.get(),    program.memory_bytes};

  pid_t between = -1;
  {
    // A handler of ours must not run in the child.
    const os::BlockedSignals blocked;
    between = fork();
    if (between == 0) {
      const pid_t last = fork();
      if (last == 0) BecomeProgram(plan);
      const Report failed{0, errno};
      if (last < 0) (void)!write(plan.report, &failed, sizeof(failed));
      _exit(0);
    }
  }
  if (between < 0) return os::IoError("start", program.words.front(), errno);
  write_end = os::UniqueFd();
  const Report report = ReadReports(read_end.get());
  while (waitpid(between, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (report.error != 0) return os::IoError("start", program.words.front(), report.error);
  if (report.pid == 0) {
    return Status(Code::kIo,
                  "cannot start " + program.words.front() + ": it was killed immediately");
  }
  return report.pid;
}

bool MemoryCanBeLimited() { return kCanLimitMemory; }

}  // namespace warden::jobs
