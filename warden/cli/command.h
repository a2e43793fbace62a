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

// What the chosen command does: its exit code, or why it could not do it.
using Action = std::function<Result<int>(Output*)>;

// A command in the making: its name, its flags and its help. A value that the user gives goes to
// where the flag's pointer points, which must stay. Hides the parser, which is slow to compile.
class Command {
 public:
  // When the command is chosen, what is to be done is put into *action.
  Command(CLI::App* app, Action* action) : app_(app), action_(action) {}

  void Positional(const std::string& name, std::string* value, const std::string& doc);
  void Positionals(const std::string& name, std::vector<std::string>* values,
                   const std::string& doc);  // At least one.
  void Switch(const std::string& name, bool* value, const std::string& doc);
  void Text(const std::string& name, std::string* value, const std::string& doc);
  // May be given more than once.
  void Texts(const std::string& name, std::vector<std::string>* values, const std::string& doc);
  void Choice(const std::string& name, std::string* value, std::vector<std::string> choices,
              const std::string& doc);

  // Flags that many commands have, under the same names.
  void Run(std::string* run) { Positional("RUN", run, "Folder of the run"); }
  void Json(bool* json) { Switch("--json", json, "Print JSON for programs"); }
  void OnlyMode(Mode* mode, const std::string& doc);
  void AtStep(std::optional<Step>* step, const std::string& doc);
  void AtSteps(std::vector<Step>* steps, const std::string& doc);

  void Required(const std::string& name);
  void Exclusive(std::initializer_list<const char*> names);  // One of them at most.
  void Needs(const std::string& name, const std::string& needed);
  // Comes after the list of flags.
  void Footer(const std::string& text);

  template <class Options>
  void Runs(std::shared_ptr<Options> options, Result<int> (*run)(const Options&, Output*)) {
    OnChosen([options = std::move(options), run](Output* out) { return run(*options, out); });
  }

 private:
  void OnChosen(Action action);

  CLI::App* app_;
  Action* action_;
};

// One of the program's commands.
struct CommandEntry {
  const char* name;
  const char* doc;
  void (*define)(Command* command);
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_COMMAND_H_
