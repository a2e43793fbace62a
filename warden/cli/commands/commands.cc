// How to add a command: write commands/<name>.cc with a function that returns its entry
// (trial_steps.cc is a short one to copy), declare it in commands.h and list it here. What it
// computes belongs into a lower part; here it is only asked for and printed.
#include "warden/cli/commands/commands.h"

namespace warden::cli {

std::vector<CommandGroup> AllCommands() {
  return {
      {"", "", "", {RunACommand(), WatchARun(), Eval(), Rules()}},
      {"trial",
       "Look into what a training run has saved",
       "Examples:\n"
       "  warden trial ls runs/\n"
       "  warden trial tensors runs/a --collection weights\n"
       "  warden trial show runs/a fc.weight --mode TRAIN --histogram\n"
       "  warden trial export runs/a --regex '^gradient' --format npy --out gradients/",
       {TrialLs(), TrialTensors(), TrialSteps(), TrialShow(), TrialCollections(), TrialExport(),
        TrialVerify()}},
      {"", "", "", {Doctor()}},
  };
}

}  // namespace warden::cli
