#ifndef WARDEN_JOBS_EXEC_PTY_SHELL_H_
#define WARDEN_JOBS_EXEC_PTY_SHELL_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::jobs {

struct TerminalSize {
  int columns = 80;
  int rows = 24;
};

struct ShellLaunch {
  std::vector<std::string> words;        // The program first; found by the environment's PATH.
  std::vector<std::string> environment;  // "NAME=value".
  std::string directory;
  TerminalSize size;
};

// A program with a terminal of its own, of which we hold the other end. Nothing that it starts
// outlives this, however it hides. For one thread, the one that started it.
class PtyShell {
 public:
  // kNotFound, naming the program, or kIo. A file that is there and cannot be executed is told on
  // the terminal, and by exit code 126, as shells do.
  static Result<std::unique_ptr<PtyShell>> Start(const ShellLaunch& launch);
  ~PtyShell();
  PtyShell(const PtyShell&) = delete;
  PtyShell& operator=(const PtyShell&) = delete;

  // To be waited for: POLLIN when there is output or the program has ended, POLLOUT when it takes
  // input. Never blocks.
  int descriptor() const { return terminal_.get(); }

  enum class ReadState { kOutput, kNothingYet, kEnd };
  // Appends what there is. kEnd: all that had the terminal open have ended.
  ReadState Read(std::string* output);
  // How many bytes were taken.
  size_t Write(std::string_view typed);
  void Resize(const TerminalSize& size);
  // What is typed now is not to be seen: a line is asked for and not echoed, as for passwords.
  // (Shells that edit lines themselves ask for single keys instead.)
  bool HidesInput() const;
  // What ends the input: the key for it, if lines are being read.
  char EndOfInput() const;

  // Whether the program itself has ended. *exit_code is then what a shell would make of it.
  bool HasEnded(int* exit_code);

 private:
  PtyShell(os::UniqueFd terminal, os::UniqueFd ending, pid_t keeper)
      : terminal_(std::move(terminal)), ending_(std::move(ending)), keeper_(keeper) {}

  os::UniqueFd terminal_;
  os::UniqueFd ending_;  // How the program ended comes here.
  pid_t keeper_;
  bool ended_ = false;
  int exit_code_ = 0;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_PTY_SHELL_H_
