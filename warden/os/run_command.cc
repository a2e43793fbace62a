#include "warden/os/run_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/os/posix.h"
#include "warden/os/program.h"

namespace warden::os {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kTailBytes = 1000;
constexpr int kLookMs = 20;

// A file in memory that holds the text, to be read from its beginning. Unlike a pipe it does not
// mind a program that ends without reading.
Result<UniqueFd> FileWith(std::string_view text) {
  UniqueFd file(memfd_create("event", MFD_CLOEXEC));
  if (!file.ok()) return IoError("create", "a file in memory", errno);
  while (!text.empty()) {
    const ssize_t written = write(file.get(), text.data(), text.size());
    if (written < 0) return IoError("write", "a file in memory", errno);
    text.remove_prefix(static_cast<size_t>(written));
  }
  lseek(file.get(), 0, SEEK_SET);
  return file;
}

std::vector<std::string> EnvironmentOf(const CommandLine& command) {
  std::vector<std::string> environment;
  for (const auto& [name, value] : command.variables) environment.push_back(name + "=" + value);
  const size_t own = environment.size();
  const auto add = [&](std::string_view text) {
    const std::string_view name = text.substr(0, text.find('=') + 1);
    bool replaced = false;
    for (size_t i = 0; i < own; ++i) replaced |= environment[i].starts_with(name);
    if (!replaced) environment.emplace_back(text);
  };
  if (command.environment) {
    for (const std::string& variable : *command.environment) add(variable);
  } else {
    for (char** variable = environ; *variable != nullptr; ++variable) add(*variable);
  }
  return environment;
}

Result<pid_t> Start(const CommandLine& command, int input, int output) {
  Program program;
  program.words = command.words;
  program.environment = EnvironmentOf(command);
  program.input = input;
  program.output = output;
  program.errors = output;
  program.group = Program::Group::kOwn;
  const Started started = StartProgram(std::move(program));
  if (started.pid > 0) return started.pid;
  return Status(Code::kInvalid,
                fmt::format("cannot run {}: {}", command.words.front(), ErrorText(started.error)));
}

// Reads what is there, without waiting, and keeps the end of it.
void ReadTail(int output, std::string* tail) {
  char buffer[4096];
  for (ssize_t size = 0; (size = read(output, buffer, sizeof(buffer))) > 0;) {
    tail->append(buffer, static_cast<size_t>(size));
    if (tail->size() > kTailBytes) tail->erase(0, tail->size() - kTailBytes);
  }
}

std::string Said(const std::string& tail) {
  if (Trim(tail).empty()) return "";
  std::string text;
  AppendJsonString(Trim(tail), &text);
  return ", output: " + text;
}

Status StatusOf(const std::string& program, int state, const std::string& tail) {
  if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return Status();
  if (WIFEXITED(state)) {
    const int code = WEXITSTATUS(state);
    return Status(code == EX_TEMPFAIL ? Code::kUnavailable : Code::kInvalid,
                  fmt::format("{} exited with code {}{}", program, code, Said(tail)));
  }
  return Status(Code::kInvalid,
                fmt::format("{} was killed by signal {}{}", program, WTERMSIG(state), Said(tail)));
}

}  // namespace

Status RunCommand(const CommandLine& command, std::string_view input, const std::stop_token& stop) {
  const auto file = FileWith(input);
  if (!file.ok()) return file.status();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return IoError("create", "a pipe", errno);
  const UniqueFd output(ends[0]);
  std::optional<UniqueFd> write_end(ends[1]);
  fcntl(output.get(), F_SETFL, O_NONBLOCK);
  const auto pid = Start(command, file.value().get(), write_end->get());
  write_end.reset();
  if (!pid.ok()) return pid.status();

  const std::string& program = command.words.front();
  const auto deadline = Clock::now() + command.timeout;
  std::string tail;
  int state = 0;
  std::optional<Status> cut_short;
  for (;;) {
    ReadTail(output.get(), &tail);
    const pid_t ended = waitpid(pid.value(), &state, WNOHANG);
    // If SIGCHLD is ignored, the exit code is unknown: counts as success.
    if (ended != 0) break;
    if (!cut_short && (stop.stop_requested() || Clock::now() >= deadline)) {
      cut_short =
          stop.stop_requested()
              ? Status(Code::kUnavailable, program + " was interrupted")
              : Status(Code::kInvalid, fmt::format("{} took longer than {} ms and was killed",
                                                   program, command.timeout.count()));
      // Its ID cannot have been reused, since we have not waited for it yet.
      kill(-pid.value(), SIGKILL);
    }
    pollfd waiting{output.get(), POLLIN, 0};
    // After it has closed its output, only its end is left to wait for.
    if (poll(&waiting, 1, kLookMs) > 0 && (waiting.revents & POLLIN) == 0) usleep(kLookMs * 1000);
  }
  ReadTail(output.get(), &tail);
  if (cut_short) return Status(cut_short->code(), cut_short->message() + Said(tail));
  return StatusOf(program, state, tail);
}

}  // namespace warden::os
