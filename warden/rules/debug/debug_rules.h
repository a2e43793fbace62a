#ifndef WARDEN_RULES_DEBUG_DEBUG_RULES_H_
#define WARDEN_RULES_DEBUG_DEBUG_RULES_H_

// The built-in rules that check tensors, one for each file of this folder: AllZero is in
// all_zero.cc. catalog/registry.cc lists them; nothing else calls these functions. Each returns the
// same entry every time; what it points to lives as long as the process. For any thread.
//
// The comments say what is compared. Parameters with defaults and ranges are in each rule's spec,
// and in docs/reference/rules.md, which is made from it. All of these rules have start_step and
// end_step too. A tensor that was not saved as a rule needs it is skipped with a reason, never
// guessed.

#include "warden/rules/rule.h"

namespace warden::rules {

// A tensor is (nearly) all zeros: the percentage of zeros against a threshold. Checks the
// collections and patterns that the user names.
RuleEntry AllZero();
// A channel mean of the input images is far from zero, over a number of images. Needs whole images,
// with the batch on axis 0.
RuleEntry CheckInputImages();
// The most frequent class against the rarest one, and for each class the share of its samples that
// is predicted wrong. Counts over the run, from a number of labels on.
RuleEntry ClassImbalance();
// Predictions of a class are wrong too often, in the confusion matrix of one step: labels that are
// not found (min_diag), and predictions that belong to another class (max_off_diag).
RuleEntry Confusion();
// Asks for the report on an XGBoost training; never fires. The report itself is in report/xgboost.
RuleEntry CreateXgboostReport();
// Units of a ReLU layer that output zero: first the share of values above zero for each unit,
// averaged over steps, then the share of such units in the layer.
RuleEntry DeadRelu();
// A tensor contains NaN or infinite values; one value is enough.
RuleEntry ExplodingTensor();
// The model relies on only a few features: the share of the largest importances in their sum. For
// XGBoost.
RuleEntry FeatureImportanceOverweight();
// The norm over all gradients of a step against the median of the last norms, and against a fixed
// limit if there is one. Names the layer with the largest share.
RuleEntry GradientNormSpike();
// A loss against the same loss some steps before: it must have decreased by some percent, and must
// not have risen by more than others.
RuleEntry LossNotDecreasing();
// A loss against the median of its recent values, in deviations that outliers do not widen, and in
// percent.
RuleEntry LossSpike();
// The first tensors of the first bad step, in the order in which the modules were computed: where
// it started, rather than all that it spoiled. Each worker is reported once.
RuleEntry NaNOrigin();
// The share of chosen tokens, such as padding, in the sequences of a batch; one threshold for each
// token.
RuleEntry NLPSequenceRatio();
// The mean EVAL loss exceeds the mean TRAIN loss by more than a ratio, several times in a row.
RuleEntry Overfit();
// The EVAL loss has been above its best by delta for a number of saved steps, or neither it nor the
// TRAIN loss has improved by delta for a number of saved steps each.
RuleEntry Overtraining();
// The first steps alone: variances of activation inputs that differ between layers, or narrow
// gradients together with a loss that does not move (compat_any: either of these alone).
RuleEntry PoorWeightInitialization();
// The parameters of data-parallel workers at the same step are not close: rtol and atol, as in
// NumPy's allclose.
RuleEntry ReplicaDesync();
// As DeadRelu, for tanh and sigmoid: inputs of a unit that are outside of the range in which it has
// a gradient.
RuleEntry SaturatedActivation();
// A tensor differs from that of another run at the same step. The folders of the other runs are a
// parameter, which has no default.
RuleEntry SimilarAcrossRuns();
// No step was saved for a number of seconds of real time. Named StalledTrainingRule, as in the
// original. It can ask for the training to be stopped.
RuleEntry StalledTraining();
// A variance is above a maximum or below a minimum; the user gives at least one of them.
RuleEntry TensorVariance();
// Trees are deep enough to memorize the data. For XGBoost.
RuleEntry TreeDepth();
// A tensor is close to what it was at each of the last saved steps: rtol and atol, as in NumPy's
// allclose.
RuleEntry UnchangedTensor();
// The mean absolute value of a gradient is below a threshold.
RuleEntry VanishingGradient();
// How far a weight moved between two saved steps, relative to its norm: too much or almost not at
// all. Needs whole weights.
RuleEntry WeightUpdateRatio();

}  // namespace warden::rules

#endif  // WARDEN_RULES_DEBUG_DEBUG_RULES_H_
