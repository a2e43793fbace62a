"""The scripts of the recorded runs, run against our packages: the same tensors under the same names
at the same steps, with the same values.

With the XGBoost that made them, every tensor has the very bytes that the original wrote; another
version grows other trees, so that only names, types and steps can be compared."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import xgboost

from smdebug.trials import create_trial

GOLDEN = Path(__file__).resolve().parents[3] / "tests" / "golden"
RUNS = ["xgb_binary", "xgb_regression"]
SAME_XGBOOST = xgboost.__version__.startswith("1.7")


@pytest.fixture(scope="module", params=RUNS)
def recorded(request, tmp_path_factory):
    """Our run, made by the script of a recorded one, and what the original read in its own."""
    folder = tmp_path_factory.mktemp(request.param)
    for part in ("_common", request.param):
        shutil.copytree(GOLDEN / part, folder / part, ignore=shutil.ignore_patterns("trial"))
    done = subprocess.run(
        [sys.executable, "-c", "import make; make.train()"],
        cwd=folder / request.param,
        env={**os.environ, "TENSORWARDEN_STRICT": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    expected = json.loads((GOLDEN / request.param / "expected.json").read_text())
    return create_trial(str(folder / request.param / "trial")), expected


def digest(array: np.ndarray) -> str:
    """As expected.json has it."""
    if array.dtype.kind == "U":
        return hashlib.sha256(b"".join(str(s).encode() + b"\0" for s in array.ravel())).hexdigest()
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def kind(array: np.ndarray) -> str:
    return "str" if array.dtype.kind == "U" else array.dtype.name


def is_used(name: str) -> bool:
    """Which features a tree uses, and when first, depends on the version."""
    return name.startswith("feature_importance/")


def test_names_and_steps(recorded):
    trial, expected = recorded
    skip = (lambda name: False) if SAME_XGBOOST else is_used
    names = [name for name in expected["tensor_names"] if not skip(name)]
    assert [name for name in trial.tensor_names() if not skip(name)] == names
    assert trial.steps() == expected["steps"]["GLOBAL"]
    for name in names:
        assert trial.tensor(name).steps() == expected["tensors"][name]["steps"]["GLOBAL"], name


def test_every_value(recorded):
    trial, expected = recorded
    compared = 0
    for name in trial.tensor_names():
        steps = expected["tensors"].get(name, {"at": {}})["at"]
        for step, workers in steps.items():
            if not trial.tensor(name).steps().count(int(step)):
                assert is_used(name) and not SAME_XGBOOST
                continue
            wanted = workers["worker_0"]["value"]
            value = trial.tensor(name).value(int(step))
            assert kind(value) == wanted["dtype"], name
            compared += 1
            if SAME_XGBOOST:
                assert list(value.shape) == wanted["shape"], name
                assert digest(value) == wanted["sha256"], (name, step, value, wanted.get("value"))
            elif not name.startswith("trees/"):
                assert list(value.shape) == wanted["shape"], name
    assert compared > 100


def test_collections(recorded):
    trial, expected = recorded
    assert set(trial.collections()) == set(expected["collections"])
    for name, collection in expected["collections"].items():
        ours = trial.collection(name)
        assert sorted(ours.include_regex) == sorted(collection["include_regex"]), name
        if name != "feature_importance" or SAME_XGBOOST:
            assert trial.tensor_names(collection=name) == collection["saved_tensor_names"], name
