#ifndef WARDEN_RULES_DEBUG_DEBUG_RULES_H_
#define WARDEN_RULES_DEBUG_DEBUG_RULES_H_

// The built-in rules that check tensors, one for each file of this folder. catalog/registry.cc
// lists them; nothing else calls these functions. Each returns the same entry every time.

#include "warden/rules/rule.h"

namespace warden::rules {

RuleEntry AllZero();                      // A tensor is (nearly) all zeros.
RuleEntry CheckInputImages();             // A channel mean of the input images is far from zero.
RuleEntry ClassImbalance();               // Classes are rare, or mostly predicted wrong.
RuleEntry Confusion();                    // Predictions of a class are wrong too often.
RuleEntry CreateXgboostReport();          // Writes a report; never fires.
RuleEntry DeadRelu();                     // Units of a ReLU layer always output zero.
RuleEntry ExplodingTensor();              // A tensor contains NaN or infinite values.
RuleEntry FeatureImportanceOverweight();  // The model relies on only a few features.
RuleEntry GradientNormSpike();            // The global gradient norm is larger than usual.
RuleEntry LossNotDecreasing();            // The loss has stopped decreasing.
RuleEntry LossSpike();                    // The loss jumped above its usual range.
RuleEntry NaNOrigin();                    // Where NaN or infinite values started.
RuleEntry NLPSequenceRatio();             // One token makes up too much of the sequences.
RuleEntry Overfit();                      // Validation is worse than training.
RuleEntry Overtraining();                 // Training continues although neither loss improves.
RuleEntry PoorWeightInitialization();     // Initial weights do not fit the model.
RuleEntry ReplicaDesync();                // Data-parallel replicas have different parameters.
RuleEntry SaturatedActivation();          // Units of a tanh or sigmoid layer are saturated.
RuleEntry SimilarAcrossRuns();            // A tensor differs from that of another run.
RuleEntry StalledTraining();              // No step was saved for a long time.
RuleEntry TensorVariance();               // A variance is too large or too small.
RuleEntry TreeDepth();                    // Trees are deep enough to memorize the data.
RuleEntry UnchangedTensor();              // A tensor does not change from step to step.
RuleEntry VanishingGradient();            // Gradients are too small to learn from.
RuleEntry WeightUpdateRatio();            // A weight changes far too much or not at all.

}  // namespace warden::rules

#endif  // WARDEN_RULES_DEBUG_DEBUG_RULES_H_
