"""Every rule finds the fault that it is made for in a training of MXNet, at its step, and nothing
in the healthy twin."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARDEN = ROOT / "build" / "bin" / "warden"
PYTHON = ROOT / "build" / "venv-mxnet" / "bin" / "python"

# For each training: the rule, its parameters, and what the finding must name.
RULES = {
    "vanishing_gradient": ("VanishingGradient", "", "gradient/"),
    "exploding_tensor": ("ExplodingTensor", "", ""),
    "dead_relu": ("DeadRelu", "", "bend_output_0"),
    "saturated_activation": ("SaturatedActivation", "", "_tanh_input_0"),
    "class_imbalance": ("ClassImbalance", "threshold_misprediction=1", ""),
    "check_input_images": ("CheckInputImages", "", "_input_0"),
    "loss_not_decreasing": ("LossNotDecreasing", "", "loss"),
    "nlp_sequence_ratio": ("NLPSequenceRatio", "", "words_input_0"),
}


def evaluate(run, *rules):
    """What `warden eval` says of each rule, by name."""
    words = [word for rule in rules for word in ("--rules", rule)]
    done = subprocess.run(
        [WARDEN, "eval", str(run), "--json", *words], capture_output=True, text=True, timeout=300
    )
    assert done.returncode in (0, 3), done.stderr
    return {rule["name"]: rule for rule in json.loads(done.stdout)["rules"]}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The folder of all trainings, and at which step each fault begins."""
    folder = tmp_path_factory.mktemp("zoo")
    script = Path(__file__).parent / "mxnet" / "gluon_trainings.py"
    done = subprocess.run(
        [PYTHON, script, folder],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout)


def rule_text(name):
    rule, parameters, _ = RULES[name]
    return f"{rule}:{parameters}" if parameters else rule


def test_every_training_is_evaluated(runs):
    assert {name.partition("/")[0] for name in runs[1]} == set(RULES)


@pytest.mark.parametrize("name", RULES)
def test_the_fault_is_found_at_its_step(runs, name):
    folder, steps = runs
    report = evaluate(folder / name / "faulty", rule_text(name))[RULES[name][0]]
    assert report["status"] == "IssuesFound", report
    first = min(finding["step"] for finding in report["findings"])
    assert first == steps[f"{name}/faulty"], report["findings"][:3]
    assert any(RULES[name][2] in finding["tensor"] for finding in report["findings"])


@pytest.mark.parametrize("name", RULES)
def test_the_healthy_twin_is_left_alone(runs, name):
    run = runs[0] / name / "healthy"
    report = evaluate(run, rule_text(name))[RULES[name][0]]
    assert report["status"] == "NoIssuesFound", report
    assert report["coverage"]["steps"] > 0
    for rule in evaluate(run, "default").values():
        assert rule["status"] in ("NoIssuesFound", "NotEvaluated"), rule
