#ifndef WARDEN_CLI_COMMAND_H_
#define WARDEN_CLI_COMMAND_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/cli/output.h"

namespace warden::cli {

// Exit codes of the program.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kMisused = 2;

// What the chosen command does: its exit code, or why it could not do it.
using Action = std::function<Result<int>(Output*)>;

// Adds a command with its flags and its help to the parent. When the command is chosen, it puts
// what is to be done into *action.
using AddCommand = void (*)(CLI::App* parent, Action* action);

template <class Options>
void OnChosen(CLI::App* command, std::shared_ptr<Options> options,
              Result<int> (*run)(const Options&, Output*), Action* action) {
  command->callback([options, run, action] {
    *action = [options, run](Output* out) { return run(*options, out); };
  });
}

// Flags that several commands share.
CLI::Option* AddRun(CLI::App* command, std::string* run);
void AddJson(CLI::App* command, bool* json);
CLI::Option* AddMode(CLI::App* command, Mode* mode, const std::string& doc);
CLI::Option* AddStep(CLI::App* command, std::optional<Step>* step, const std::string& doc);
// Refuses what is not a whole number of at least 0.
CLI::Validator StepNumber();

}  // namespace warden::cli

#endif  // WARDEN_CLI_COMMAND_H_
