#ifndef WARDEN_ACTIONS_EXEC_H_
#define WARDEN_ACTIONS_EXEC_H_

#include <memory>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"

namespace warden::actions {

// Runs the user's command with the event as JSON on its standard input, as Amazon's functions get
// it, and WARDEN_JOB, WARDEN_RULE and WARDEN_RUN added to the environment of this process. Words
// are executed directly (found by PATH), a script by "/bin/sh -c".
//
// Ok if it exits with 0. Exit code 75 (EX_TEMPFAIL) means "try again later"; any other ending is
// final, also that it was killed after the timeout or could not be started. The end of its output
// is part of the error message. See os::RunCommand.
std::unique_ptr<Action> NewExec(ExecConfig config, Origin origin);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_EXEC_H_
