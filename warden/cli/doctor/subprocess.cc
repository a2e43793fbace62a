#include "warden/cli/doctor/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "warden/os/posix.h"
#include "warden/os/program.h"

namespace warden::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kMostOutput = 1 << 20;

// Starts the program with standard output to the descriptor, in a new process group, which allows
// killing its children too.
os::Started Spawn(const std::vector<std::string>& arguments, int output) {
  const os::UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nothing.ok()) return {-1, errno, false};
  os::Program program;
  program.words = arguments;
  program.input = nothing.get();
  program.output = output;
  program.errors = nothing.get();
  program.keeps_files = true;
  program.keeps_signals = true;
  program.group = os::Program::Group::kOwn;
  return os::StartProgram(std::move(program));
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
  const os::UniqueFd read_end(ends[0]);
  std::optional<os::UniqueFd> write_end(ends[1]);
  const os::Started started = Spawn(arguments, write_end->get());
  write_end.reset();
  const pid_t pid = started.pid;
  if (pid < 0) {
    return Status(started.error == ENOENT ? Code::kNotFound : Code::kIo,
                  fmt::format("{}: {}", arguments[0], std::strerror(started.error)));
  }
  std::string text;
  const bool ended = ReadUntil(read_end.get(), Clock::now() + timeout, &text);
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
