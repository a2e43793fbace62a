#ifndef WARDEN_ACTIONS_EXEC_H_
#define WARDEN_ACTIONS_EXEC_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"

namespace warden::actions {

// Where a command runs, if not beside this process.
struct ExecPlace {
  // The words of a program that takes the command as one more word, a JSON list of words, and runs
  // it. Empty: it is run directly.
  std::vector<std::string> prefix;
  std::vector<std::string> environment;  // "NAME=value", in place of that of this process.
};

// Runs the user's command with the event as JSON on its standard input, as Amazon's functions get
// it, and WARDEN_JOB, WARDEN_RULE and WARDEN_RUN added to the environment of this process. Words
// are executed directly (found by PATH), a script by "/bin/sh -c".
//
// Ok if it exits with 0. Exit code 75 (EX_TEMPFAIL) means "try again later"; any other ending is
// final, also that it was killed after the timeout or could not be started. The end of its output
// is part of the error message. See os::RunCommand.
//
// place: where commands run that come from people who are not trusted with this process.
std::unique_ptr<Action> NewExec(ExecConfig config, Origin origin,
                                std::optional<ExecPlace> place = std::nullopt);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_EXEC_H_
