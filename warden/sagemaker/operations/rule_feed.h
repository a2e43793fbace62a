#ifndef WARDEN_SAGEMAKER_OPERATIONS_RULE_FEED_H_
#define WARDEN_SAGEMAKER_OPERATIONS_RULE_FEED_H_

// Whether what the hook of a job saves can feed its rules. A rule without inputs ends as
// NoIssuesFound, since the API has no other word for it; so its owner is warned before the training
// has run.

#include <string>

#include "warden/base/json_fwd.h"

namespace warden::sagemaker::operations {

// Why a rule of the request will have nothing to check, as far as the request says:
// "DebugHookConfig saves only losses; ClassImbalance needs labels or predictions". Empty if it has,
// or may have: of custom rules, and of patterns in general, nothing is known before tensors have
// names. configuration: one of DebugRuleConfigurations, which CheckRules accepts; request: that of
// CreateTrainingJob.
std::string WhyNotFed(const Json& configuration, const Json& request);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_RULE_FEED_H_
