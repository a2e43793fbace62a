#include "warden/cli/doctor/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace warden::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kMostOutput = 1 << 20;

// Starts the program with standard output to the descriptor, in a new process group, which allows
// killing its children too. 0 or the error number.
int Spawn(const std::vector<std::string>& arguments, int output, pid_t* pid) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int error = posix_spawnp(pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Reads until the other end is closed; false after the deadline or too much output.
bool ReadUntil(int descriptor, Clock::time_point deadline, std::string* text) {
  while (text->size() < kMostOutput) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min<int64_t>(left, 1000)));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    char block[4096];
    const ssize_t n = read(descriptor, block, sizeof(block));
    if (n == 0) return true;
    if (n > 0) text->append(block, static_cast<size_t>(n));
  }
  return false;
}

}  // namespace

Result<std::string> OutputOf(const std::vector<std::string>& arguments,
                             std::chrono::milliseconds timeout) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Status(Code::kIo, std::strerror(errno));
  pid_t pid = 0;
  const int error = Spawn(arguments, ends[1], &pid);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return Status(error == ENOENT ? Code::kNotFound : Code::kIo,
                  fmt::format("{}: {}", arguments[0], std::strerror(error)));
  }
  std::string text;
  const bool ended = ReadUntil(ends[0], Clock::now() + timeout, &text);
  close(ends[0]);
  if (!ended) kill(-pid, SIGKILL);
  int state = 0;
  while (waitpid(pid, &state, 0) < 0 && errno == EINTR) {
  }
  if (!ended) {
    return Status(Code::kUnavailable, fmt::format("{} did not finish in time", arguments[0]));
  }
  if (!WIFEXITED(state) || WEXITSTATUS(state) != 0) {
    return Status(Code::kIo, fmt::format("{} failed", arguments[0]));
  }
  return text;
}

}  // namespace warden::cli
