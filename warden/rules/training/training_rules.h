#ifndef WARDEN_RULES_TRAINING_TRAINING_RULES_H_
#define WARDEN_RULES_TRAINING_TRAINING_RULES_H_

// The rules that `warden run` evaluates by default: they know the training loop, and report what
// hurts. One for each file of this folder; catalog/registry.cc lists them.

#include "warden/rules/rule.h"

namespace warden::rules {

RuleEntry CollapsedPredictions();  // Every sample is predicted as the same class.
RuleEntry ConstantWeights();       // All units of a layer have the same weights.
RuleEntry DeadUnits();             // Most units of a layer are always zero.
RuleEntry Divergence();            // The loss rises far above where it started, or is not finite.
RuleEntry EvaluationMode();        // Evaluation in train mode, or training in eval mode.
RuleEntry FrozenLayer();           // A layer that was probably frozen by mistake.
RuleEntry GradientFlow();          // Gradients fade on their way to the first layers.
RuleEntry GradientsNotCleared();   // zero_grad() is missing.
RuleEntry GraphsKeptAlive();       // Losses are kept with their graphs, and memory grows.
RuleEntry HalfPrecisionRange();    // Values do not fit float16 or an 8-bit type.
RuleEntry InputScale();            // Model inputs are not finite, constant, or not normalized.
RuleEntry LossInputs();            // A loss function gets what it does not expect.
RuleEntry NotLearning();           // The loss does not fall, and why.
RuleEntry OptimizerCoverage();     // The optimizer does not update what the model uses.
RuleEntry OutsideBaseline();       // Tensors leave the range that they had in good runs.
RuleEntry Overfitting();           // The validation loss rises while the training loss falls.
RuleEntry SaturatedUnits();        // Most units of a layer are at the ends of their range.
RuleEntry SlowDataLoader();        // Training waits for its data.
RuleEntry StragglerRank();         // The others wait for one worker.

}  // namespace warden::rules

#endif  // WARDEN_RULES_TRAINING_TRAINING_RULES_H_
