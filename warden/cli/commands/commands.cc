// How to add a command: write commands/<name>.cc with a function AddName that defines flags and
// help and calls OnChosen (trial_steps.cc is a short one to copy), declare it in commands.h and
// list it here. What it computes belongs into a lower part; here it is only asked for and printed.
#include "warden/cli/commands/commands.h"

namespace warden::cli {
namespace {

constexpr AddCommand kTrialCommands[] = {
    AddTrialLs,          AddTrialTensors, AddTrialSteps,  AddTrialShow,
    AddTrialCollections, AddTrialExport,  AddTrialVerify,
};
constexpr AddCommand kTopCommands[] = {AddDoctor};

}  // namespace

void AddAllCommands(CLI::App* app, Action* action) {
  CLI::App* trial = app->add_subcommand("trial", "Look into what a training run has saved");
  trial->require_subcommand(1);
  trial->footer(
      "Examples:\n"
      "  warden trial ls runs/\n"
      "  warden trial tensors runs/a --collection weights\n"
      "  warden trial show runs/a fc.weight --mode TRAIN --histogram\n"
      "  warden trial export runs/a --regex '^gradient' --format npy --out gradients/");
  for (const AddCommand add : kTrialCommands) add(trial, action);
  for (const AddCommand add : kTopCommands) add(app, action);
  app->footer("'warden COMMAND --help' tells more. Exit codes: 0 done, 1 failed, 2 used wrongly.");
}

}  // namespace warden::cli
