#include "warden/jobs/slurm/slurm_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <semaphore>

#include "warden/base/strings.h"
#include "warden/jobs/launch/job_variables.h"
#include "warden/os/posix.h"
#include "warden/os/program.h"

namespace warden::jobs {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kTimeout{60};
// Hundreds of jobs may begin at once; Slurm's controller does not get faster by that.
std::counting_semaphore<4> running(4);

std::vector<std::string> Environment() {
  Variables variables = HarmlessVariables();
  if (const char* file = std::getenv("SLURM_CONF")) variables["SLURM_CONF"] = file;
  return AsEnvironment(variables);
}

struct Pipe {
  std::optional<os::UniqueFd> out, in;
  bool Open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    out.emplace(ends[0]);
    in.emplace(ends[1]);
    return true;
  }
};

// Reads both to their ends. False: not before the time was over.
bool ReadBoth(int output, int errors, std::string* said, std::string* complained) {
  const auto deadline = Clock::now() + kTimeout;
  pollfd waiting[] = {{output, POLLIN, 0}, {errors, POLLIN, 0}};
  std::string* const texts[] = {said, complained};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    if (poll(waiting, 2, static_cast<int>(left.count())) < 0 && errno != EINTR) return false;
    for (size_t i = 0; i < 2; ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      char buffer[8192];
      const ssize_t size = read(waiting[i].fd, buffer, sizeof(buffer));
      if (size > 0) texts[i]->append(buffer, static_cast<size_t>(size));
      if (size == 0 || (size < 0 && errno != EINTR)) waiting[i].fd = -1;
    }
  }
  return true;
}

// "sbatch: error: Invalid partition" becomes "Invalid partition".
std::string FirstComplaint(const std::string& complained) {
  const auto lines = SplitTrimmed(complained, '\n');
  if (lines.empty()) return "no message";
  std::string_view line = lines.front();
  const size_t label = line.find("error: ");
  if (label != std::string_view::npos) line.remove_prefix(label + 7);
  return std::string(line);
}

struct Turn {
  Turn() { running.acquire(); }
  ~Turn() { running.release(); }
};

}  // namespace

Result<std::string> RunSlurm(const std::vector<std::string>& words) {
  const Turn turn;
  const os::UniqueFd input(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Pipe output, errors;
  if (!input.ok() || !output.Open() || !errors.Open()) {
    return os::IoError("create", "a pipe", errno);
  }
  os::Program program;
  program.words = words;
  program.environment = Environment();
  program.folder = "/";
  program.input = input.get();
  program.output = output.in->get();
  program.errors = errors.in->get();
  program.last_signal = SIGKILL;
  const os::Started started = os::StartProgram(std::move(program));
  output.in.reset();
  errors.in.reset();
  if (started.pid <= 0) {
    return Status(Code::kUnavailable,
                  fmt::format("cannot run {}: {}", words.front(), os::ErrorText(started.error)));
  }
  std::string said, complained;
  const bool in_time = ReadBoth(output.out->get(), errors.out->get(), &said, &complained);
  if (!in_time) kill(started.pid, SIGKILL);
  int state = 0;
  while (waitpid(started.pid, &state, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) {
    return Status(Code::kUnavailable, fmt::format("{} took longer than {} s and was killed",
                                                  words.front(), kTimeout.count()));
  }
  if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return said;
  return Status(Code::kUnavailable,
                fmt::format("{}: {}", words.front(), FirstComplaint(complained)));
}

}  // namespace warden::jobs
