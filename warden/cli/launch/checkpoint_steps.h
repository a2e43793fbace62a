#ifndef WARDEN_CLI_LAUNCH_CHECKPOINT_STEPS_H_
#define WARDEN_CLI_LAUNCH_CHECKPOINT_STEPS_H_

#include <string>

#include "warden/base/status.h"

namespace warden::cli {

// Makes hooks of the training note their steps whenever a file changes in the folder of its
// checkpoints. A training that is started again then continues at the steps of the last checkpoint
// instead of 0. Writes the hooks' configuration into the run's folder and names it in our
// environment. kIo if it cannot be written.
Status NoteStepsAtCheckpoints(const std::string& checkpoints, const std::string& run);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_CHECKPOINT_STEPS_H_
