"""Parameters for each rule from a seed, out of what a user might set; now and then the defaults."""

from __future__ import annotations

import numpy as np
from random_runs import is_complete, is_dirty, is_mixed
from random_values import chance, choose

SELECTIONS = (
    {"collection_names": ["plain"]},
    {"tensor_regex": ["^plain/[0-2]$", "weight$"]},
    {"collection_names": ["weights", "gradients"], "tensor_regex": ["plain/3"]},
)
INACTIVITY = {"threshold_inactivity": (0.5, 1.0, 25.0, 50.0), "threshold_layer": (0, 25.0, 50.0)}

# What each may be; a parameter without any of these is left to its default.
RANGES = {
    "AllZero": {"threshold": (25, 50, 75, 100)},
    "CheckInputImages": {"threshold_mean": (0.05, 0.2, 0.5), "channel": (1, 1, 2)},
    "ClassImbalance": {"threshold_imbalance": (1, 2, 4, 10), "argmax": (False,)},
    "Confusion": {
        "category_no": (2, 3, 6),
        "min_diag": (0.25, 0.5, 0.9, 1),
        "max_off_diag": (0.1, 0.5, 1),
        "compat_diagonal": (True, False),
    },
    "DeadRelu": INACTIVITY,
    "ExplodingTensor": {"only_nan": (True, False)},
    "FeatureImportanceOverweight": {"threshold": (0.3, 0.5, 0.8), "nfeatures": (1, 2, 3)},
    "GradientNormSpike": {"max_norm": (1.0, 20.0), "threshold": (1.5, 3, 10)},
    "LossNotDecreasing": {
        "diff_percent": (0, 0.1, 2.5),
        "increase_threshold_percent": (0, 5, 12.5),
        "mode": ("TRAIN", "EVAL", "GLOBAL"),
    },
    "LossSpike": {
        "threshold": (2, 5, 10),
        "min_increase_percent": (0, 10, 50),
        "patience": (1, 2, 5),
    },
    "NaNOrigin": {"tensor_regex": (["_input_", "_output_"], ["gradient", "plain"])},
    "NLPSequenceRatio": {},
    "Overfit": {"start_step": (5, 15), "patience": (1, 2), "ratio_threshold": (-0.5, 0.1, 0.5)},
    "Overtraining": {"delta": (0, 1 / 64, 0.0625, 0.01)},
    "PoorWeightInitialization": {
        "threshold": (1.5, 10, 100),
        "distribution_range": (0.001, 0.5, 2),
        "patience": (1, 3, 5),
        "steps": (4, 10, 100),
        "compat_any": (True, False),
    },
    "ReplicaDesync": {"rtol": (1e-5, 0.1), "tensor_regex": (["weight$", "plain/"],)},
    "SaturatedActivation": {
        **INACTIVITY,
        "threshold_tanh_min": (-9.4999, -4),
        "threshold_tanh_max": (3, 8),
    },
    "SimilarAcrossRuns": {"tensor_regex": (["weight", "plain/"], ["gradient"])},
    "TensorVariance": {},
    "TreeDepth": {"depth": (0, 2, 4)},
    "UnchangedTensor": {"num_steps": (2, 3, 5), "equal_nan": (True, False), "rtol": (0, 1e-5, 0.5)},
    "VanishingGradient": {"threshold": (2**-20, 2**-10, 1e-7, 0.5)},
    "WeightUpdateRatio": {
        "num_steps": (1, 4, 12),
        "large_threshold": (0.5, 10),
        "small_threshold": (0, 1e-8, 1e-3),
        "compat_zero": (True, False),
        "compat_frozen": (True, False),
    },
}

# With these a rule does not depend on what corner_cases_test.py has of runs with mixed modes.
MIXED = {
    "FeatureImportanceOverweight": {"threshold": 0},
    "GradientNormSpike": {"threshold": 1e30, "max_norm": 1e30},
    "PoorWeightInitialization": {"patience": 1000, "compat_any": False},
}


def random_parameters(rule: str, seed: int) -> dict:
    rng = np.random.default_rng([seed, *rule.encode()])
    chosen = {name: choose(rng, of) for name, of in RANGES[rule].items() if chance(rng, 0.6)}
    if rule in ("AllZero", "TensorVariance", "UnchangedTensor"):
        chosen |= choose(rng, SELECTIONS)
    chosen |= _needed(rule, seed, rng)
    return chosen | MIXED.get(rule, {}) if is_mixed(seed) else chosen


def _needed(rule: str, seed: int, rng) -> dict:
    """What must be set, or else such short runs would never be evaluated."""
    if rule == "TensorVariance":
        both = {
            "max_threshold": choose(rng, (0.25, 1, 16)),
            "min_threshold": choose(rng, (0, 0.25)),
        }
        return choose(rng, (both, {"max_threshold": 1}, {"min_threshold": 1e-6}))
    if rule == "CheckInputImages":
        return {"threshold_samples": choose(rng, (1, 20, 60))}
    if rule == "ClassImbalance":
        # Where predictions are missing at some steps it is open what a share is of.
        share = choose(rng, (0.1, 0.3, 0.7)) if is_complete(seed) else 1
        return {"samples": choose(rng, (1, 50, 200)), "threshold_misprediction": share}
    if rule == "NLPSequenceRatio":
        tokens = choose(rng, ([0], [0, 3], [2, 0]))
        return {
            "token_values": tokens,
            "token_thresholds_percent": [choose(rng, (0, 25, 50, 95)) for _ in tokens],
        }
    if rule in ("GradientNormSpike", "LossSpike"):
        needed = {"window": choose(rng, (6, 50)), "min_steps": choose(rng, (2, 4, 6))}
        finite = {"tensor_regex": ["aux_loss"]} if rule == "LossSpike" and is_dirty(seed) else {}
        return needed | finite
    if rule == "LossNotDecreasing":
        return {"num_steps": choose(rng, (1, 4, 10))}
    if rule == "Overtraining":
        return {
            "patience_train": int(rng.integers(1, 5)),
            "patience_validation": int(rng.integers(1, 6)),
        }
    if rule == "SaturatedActivation" and chance(rng, 0.3):
        return {"tensor_regex": ["anh_input", "gate[89]_input"]}
    return {}
