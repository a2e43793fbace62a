#ifndef WARDEN_ACTIONS_RULE_ACTIONS_H_
#define WARDEN_ACTIONS_RULE_ACTIONS_H_

#include <string>
#include <vector>

#include "warden/actions/action_config.h"
#include "warden/base/status.h"
#include "warden/rules/param.h"

namespace warden::actions {

// What a rule's own configuration asks to be done about its findings: a stop, if its parameters
// have stop_training_on_fire (StalledTrainingRule), then the actions of its "action_json"; empty:
// none. The errors of ParseActionJson.
Result<std::vector<ActionConfig>> ActionsOfRule(const rules::Params& params,
                                                const std::string& action_json);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_RULE_ACTIONS_H_
