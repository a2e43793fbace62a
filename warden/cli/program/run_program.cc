#include "warden/cli/program/run_program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/text.h"
#include "warden/storage/shortened_files.h"

namespace warden::cli {
namespace {

// CLI11's formatter, without its notes on flags that exclude or need each other.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(34); }

  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text;
    if (option->get_type_size() != 0 && !option->get_type_name().empty()) {
      text += " " + option->get_type_name();
    }
    if (option->get_expected_max() > 1) text += " ...";
    if (option->get_required() && !option->get_positional()) text += " (required)";
    return text;
  }
};

// How far the arguments were understood.
struct Typed {
  std::string command;  // "warden trial show".
  const CLI::App* app;  // Of the last word of it.
};

Typed WhatWasTyped(const CLI::App& app) {
  Typed typed{app.get_name(), &app};
  while (!typed.app->get_subcommands().empty()) {
    typed.app = typed.app->get_subcommands().front();
    typed.command += " " + typed.app->get_name();
  }
  return typed;
}

std::string UnexpectedArgument(const std::string& word, const CLI::App& command) {
  if (!word.starts_with('-')) return fmt::format("unexpected argument '{}'", word);
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  const std::string name = word.substr(0, word.find('='));
  const std::vector<std::string> nearest = NearestNames(name, options, 1);
  return nearest.empty() ? fmt::format("unknown option '{}'", name)
                         : fmt::format("unknown option '{}'; did you mean {}?", name, nearest[0]);
}

// What is wrong with the arguments. For an unknown command CLI11 says only that one is missing.
std::string ErrorText(const CLI::ParseError& error, const CLI::App& last) {
  const std::vector<std::string> unknown = last.remaining();
  if (unknown.empty()) return error.what();
  std::vector<std::string> commands;
  for (const CLI::App* command : last.get_subcommands({})) {
    if (!command->get_group().empty()) commands.push_back(command->get_name());
  }
  if (commands.empty() || unknown[0].starts_with('-')) {
    return UnexpectedArgument(unknown[0], last);
  }
  return fmt::format("unknown command '{}'; expected one of: {}", unknown[0],
                     fmt::join(commands, ", "));
}

bool RunsOtherProgram(std::string_view name) {
  for (const CommandGroup& group : AllCommands()) {
    for (const CommandEntry& entry : group.commands) {
      if (*group.name == '\0' && entry.name == name) return entry.runs_other_program;
    }
  }
  return false;
}

// The words after "--", for a command that runs another program: they must reach it unchanged, and
// the parser would split empty words and brackets. *argc is then the number of words left.
std::vector<std::string> CutOtherProgram(const char* const* argv, int* argc) {
  if (*argc < 2 || !RunsOtherProgram(argv[1])) return {};
  const auto* const end = argv + *argc;
  const auto* const mark = std::find(argv, end, std::string_view("--"));
  *argc = static_cast<int>(mark - argv);
  return mark == end ? std::vector<std::string>() : std::vector<std::string>(mark + 1, end);
}

void AddCommands(CLI::App* app, Action* action, const std::vector<std::string>& other_program) {
  for (const CommandGroup& group : AllCommands()) {
    CLI::App* parent = app;
    if (*group.name != '\0') {
      parent = app->add_subcommand(group.name, group.doc);
      parent->group(group.section);
      parent->require_subcommand(1);
      parent->footer(group.footer);
    }
    for (const CommandEntry& entry : group.commands) {
      CLI::App* added = parent->add_subcommand(entry.name, entry.doc);
      added->group(parent == app ? group.section : "Commands");
      Command command(added, action, other_program);
      entry.define(&command);
    }
  }
}

int ExitCodeOf(const Status& status) {
  return status.code() == Code::kInvalid ? kMisused : kFailed;
}

int Execute(const Action& action, Output* out) {
  Result<int> code = action(out);
  if (!code.ok()) {
    out->Tell(Printable(code.status().message()));
    return ExitCodeOf(code.status());
  }
  const Status written = out->Flush();
  // What was missing of those files has been logged; it was read as zeros.
  const bool misread = code.value() == kDone && storage::ShortenedFiles() > 0;
  if (written.ok()) return misread ? kFailed : code.value();
  out->Tell(written.message());
  return kFailed;
}

}  // namespace

int RunProgram(int argc, const char* const* argv, Output* out) {
  CLI::App app("Find out why a machine-learning training does not learn, or is slow.", "warden");
  app.set_version_flag("--version", "warden " WARDEN_VERSION);
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  app.footer(
      "Run 'warden COMMAND --help' for the options and examples of a command.\n"
      "Exit codes: 0 success, 1 error, 2 usage error, 3 a rule found problems.\n\n"
      "Examples:\n"
      "  warden run -- python3 train.py\n"
      "  warden eval warden-runs/train-20260101T120000Z\n"
      "  warden serve --runs warden-runs --open");
  Action action;
  const std::vector<std::string> other_program = CutOtherProgram(argv, &argc);
  AddCommands(&app, &action, other_program);
  // CLI11 reports everything but success with exceptions.
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    action = [&app](Output* to) -> Result<int> {
      to->Write(app.help() + "\n");
      return kDone;
    };
  } catch (const CLI::CallForVersion& version) {
    action = [text = std::string(version.what())](Output* to) -> Result<int> {
      to->Write(text + "\n");
      return kDone;
    };
  } catch (const CLI::ParseError& error) {
    const Typed typed = WhatWasTyped(app);
    out->Tell(Printable(ErrorText(error, *typed.app)));
    out->Tell("try '" + typed.command + " --help'");
    return kMisused;
  }
  return Execute(action, out);
}

}  // namespace warden::cli
