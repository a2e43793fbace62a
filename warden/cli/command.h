#ifndef WARDEN_CLI_COMMAND_H_
#define WARDEN_CLI_COMMAND_H_

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

// Exit codes of the program.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kMisused = 2;
inline constexpr int kIssuesFound = 3;  // A rule found problems.

// What the chosen command does: returns its exit code, or why it failed.
using Action = std::function<Result<int>(Output*)>;

// Defines a command: its name, flags and help. Values from the command line go to where the flags'
// pointers point, which must stay valid. Hides the parser, which is slow to compile.
class Command {
 public:
  // When the user chooses the command, *action is set. other_program holds the words after "--",
  // for a command that runs other programs.
  Command(CLI::App* app, Action* action, const std::vector<std::string>& other_program)
      : app_(app), action_(action), other_program_(other_program) {}

  void Positional(const std::string& name, std::string* value, const std::string& doc);
  void Positionals(const std::string& name, std::vector<std::string>* values,
                   const std::string& doc);  // At least one.
  void OptionalPositionals(const std::string& name, std::vector<std::string>* values,
                           const std::string& doc);
  void Switch(const std::string& name, bool* value, const std::string& doc);
  void Text(const std::string& name, std::string* value, const std::string& doc);
  // May be given more than once.
  void Texts(const std::string& name, std::vector<std::string>* values, const std::string& doc);
  void Choice(const std::string& name, std::string* value, std::vector<std::string> choices,
              const std::string& doc);
  // The words after "--", untouched. For entries with runs_other_program.
  void OtherProgram(std::vector<std::string>* words) { *words = other_program_; }

  // Flags that many commands have, under the same names.
  void Run(std::string* run) { Positional("RUN", run, "Folder of the run"); }
  void Json(bool* json) { Switch("--json", json, "Print JSON"); }
  void OnlyMode(Mode* mode, const std::string& doc);
  void AtStep(std::optional<Step>* step, const std::string& doc);
  void AtSteps(std::vector<Step>* steps, const std::string& doc);

  void Required(const std::string& name);
  void Exclusive(std::initializer_list<const char*> names);  // One of them at most.
  void Needs(const std::string& name, const std::string& needed);
  // Printed after the list of flags.
  void Footer(const std::string& text);

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

// One of the program's commands.
struct CommandEntry {
  const char* name;
  const char* doc;
  void (*define)(Command* command);
  bool runs_other_program = false;  // "warden NAME [OPTIONS] -- COMMAND...".
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_COMMAND_H_
