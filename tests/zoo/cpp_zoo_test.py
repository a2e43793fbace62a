"""C++ programs with a fault and without: rules find the fault and leave the healthy twin alone."""

import json
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from smdebug.trials import create_trial

ROOT = Path(__file__).resolve().parents[2]
WARDEN = Path(os.environ.get("WARDEN", ROOT / "build" / "bin" / "warden")).absolute()

# For each program the faults that it can have, with the rule that is made for it, the step at which
# the rule finds it, and a tensor that it names.
FAULTS = {
    "train_spiral": {
        "vanishing": ("VanishingGradient", 0, "gradient/fc1.weight"),
        "exploding": ("ExplodingTensor", 1, "Loss_output_0"),
        "stuck": ("LossNotDecreasing", 10, "Loss_output_0"),
        "dead_relu": ("DeadRelu", 0, "relu1_output_0"),
    },
    "train_torch": {
        "vanishing": ("VanishingGradient", 0, "gradient/Net_fc1.weight"),
        "exploding": ("ExplodingTensor", 2, "CrossEntropyLoss_output_0"),
        "dead_relu": ("DeadRelu", 0, "relu1_output_0"),
    },
    "train_xgboost": {
        "leak": ("FeatureImportanceOverweight", 0, "feature_importance/weight/score"),
    },
}
CASES = [(program, fault) for program, faults in FAULTS.items() for fault in faults]
KINDS = ("weight", "gain", "cover", "total_gain", "total_cover")
FEATURES = ("age", "height", "weight", "income", "distance", "score")


def evaluate(run, *rules) -> dict:
    """What `warden eval` says of each rule, by name."""
    command = [WARDEN, "eval", run, "--json", *(word for r in rules for word in ("--rules", r))]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr
    return {rule["name"]: rule for rule in json.loads(done.stdout)["rules"]}


@pytest.fixture(scope="module")
def runs(tmp_path_factory, run_program):
    """The folder of each program's run, by program and fault; None: the healthy one."""
    folder = tmp_path_factory.mktemp("cpp_zoo")
    made = {}
    for program, faults in FAULTS.items():
        for fault in (None, *faults):
            made[program, fault] = folder / f"{program}-{fault}"
            options = [] if fault is None else ["--fault", fault]
            count = [] if program == "train_xgboost" else ["--steps", "60"]
            run_program(program, "--out", made[program, fault], *options, *count)
    return made


@pytest.mark.parametrize(("program", "fault"), CASES)
def test_the_fault_is_found(runs, program, fault):
    rule, step, tensor = FAULTS[program][fault]
    report = evaluate(runs[program, fault], rule)[rule]
    assert report["status"] == "IssuesFound", report
    assert min(finding["step"] for finding in report["findings"]) == step
    assert any(tensor in finding["tensor"] + finding["message"] for finding in report["findings"])


@pytest.mark.parametrize("program", FAULTS)
def test_the_healthy_twin_is_left_alone(runs, program):
    rules = {rule for rule, _, _ in FAULTS[program].values()}
    reports = evaluate(runs[program, None], *rules)
    for rule in rules:
        assert reports[rule]["status"] == "NoIssuesFound", reports[rule]
        assert reports[rule]["coverage"]["steps"] > 0
    for report in evaluate(runs[program, None], "default").values():
        assert report["status"] in ("NoIssuesFound", "NotEvaluated"), report


def test_names_are_those_of_pytorch(runs):
    names = set(create_trial(str(runs["train_torch", None])).tensor_names())
    parameters = {f"Net_fc{i}.{kind}" for i in (1, 2, 3) for kind in ("weight", "bias")}
    outputs = {"relu1_output_0", "relu2_output_0", "CrossEntropyLoss_output_0"}
    assert names == parameters | {f"gradient/{name}" for name in parameters} | outputs


def test_a_booster_is_saved_as_the_hook_for_xgboost_does(runs):
    trial = create_trial(str(runs["train_xgboost", None]))
    importance = {f"feature_importance/{kind}/{name}" for kind in KINDS for name in FEATURES}
    metrics = {"train-logloss", "validation-logloss"}
    assert set(trial.tensor_names()) == importance | metrics | {"labels", "predictions"}
    assert trial.steps() == [0, 5, 10, 15]
    for kind in KINDS:
        shares = [trial.tensor(f"feature_importance/{kind}/{name}").value(15) for name in FEATURES]
        assert {share.dtype for share in shares} == {np.dtype("float64")}
        assert {share.shape for share in shares} == {(1,)}
        assert math.isclose(float(sum(shares)[0]), 1, rel_tol=1e-6)
    for step in trial.steps():
        labels = trial.tensor("labels").value(step)
        predictions = trial.tensor("predictions").value(step)
        assert labels.dtype == predictions.dtype == np.float32
        right = np.where(labels == 1, predictions, 1 - predictions).astype("float64")
        said = trial.tensor("validation-logloss").value(step)
        assert np.allclose(said, -np.log(right).mean(), rtol=1e-5)


@pytest.mark.parametrize(
    ("program", "fault", "rule"),
    [
        ("train_spiral", "vanishing", "VanishingGradient"),
        ("train_spiral", "dead_relu", "DeadRelu"),
        ("train_torch", "exploding", "ExplodingTensor"),
        ("train_xgboost", "leak", "FeatureImportanceOverweight"),
    ],
)
def test_found_while_it_trains(programs, tmp_path, program, fault, rule):
    command = [WARDEN, "run", "--out", "run", "--rules", rule, "--", programs / program]
    command += ["--fault", fault]
    done = subprocess.run(
        [str(word) for word in command], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert f"warden: ! {rule} at step " in done.stderr
    assert (tmp_path / "run" / "rule-output" / rule / "firings.jsonl").stat().st_size > 0


def test_a_healthy_one_is_not_disturbed(programs, tmp_path):
    program = str(programs / "train_spiral")
    plain = subprocess.run([program], cwd=tmp_path, capture_output=True, text=True)
    assert list(tmp_path.iterdir()) == [], "nobody asked for anything"
    command = [str(WARDEN), "run", "--out", "run", "--", program]
    watched = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert (watched.returncode, watched.stdout) == (plain.returncode, plain.stdout)
    assert "warden: !" not in watched.stderr
    (timeline,) = (tmp_path / "run/profiler-output/framework/pevents").rglob("*timeline.json")
    events = [event["name"] for event in json.loads(timeline.read_text()) if event["ph"] == "X"]
    assert events.count("Step:ModeKeys.TRAIN") == 500
    assert {"Initialization", "MakeSpirals", "Finalization"} < set(events)


@pytest.mark.parametrize("program", FAULTS)
def test_a_hook_that_cannot_be_made_does_not_end_the_training(programs, tmp_path, program):
    settings = {"cwd": tmp_path, "capture_output": True, "text": True, "timeout": 300}
    plain = subprocess.run([str(programs / program)], **settings)
    broken = {**os.environ, "SMDEBUG_CONFIG_FILE_PATH": str(tmp_path / "none.json")}
    done = subprocess.run([str(programs / program)], env=broken, **settings)
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    assert "none.json" in done.stderr
