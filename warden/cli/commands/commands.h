#ifndef WARDEN_CLI_COMMANDS_COMMANDS_H_
#define WARDEN_CLI_COMMANDS_COMMANDS_H_

#include "warden/cli/command.h"

namespace warden::cli {

void AddTrialLs(CLI::App* parent, Action* action);
void AddTrialTensors(CLI::App* parent, Action* action);
void AddTrialSteps(CLI::App* parent, Action* action);
void AddTrialShow(CLI::App* parent, Action* action);
void AddTrialCollections(CLI::App* parent, Action* action);
void AddTrialExport(CLI::App* parent, Action* action);
void AddTrialVerify(CLI::App* parent, Action* action);
void AddDoctor(CLI::App* parent, Action* action);

// All of them, in the order in which the help shows them.
void AddAllCommands(CLI::App* app, Action* action);

}  // namespace warden::cli

#endif  // WARDEN_CLI_COMMANDS_COMMANDS_H_
