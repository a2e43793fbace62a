#ifndef WARDEN_CLI_LAUNCH_GUARD_FLAGS_H_
#define WARDEN_CLI_LAUNCH_GUARD_FLAGS_H_

#include <string>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/cli/command.h"

namespace warden::cli {

// What `warden run` does before a PyTorch optimizer uses gradients that are NaN or infinite.
struct GuardFlags {
  std::string guard;          // "skip", "stop", "dump" or a list of them; empty: nothing.
  std::string max_dumps;      // Of one worker.
  std::string max_dump_size;  // In GB.
};

// --guard, --max-dumps and --max-dump-size.
void DefineGuardFlags(Command* command, GuardFlags* flags);

// The variables, with their values, that tell the training process. kInvalid if a flag has a value
// that is not accepted.
Result<std::vector<std::pair<std::string, std::string>>> GuardVariables(const GuardFlags& flags);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_GUARD_FLAGS_H_
