"""The built-in debug rules once more, in plain NumPy: from their contract, and where that is silent
from what the rules document of themselves or, failing that, do.

Each takes a made-up run and parameters and says of every tensor that it evaluated whether it fires.
StalledTrainingRule is not among them: it evaluates a clock.
"""

from __future__ import annotations

from typing import NamedTuple

import reference_classes as classes
import reference_history as history
import reference_losses as losses
import reference_tensors as tensors
from made_up import Run
from reference_statistics import Evaluated

RULES = {
    "AllZero": tensors.all_zero,
    "CheckInputImages": tensors.check_input_images,
    "ClassImbalance": classes.class_imbalance,
    "Confusion": classes.confusion,
    "DeadRelu": tensors.dead_relu,
    "ExplodingTensor": tensors.exploding_tensor,
    "FeatureImportanceOverweight": tensors.feature_importance_overweight,
    "GradientNormSpike": losses.gradient_norm_spike,
    "LossNotDecreasing": losses.loss_not_decreasing,
    "LossSpike": losses.loss_spike,
    "NaNOrigin": tensors.nan_origin,
    "NLPSequenceRatio": tensors.nlp_sequence_ratio,
    "Overfit": losses.overfit,
    "Overtraining": losses.overtraining,
    "PoorWeightInitialization": losses.poor_weight_initialization,
    "ReplicaDesync": history.replica_desync,
    "SaturatedActivation": tensors.saturated_activation,
    "SimilarAcrossRuns": history.similar_across_runs,
    "TensorVariance": tensors.tensor_variance,
    "TreeDepth": tensors.tree_depth,
    "UnchangedTensor": history.unchanged_tensor,
    "VanishingGradient": tensors.vanishing_gradient,
    "WeightUpdateRatio": history.weight_update_ratio,
}


class Finding(NamedTuple):
    """One unbroken run of firing steps."""

    step: int
    tensor: str
    worker: str
    mode: str
    last_step: int
    count: int
    value: float | None  # At its first step.


class Report(NamedTuple):
    status: str
    steps: int  # At which something was evaluated.
    findings: list[Finding]  # By step, tensor, worker.


def expected_report(rule: str, run: Run, parameters: dict) -> Report:
    return fold(list(RULES[rule](run, parameters)))


def fold(evaluated: list[Evaluated]) -> Report:
    """A run of firing steps is broken by a step of the same mode at which the tensor was evaluated
    and did not fire."""
    findings, going_on = [], {}
    for one in evaluated:
        key = one.tensor, one.worker, one.mode
        if not one.fired:
            going_on.pop(key, None)
        elif key in going_on:
            i = going_on[key]
            old = findings[i]
            findings[i] = old._replace(last_step=one.step, count=old.count + 1)
        else:
            going_on[key] = len(findings)
            findings.append(Finding(one.step, *key, one.step, 1, one.value))
    status = "IssuesFound" if findings else "NoIssuesFound" if evaluated else "NotEvaluated"
    return Report(status, len({one.step for one in evaluated}), sorted(findings))
