"""The built-in rules that check tensors: one function per rule returns its configuration."""

import copy
from typing import Any, Callable, Dict, Optional


def _collection(name: str, **parameters: str) -> Dict[str, Any]:
    return {"CollectionName": name, "CollectionParameters": parameters}


_COLLECTIONS = {
    "weights": _collection("weights", save_interval="500"),
    "gradients": _collection("gradients", save_interval="500"),
    "losses": _collection("losses", save_interval="500"),
    "input_image": _collection(
        "input_image", include_regex=".*hybridsequential0_input_0", save_interval="500"
    ),
    "relu_output": _collection("relu_output", include_regex=".*relu_output", save_interval="500"),
    "relu_input": _collection("relu_input", include_regex=".*relu_input", save_interval="500"),
    "input_sequence": _collection(
        "input_sequence", include_regex=".*embedding0_input_0", save_interval="500"
    ),
    "feature_importance": _collection("feature_importance", save_interval="500"),
}


def get_collection(collection_name: str) -> Optional[Dict[str, Any]]:
    """Returns a collection as rules request it; None if no rule does."""
    return copy.deepcopy(_COLLECTIONS.get(collection_name))


def _debug_rule(rule: str, *collections: Dict[str, Any]) -> Callable[[], Dict[str, Any]]:
    def config() -> Dict[str, Any]:
        made: Dict[str, Any] = {
            "DebugRuleConfiguration": {
                "RuleConfigurationName": rule,
                "RuleParameters": {"rule_to_invoke": rule},
            }
        }
        if collections:
            made["CollectionConfigurations"] = copy.deepcopy(list(collections))
        return made

    config.__doc__ = f"Returns the configuration of rule {rule} with the collections it needs."
    return config


all_zero = _debug_rule("AllZero")
check_input_images = _debug_rule("CheckInputImages", _COLLECTIONS["input_image"])
class_imbalance = _debug_rule("ClassImbalance")
confusion = _debug_rule("Confusion")
create_xgboost_report = _debug_rule(
    "CreateXgboostReport",
    _collection("metrics", save_interval="5"),
    _collection("feature_importance", save_interval="5"),
    _collection("hyperparameters", save_steps="0"),
    _collection("predictions", save_interval="5"),
    _collection("labels", save_interval="5"),
)
dead_relu = _debug_rule("DeadRelu", _COLLECTIONS["relu_output"])
exploding_tensor = _debug_rule("ExplodingTensor")
feature_importance_overweight = _debug_rule(
    "FeatureImportanceOverweight", _COLLECTIONS["feature_importance"]
)
gradient_norm_spike = _debug_rule("GradientNormSpike", _COLLECTIONS["gradients"])
loss_not_decreasing = _debug_rule("LossNotDecreasing", _COLLECTIONS["losses"])
loss_spike = _debug_rule("LossSpike", _COLLECTIONS["losses"])
nan_origin = _debug_rule("NaNOrigin", _COLLECTIONS["gradients"], _COLLECTIONS["weights"])
nlp_sequence_ratio = _debug_rule("NLPSequenceRatio", _COLLECTIONS["input_sequence"])
overfit = _debug_rule("Overfit")
overtraining = _debug_rule("Overtraining")
poor_weight_initialization = _debug_rule("PoorWeightInitialization", _COLLECTIONS["relu_input"])
replica_desync = _debug_rule("ReplicaDesync", _COLLECTIONS["weights"])
saturated_activation = _debug_rule("SaturatedActivation")
similar_across_runs = _debug_rule("SimilarAcrossRuns")
stalled_training_rule = _debug_rule("StalledTrainingRule")
tensor_variance = _debug_rule("TensorVariance")
tree_depth = _debug_rule("TreeDepth")
unchanged_tensor = _debug_rule("UnchangedTensor")
vanishing_gradient = _debug_rule("VanishingGradient", _COLLECTIONS["gradients"])
weight_update_ratio = _debug_rule("WeightUpdateRatio", _COLLECTIONS["weights"])
collapsed_predictions = _debug_rule("CollapsedPredictions", _COLLECTIONS["losses"])
constant_weights = _debug_rule("ConstantWeights", _COLLECTIONS["weights"], _COLLECTIONS["losses"])
dead_units = _debug_rule("DeadUnits", _COLLECTIONS["losses"])
divergence = _debug_rule(
    "Divergence", _COLLECTIONS["losses"], _COLLECTIONS["weights"], _COLLECTIONS["gradients"]
)
evaluation_mode = _debug_rule("EvaluationMode")
frozen_layer = _debug_rule("FrozenLayer")
gradient_flow = _debug_rule("GradientFlow", _COLLECTIONS["gradients"], _COLLECTIONS["losses"])
gradients_not_cleared = _debug_rule("GradientsNotCleared")
graphs_kept_alive = _debug_rule("GraphsKeptAlive")
half_precision_range = _debug_rule("HalfPrecisionRange", _COLLECTIONS["gradients"])
input_scale = _debug_rule("InputScale")
loss_inputs = _debug_rule("LossInputs")
not_learning = _debug_rule("NotLearning", _COLLECTIONS["losses"])
optimizer_coverage = _debug_rule("OptimizerCoverage")
outside_baseline = _debug_rule("OutsideBaseline")
overfitting = _debug_rule("Overfitting", _COLLECTIONS["losses"])
saturated_units = _debug_rule("SaturatedUnits", _COLLECTIONS["losses"])
slow_data_loader = _debug_rule("SlowDataLoader")
straggler_rank = _debug_rule("StragglerRank")
