"""Small runs in which the contract is easily misread."""

import numpy as np
import pytest
from made_up import Saved, write
from program import evaluate
from small_runs import compare, run_of


def test_a_loss_that_is_not_finite_is_no_spike(tmp_path):
    losses = [1.0, 1.0, 1.0, 1.0, np.nan, 1.0]
    run = run_of(*({"loss_output_0": loss} for loss in losses))
    compare(tmp_path, "LossSpike", run, min_steps=2, window=10)


def test_share_of_mispredictions_is_of_all_labels_of_the_class(tmp_path):
    labels = {"labels": [0, 0, 1, 1]}
    run = run_of(labels, labels, labels, labels | {"predictions": [1, 1, 1, 1]})
    compare(tmp_path, "ClassImbalance", run, samples=1, threshold_misprediction=0.5)


def test_findings_of_two_pairs_of_labels_are_in_order(tmp_path):
    one = {"labels": [0, 0, 0, 1], "predictions": [1, 1, 1, 0]}
    run = run_of(one | {f"{name}_b": values for name, values in one.items()})
    compare(tmp_path, "ClassImbalance", run, samples=1, threshold_imbalance=2)


def test_rows_that_differ_in_the_sign_of_zero_are_equal(tmp_path):
    run = run_of({"Net_fc.weight": [[0.0, 1.0], [-0.0, 1.0]]})
    compare(tmp_path, "PoorWeightInitialization", run)


def test_largest_magnitude_below_the_threshold_proves_a_vanished_gradient(tmp_path):
    run = run_of({"gradient/Net_fc.weight": Saved(None, {"abs_max": 1e-9})})
    write(run, tmp_path / "run")
    ours = evaluate(tmp_path / "run", {"VanishingGradient": {"threshold": 1e-7}})
    assert ours["VanishingGradient"]["status"] == "IssuesFound"


def test_mode_of_losses_is_the_first_that_has_steps(tmp_path):
    run = run_of(("EVAL", {"x": 1.0}), *([{"loss_output_0": 1.0}] * 4))
    compare(tmp_path, "LossNotDecreasing", run, num_steps=1, compat_mode=True)


@pytest.mark.parametrize("rule", ["FeatureImportanceOverweight", "GradientNormSpike"])
def test_a_step_without_the_worker_does_not_end_its_finding(tmp_path, rule):
    one = {"feature_importance/weight/f0": [1.0], "gradient/Net_fc.weight": [5.0]}
    both, alone = {"worker_0": one, "worker_1": one}, {"worker_0": one, "worker_1": {"x": 1.0}}
    parameters = {"max_norm": 1} if rule == "GradientNormSpike" else {}
    compare(tmp_path, rule, run_of(both, alone, both), **parameters)


@pytest.mark.parametrize("rule", ["FeatureImportanceOverweight", "GradientNormSpike"])
def test_a_step_of_another_mode_does_not_end_a_finding(tmp_path, rule):
    bad = {"feature_importance/weight/f0": [1.0], "gradient/Net_fc.weight": [5.0]}
    good = {f"feature_importance/weight/f{i}": [1.0] for i in range(9)}
    good |= {"gradient/Net_fc.weight": [0.5]}
    parameters = {"max_norm": 1} if rule == "GradientNormSpike" else {}
    run = run_of(("GLOBAL", bad), ("TRAIN", good), ("GLOBAL", bad))
    compare(tmp_path, rule, run, **parameters)


def test_the_best_loss_is_of_one_mode(tmp_path):
    flat = {"gradient/Net_fc.bias": [1.0, 1.0]}
    steps = [("TRAIN", 4.0), ("GLOBAL", 9.0), ("TRAIN", 3.0), ("GLOBAL", 8.0), ("TRAIN", 2.0)]
    run = run_of(*((mode, flat | {"loss_output_0": loss}) for mode, loss in steps))
    compare(tmp_path, "PoorWeightInitialization", run, patience=1)
