#ifndef WARDEN_ACTIONS_STOP_TRAINING_H_
#define WARDEN_ACTIONS_STOP_TRAINING_H_

#include <memory>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"

namespace warden::actions {

// Stops the one running job whose name begins with the prefix; without a prefix, the job of the
// firing. Unlike the original it asks which jobs are running only when the rule has fired.
//
// Run returns what JobControl::Stop does; kNotFound if no such job is running, kInvalid if several
// are: then it stops nothing and says which they are. It does not react to a stop request, since a
// job that is half stopped helps nobody. control is not owned and outlives it.
std::unique_ptr<Action> NewStopTraining(StopTrainingConfig config, JobControl* control);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_STOP_TRAINING_H_
