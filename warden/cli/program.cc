#include "warden/cli/program.h"

#include <CLI/CLI.hpp>
#include <string>

#include "warden/cli/commands/commands.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

// The command as it was typed, as far as it was understood: "warden trial show".
std::string TypedCommand(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    name += " " + at->get_name();
  }
  return name;
}

void AddCommands(CLI::App* app, Action* action) {
  for (const CommandGroup& group : AllCommands()) {
    CLI::App* parent = app;
    if (*group.name != '\0') {
      parent = app->add_subcommand(group.name, group.doc);
      parent->require_subcommand(1);
      parent->footer(group.footer);
    }
    for (const CommandEntry& entry : group.commands) {
      Command command(parent->add_subcommand(entry.name, entry.doc), action);
      entry.define(&command);
    }
  }
}

int ExitCodeOf(const Status& status) { return status.code() == Code::kInvalid ? kMisused : kFailed; }

int Execute(const Action& action, Output* out) {
  Result<int> code = action(out);
  if (!code.ok()) {
    out->Tell(Printable(code.status().message()));
    return ExitCodeOf(code.status());
  }
  const Status written = out->Flush();
  if (written.ok()) return code.value();
  out->Tell(written.message());
  return kFailed;
}

}  // namespace

int RunProgram(int argc, const char* const* argv, Output* out) {
  CLI::App app("Tensorwarden watches machine-learning training runs.", "warden");
  app.set_version_flag("--version", "warden " WARDEN_VERSION);
  app.get_formatter()->column_width(34);
  app.require_subcommand(1);
  app.footer(
      "'warden COMMAND --help' tells more. Exit codes: 0 done, 1 failed, 2 used wrongly.\n\n"
      "Examples:\n"
      "  warden doctor\n"
      "  warden trial ls runs/");
  Action action;
  AddCommands(&app, &action);
  // The library tells of everything but success by exceptions; they end here.
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    action = [&app](Output* to) -> Result<int> {
      to->Write(app.help());
      return kDone;
    };
  } catch (const CLI::CallForVersion& version) {
    action = [text = std::string(version.what())](Output* to) -> Result<int> {
      to->Write(text + "\n");
      return kDone;
    };
  } catch (const CLI::ParseError& error) {
    out->Tell(Printable(error.what()));
    out->Tell("try '" + TypedCommand(app) + " --help'");
    return kMisused;
  }
  return Execute(action, out);
}

}  // namespace warden::cli
