"""Numbers that lie exactly on a threshold: which side it belongs to is part of the contract. Random
values hardly ever get there."""

import numpy as np
import pytest
from made_up import Saved
from small_runs import compare, run_of


def losses(*values, mode="TRAIN"):
    return [(mode, {"loss_output_0": value}) for value in values]


def gradients(*values):
    return [{"gradient/Net_fc.weight": [value]} for value in values]


def weights(*values):
    return [{"Net_fc.weight": [value]} for value in values]


LAYERS = [{"a_relu_input_0": [1.0, -1.0], "b_relu_input_0": [2.0, -2.0]}]
CLASSES = [{"labels": [0, 0, 1, 0, 0, 1], "predictions": [0, 1, 0, 0, 1, 1]}]
HALF = {"gradient/Net_fc.bias": Saved(None, {"min": 0.0, "max": 0.5})}

# Rule, parameters of which the last is the one that the statistic is equal to, steps.
EDGES = [
    ("AllZero", {"tensor_regex": ["x"], "threshold": 50}, [{"x": [0.0, 1.0]}]),
    ("CheckInputImages", {"threshold_samples": 2, "threshold_mean": 0.25},
     [{"hybridsequential0_input_0": np.full((2, 1, 2), 0.25)}]),
    ("ClassImbalance", {"threshold_imbalance": 2}, CLASSES),
    ("ClassImbalance", {"threshold_misprediction": 0.5}, CLASSES),
    ("ClassImbalance", {"threshold_imbalance": 1, "samples": 6}, CLASSES),
    ("Confusion", {"max_off_diag": 1, "min_diag": 0.5}, CLASSES),
    ("Confusion", {"min_diag": 0, "max_off_diag": 0.5}, CLASSES),
    ("DeadRelu", {"threshold_inactivity": 50}, [{"relu_output": [[1.0], [-1.0]]}]),
    ("DeadRelu", {"threshold_layer": 50}, [{"relu_output": [[1.0, -1.0]]}]),
    ("FeatureImportanceOverweight", {"nfeatures": 1, "threshold": 0.5},
     [{f"feature_importance/weight/f{i}": [0.5] for i in range(2)}]),
    ("GradientNormSpike", {"min_steps": 2, "threshold": 2}, gradients(1.0, 1.0, 2.0, 2.5)),
    ("GradientNormSpike", {"max_norm": 2}, gradients(1.0, 2.0, 2.5)),
    ("LossNotDecreasing", {"num_steps": 1, "increase_threshold_percent": 12.5}, losses(8.0, 9.0)),
    ("LossNotDecreasing", {"num_steps": 1, "diff_percent": 12.5}, losses(8.0, 7.0)),
    ("LossSpike", {"min_steps": 2, "window": 4, "min_increase_percent": 50}, losses(2.0, 2.0, 3.0)),
    ("LossSpike", {"min_steps": 4, "window": 4, "min_increase_percent": 0, "threshold": 2},
     losses(-1.0, -1.0, 1.0, 1.0, 2.9652)),
    ("NLPSequenceRatio", {"token_thresholds_percent": [50]}, [{"embedding0_input_0": [0, 1]}]),
    ("Overfit", {"ratio_threshold": 0.5}, losses(2.0) + losses(3.0, mode="EVAL")),
    ("Overtraining", {"patience_train": 1, "patience_validation": 1, "delta": 0.25},
     losses(1.0, 1.0) + losses(1.0, 0.75, 0.5, mode="EVAL")),
    ("Overtraining", {"patience_train": 9, "patience_validation": 1, "delta": 0.25},
     losses(1.0, 1.0) + losses(1.0, 1.25, mode="EVAL")),
    ("PoorWeightInitialization", {"threshold": 4}, LAYERS),
    ("PoorWeightInitialization", {"distribution_range": 0.5}, [HALF]),
    ("PoorWeightInitialization", {"distribution_range": 0}, gradients(1.0)),
    ("PoorWeightInitialization", {}, [{"Net_fc.weight": np.ones((2, 2))}]),
    ("PoorWeightInitialization", {}, [{"Net_fc.weight": np.ones((2, 1))}]),
    ("SaturatedActivation", {"threshold_tanh_max": 8}, [{"tanh_input": [8.0]}]),
    ("SaturatedActivation", {"threshold_layer": 50}, [{"tanh_input": [99.0, 0.0]}]),
    ("TensorVariance", {"tensor_regex": ["x"], "max_threshold": 1}, [{"x": [1.0, -1.0]}]),
    ("TensorVariance", {"tensor_regex": ["x"], "min_threshold": 1}, [{"x": [1.0, -1.0]}]),
    ("UnchangedTensor", {"tensor_regex": ["x"], "num_steps": 2, "rtol": 0, "atol": 0.5},
     [{"x": [1.0]}, {"x": [1.5]}]),
    ("VanishingGradient", {"threshold": 0.5}, gradients(0.5)),
    ("WeightUpdateRatio", {"epsilon": 0, "large_threshold": 2}, weights(1.0, 3.0)),
    ("WeightUpdateRatio", {"epsilon": 0, "small_threshold": 0.5}, weights(1.0, 1.5)),
]  # fmt: skip


@pytest.mark.parametrize("rule, parameters, steps", EDGES)
def test_on_the_threshold(tmp_path, rule, parameters, steps):
    if rule == "ClassImbalance":
        parameters = {"samples": 1} | parameters
    compare(tmp_path, rule, run_of(*steps), **parameters)
