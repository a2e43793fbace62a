#ifndef WARDEN_OS_PROGRAM_H_
#define WARDEN_OS_PROGRAM_H_

// Starts programs: the only place that knows how, apart from tests. All of `warden` that runs
// another program fills in a Program and starts it: trainings, agents, shells, browsers, custom
// rules. To run a command and wait for its end, see run_command.h.
//
//   os::Program program;
//   program.words = {"python3", "train.py"};
//   program.group = os::Program::Group::kOwn;
//   const os::Started started = os::StartProgram(std::move(program));
//   if (started.pid < 0) return os::IoError("run", "python3", started.error);

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warden::os {

// A program to start, and what it gets of us.
struct Program {
  // Its arguments, with its own name first. Not empty. Zero bytes end a word.
  std::vector<std::string> words;
  // What to execute: the first of these that can be. Default: the first word, found by our PATH.
  std::optional<std::vector<std::string>> files;
  // A file that has no "#!" line is run by /bin/sh, as shells do. Needs exactly one of files.
  bool takes_scripts = false;
  std::optional<std::vector<std::string>> environment;  // "NAME=value"; default: ours.
  std::string folder;                                   // To work in; empty: ours.

  // Descriptors that become its standard input, output and error; -1: it has ours. They stay the
  // caller's.
  int input = -1;
  int output = -1;
  int errors = -1;
  bool keeps_files = false;    // It inherits other descriptors too, unless they close on exec.
  bool keeps_signals = false;  // What we ignore and block stays so; otherwise all is as in the
                               // first program of a system.

  enum class Group {
    kOurs,         // Our process group.
    kOwn,          // It leads a process group.
    kOwnSession,   // It leads a session, without a terminal.
    kOwnTerminal,  // It leads a session, whose terminal is the one given as input.
  };
  Group group = Group::kOurs;
  // What it gets when the thread that started it ends; 0: nothing. Start it from a thread that
  // lives as long as the program is to live. A program that sets user or group IDs loses it.
  int last_signal = 0;
  // It is nobody's child: there is no need to wait for it. Excludes last_signal.
  bool detached = false;
  // Start returns before it is known whether the program can be executed; one that cannot be exits
  // with code 127. Excludes detached.
  bool fails_by_exit_code = false;
  // Called in the new process, after its signals are set and before its descriptors are: only
  // async-signal-safe calls are allowed there.
  std::function<void()> last_steps;
};

// What became of a program. Errors are numbers of errno(3), since a fork has no memory for texts.
struct Started {
  // Of the program, which is running; -1: it is not. For a detached one, the number of a process
  // that may have ended by now and that waitpid does not know.
  pid_t pid = -1;
  int error = 0;  // Otherwise: why not; 0 if it was killed at once (detached ones only).
  // The program is to blame, its folder or its descriptors, and not a system that has no process
  // or descriptor left.
  bool tried = false;
};

// A program for which all is prepared that needs memory, so that it can be started behind a fork.
// PATH is read once, when this is made; the files are tried in Start. Not copied or moved, since it
// points into itself.
class PreparedProgram {
 public:
  // REQUIRES: program.words is not empty. Cannot fail: what is wrong shows in Start.
  explicit PreparedProgram(Program program);
  PreparedProgram(const PreparedProgram&) = delete;
  PreparedProgram& operator=(const PreparedProgram&) = delete;

  // Returns when the program is running, or could not be executed. The caller waits for its end
  // (waitpid), unless it is detached. Async-signal-safe. For any thread.
  //
  // May be called more than once, for several processes of the same program. Signals of this thread
  // are blocked for a moment. A program that cannot be executed leaves no zombie, unless it fails
  // by its exit code.
  Started Start() const;

 private:
  struct Parent;  // What the new process must know of the old one.

  [[noreturn]] void Become(const Parent& parent) const;
  bool Redirect() const;  // False: see errno.
  int Execute() const;    // Why it failed.

  const Program program_;
  const std::vector<std::string> files_;
  // Point into the texts above; null at the end.
  const std::vector<char*> words_;
  const std::vector<char*> environment_;   // Empty: ours.
  const std::vector<char*> script_words_;  // For /bin/sh; empty unless takes_scripts.
};

// For callers that do not fork themselves. See PreparedProgram::Start.
inline Started StartProgram(Program program) { return PreparedProgram(std::move(program)).Start(); }

}  // namespace warden::os

#endif  // WARDEN_OS_PROGRAM_H_
