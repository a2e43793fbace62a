#ifndef WARDEN_CLI_COMMAND_H_
#define WARDEN_CLI_COMMAND_H_

// How a command of the program is defined: its flags, its help and what it does. Each file in
// commands/ defines one; program/ parses the command line, calls the chosen command's Action and
// turns its result into an exit code. A command looks like this:
//
//   void DefineTrialSteps(Command* command) {
//     auto options = std::make_shared<TrialStepsOptions>();
//     command->Run(&options->run);
//     command->Json(&options->json);
//     command->Runs(options, ListSteps);
//   }
//   CommandEntry TrialSteps() { return {"steps", "List the saved steps", DefineTrialSteps}; }

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/cli/output.h"

namespace CLI {  // NOLINT: the name is the library's own.
class App;
}

namespace warden::cli {

// Exit codes of the program; scripts depend on them.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kMisused = 2;
inline constexpr int kIssuesFound = 3;  // A rule found problems.

// What the chosen command does: returns its exit code, or why it failed. An error is printed, made
// printable; kInvalid becomes kMisused, every other error kFailed. The Output belongs to the
// caller, who flushes it.
using Action = std::function<Result<int>(Output*)>;

// Defines a command: its name, flags and help. Hides the parser (CLI11), which is slow to compile.
//
// Values from the command line go to where the flags' pointers point, which must stay valid until
// the Action has run: keep them in the options object that Runs takes. What they hold before is the
// default. Bad values are usage errors, which the parser reports. Names are as CLI11 has them:
// "--out", "-f,--follow", "RUN". For one thread.
class Command {
 public:
  // When the user chooses the command, *action is set. other_program holds the words after "--",
  // for a command that runs other programs. All outlive this; none is owned.
  Command(CLI::App* app, Action* action, const std::vector<std::string>& other_program)
      : app_(app), action_(action), other_program_(other_program) {}

  // An argument without a flag, required; in the order in which they are defined.
  void Positional(const std::string& name, std::string* value, const std::string& doc);
  void Positionals(const std::string& name, std::vector<std::string>* values,
                   const std::string& doc);  // At least one.
  // None or more.
  void OptionalPositionals(const std::string& name, std::vector<std::string>* values,
                           const std::string& doc);
  // True if the flag is given.
  void Switch(const std::string& name, bool* value, const std::string& doc);
  // A flag with a value, which may be given once.
  void Text(const std::string& name, std::string* value, const std::string& doc);
  // May be given more than once.
  void Texts(const std::string& name, std::vector<std::string>* values, const std::string& doc);
  // A flag with one of these values.
  void Choice(const std::string& name, std::string* value, std::vector<std::string> choices,
              const std::string& doc);
  // The words after "--", untouched. For entries with runs_other_program.
  void OtherProgram(std::vector<std::string>* words) { *words = other_program_; }

  // Flags that many commands have, under the same names.
  void Run(std::string* run) { Positional("RUN", run, "Folder of the run"); }
  void Json(bool* json) { Switch("--json", json, "Print JSON"); }
  // --mode, in any case; --step, an integer of at least 0, once or several times.
  void OnlyMode(Mode* mode, const std::string& doc);
  void AtStep(std::optional<Step>* step, const std::string& doc);
  void AtSteps(std::vector<Step>* steps, const std::string& doc);

  // Rules between flags, which are named as they were defined before: REQUIRES that they were.
  void Required(const std::string& name);
  void Exclusive(std::initializer_list<const char*> names);  // One of them at most.
  // `name` is only accepted together with `needed`.
  void Needs(const std::string& name, const std::string& needed);
  // Printed after the list of flags.
  void Footer(const std::string& text);

  // What the command does when it is chosen; call it once. Keeps the options alive.
  template <class Options>
  void Runs(std::shared_ptr<Options> options, Result<int> (*run)(const Options&, Output*)) {
    OnChosen([options = std::move(options), run](Output* out) { return run(*options, out); });
  }

 private:
  void OnChosen(Action action);

  CLI::App* app_;
  Action* action_;
  const std::vector<std::string>& other_program_;
};

// One of the program's commands, listed in commands/commands.cc. The texts are constants.
struct CommandEntry {
  const char* name;
  const char* doc;
  // Called once, before the command line is parsed, whichever command the user chose: it only
  // defines.
  void (*define)(Command* command);
  bool runs_other_program = false;  // "warden NAME [OPTIONS] -- COMMAND...".
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_COMMAND_H_
