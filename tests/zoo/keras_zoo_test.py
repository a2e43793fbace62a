"""Rules find the faults of Keras trainings, at their steps, and nothing in the healthy twins."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARDEN = ROOT / "build" / "bin" / "warden"
PYTHON = ROOT / "build/venv-tensorflow/bin/python"
SCRIPT = Path(__file__).parent / "keras" / "train_all.py"

# By rule: how it is configured, and what the finding must name.
RULES = {
    "VanishingGradient": ("", "gradients/dense"),
    "DeadRelu": ("", "dense/outputs"),
    "ExplodingTensor": ("", "dense"),
    "LossNotDecreasing": ("", "loss"),
    "SaturatedActivation": ("", "dense/activation_inputs"),
    "WeightUpdateRatio": ("", "dense/weights/dense/kernel:0"),
    "ClassImbalance": (":threshold_misprediction=1", ""),
}


@pytest.fixture(scope="module")
def zoo(tmp_path_factory):
    """The folder of all twins, and where each fault begins."""
    folder = tmp_path_factory.mktemp("keras-zoo")
    command = [str(PYTHON), str(SCRIPT), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment())
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout.splitlines()[-1])


def environment():
    return {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "TENSORWARDEN_STRICT": "1"}


def evaluate(run, rule):
    command = [str(WARDEN), "eval", str(run), "--json", "--rules", rule]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 3), done.stderr
    return json.loads(done.stdout)["rules"]


@pytest.mark.parametrize("name", RULES)
def test_the_fault_is_found_at_its_step(zoo, name):
    folder, steps = zoo
    parameters, tensor = RULES[name]
    (report,) = evaluate(folder / name / "faulty", name + parameters)
    assert report["status"] == "IssuesFound", report
    first = min(finding["step"] for finding in report["findings"])
    assert first == steps[f"{name}/faulty"], report["findings"][:3]
    assert any(tensor in finding["tensor"] for finding in report["findings"])


@pytest.mark.parametrize("name", RULES)
def test_the_healthy_twin_is_left_alone(zoo, name):
    folder, _ = zoo
    (report,) = evaluate(folder / name / "healthy", name + RULES[name][0])
    assert report["status"] == "NoIssuesFound", report
    assert report["coverage"]["steps"] > 0
    for rule in evaluate(folder / name / "healthy", "default"):
        assert rule["status"] in ("NoIssuesFound", "NotEvaluated"), rule
