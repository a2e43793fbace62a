#ifndef WARDEN_RULES_DEBUG_RULES_H_
#define WARDEN_RULES_DEBUG_RULES_H_

#include "warden/rules/rule.h"

// One for each file of this folder; registry.cc lists them.
namespace warden::rules {

RuleEntry AllZero();
RuleEntry CheckInputImages();
RuleEntry ClassImbalance();
RuleEntry Confusion();
RuleEntry CreateXgboostReport();
RuleEntry DeadRelu();
RuleEntry ExplodingTensor();
RuleEntry FeatureImportanceOverweight();
RuleEntry GradientNormSpike();
RuleEntry LossNotDecreasing();
RuleEntry LossSpike();
RuleEntry NaNOrigin();
RuleEntry NLPSequenceRatio();
RuleEntry Overfit();
RuleEntry Overtraining();
RuleEntry PoorWeightInitialization();
RuleEntry ReplicaDesync();
RuleEntry SaturatedActivation();
RuleEntry SimilarAcrossRuns();
RuleEntry StalledTraining();
RuleEntry TensorVariance();
RuleEntry TreeDepth();
RuleEntry UnchangedTensor();
RuleEntry VanishingGradient();
RuleEntry WeightUpdateRatio();

}  // namespace warden::rules

#endif  // WARDEN_RULES_DEBUG_RULES_H_
