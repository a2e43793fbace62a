#ifndef WARDEN_ACTIONS_EXEC_H_
#define WARDEN_ACTIONS_EXEC_H_

#include <memory>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"

namespace warden::actions {

// Runs the user's command with the event as JSON on its standard input, as Amazon's functions get
// it, and WARDEN_JOB, WARDEN_RULE and WARDEN_RUN in its environment.
std::unique_ptr<Action> NewExec(ExecConfig config, Origin origin);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_EXEC_H_
