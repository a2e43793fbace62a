#ifndef WARDEN_JOBS_EXEC_PTY_SHELL_H_
#define WARDEN_JOBS_EXEC_PTY_SHELL_H_

// A program in a pseudo-terminal, as `warden exec` runs it. Used by Session alone.

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::jobs {

// In characters, 1 to 1,000 each; other values are clamped.
struct TerminalSize {
  int columns = 80;  // As terminals begin.
  int rows = 24;
};

// A box (os/box.h) that the program is to join.
struct ShellBox {
  pid_t process = 0;          // That called RunInBox.
  std::optional<uid_t> user;  // Who the programs in it are, if not we.
  // The control group whose limits hold for the program too, by its folder; empty: none.
  std::string group = {};
};

// What to run, and where. Without PATH in the environment, the usual system folders are searched.
struct ShellLaunch {
  std::vector<std::string> words;  // The program first, found by the environment's PATH. Not empty.
  std::vector<std::string> environment;  // "NAME=value".
  std::string directory;                 // Absolute.
  TerminalSize size;                     // At the start.
  std::optional<ShellBox> box = {};      // Where directory and words mean something.
};

// A program with its own terminal, of which we hold the other end. Nothing that it starts outlives
// this, also if it becomes a daemon. For one thread, the one that started it: the program is killed
// when that thread ends. Between us and the program stands a keeper process, to which orphans of
// the program fall: that is how daemons are found when the session ends.
class PtyShell {
 public:
  // Starts the program. kNotFound, naming it, or kIo. A file that exists and cannot be executed is
  // reported on the terminal, and by exit code 126, as shells do.
  static Result<std::unique_ptr<PtyShell>> Start(const ShellLaunch& launch);
  // Hangs up and ends all processes of the session; kills those that are left after half a second.
  ~PtyShell();
  PtyShell(const PtyShell&) = delete;
  PtyShell& operator=(const PtyShell&) = delete;

  // For poll(): POLLIN when there is output or the program has ended, POLLOUT when it takes input.
  // Nonblocking. Stays ours.
  int descriptor() const { return terminal_.get(); }

  enum class ReadState { kOutput, kNothingYet, kEnd };  // See Read.
  // Appends what there is, 16 KB at most. kEnd: all processes that had the terminal open have
  // ended. Never blocks. Bytes as they are: escape sequences, and characters that may be cut in
  // two.
  ReadState Read(std::string* output);
  // Types. Returns how many bytes were taken; 0 if the terminal takes none now.
  size_t Write(std::string_view typed);
  // The program gets SIGWINCH.
  void Resize(const TerminalSize& size);
  // Whether what is typed now should not be recorded: a line is read and not echoed, as for
  // passwords. (Shells that edit lines themselves read single keys instead.)
  bool HidesInput() const;
  // The key that ends the input where lines are read: usually Ctrl-D.
  char EndOfInput() const;

  // Whether the program itself has ended. *exit_code is then what a shell would report: 128 + N
  // after signal N.
  bool HasEnded(int* exit_code);

 private:
  PtyShell(os::UniqueFd terminal, os::UniqueFd ending, pid_t keeper, std::string mark)
      : terminal_(std::move(terminal)),
        ending_(std::move(ending)),
        keeper_(keeper),
        mark_(std::move(mark)) {}

  os::UniqueFd terminal_;  // Our end.
  os::UniqueFd ending_;    // A pipe that says how the program ended.
  pid_t keeper_;           // Parent of the program and of its orphans.
  // An entry in the environment of all that it starts in a box, whose orphans fall to the first
  // process of the box; empty: there is no box.
  std::string mark_;
  bool ended_ = false;  // The program's end was read from ending_.
  int exit_code_ = 0;   // Once ended_.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_PTY_SHELL_H_
