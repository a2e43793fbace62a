"""Every recorded run is read as the original library reads it (expected.json beside it)."""

from __future__ import annotations

import hashlib
import json
import math
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from smdebug import modes
from smdebug.exceptions import ShapeUnavailableForStep, TensorUnavailableForStep
from smdebug.trials import create_trial

GOLDEN = Path(__file__).resolve().parents[2] / "tests/golden"
RUNS = sorted(path.parent.name for path in GOLDEN.glob("*/expected.json"))
# How far NumPy's result, which it adds up in the tensor's own type, may be from the exact one.
TOLERANCE = {"float16": 4e-3, "float32": 2e-5}


@lru_cache(maxsize=None)
def opened(name: str):
    return create_trial(str(GOLDEN / name / "trial"))


@lru_cache(maxsize=None)
def said(name: str) -> dict:
    return json.loads((GOLDEN / name / "expected.json").read_text())


@lru_cache(maxsize=None)
def written(name: str) -> dict:
    path = GOLDEN / name / "written.json"
    return json.loads(path.read_text()) if path.exists() else {}


def saved(name: str):
    """Tensor, step, worker and what the original says of them."""
    for tname, tensor in said(name)["tensors"].items():
        for step, workers in tensor["at"].items():
            for worker, entry in workers.items():
                yield tname, int(step), worker, entry


def is_error(entry, kind: str = "") -> bool:
    return isinstance(entry, dict) and "error" in entry and entry["error"].startswith(kind)


def number(entry) -> complex:
    if isinstance(entry, dict):
        return complex(entry["re"], entry["im"])
    return float(entry)  # "NaN" and "Infinity" among them.


def digest(array: np.ndarray) -> str:
    if array.dtype.kind == "U":
        data = b"".join(str(text).encode() + b"\0" for text in array.reshape(-1))
    else:
        data = np.ascontiguousarray(array).tobytes()
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("name", RUNS)
def test_run(name):
    trial, expected = opened(name), said(name)
    assert trial.steps() == expected["steps"]["GLOBAL"]
    assert trial.loaded_all_steps == expected["loaded_all_steps"]
    assert trial.workers() == expected["workers"]
    assert trial.num_workers == expected["num_workers"]
    assert trial.last_complete_step == expected["last_complete_step"]
    assert sorted(mode.name for mode in trial.modes()) == expected["modes"]
    for mode in modes:
        assert trial.steps(mode) == expected["steps"][mode.name]
        assert trial.steps(mode, True) == expected["steps_incl_incomplete"][mode.name]
    for step, (mode_name, mode_step) in expected["global_step_to_mode_step"].items():
        assert trial.mode_modestep(int(step)) == (modes[mode_name], mode_step)
        assert trial.global_step(modes[mode_name], mode_step) == int(step)


@pytest.mark.parametrize("name", RUNS)
def test_names_and_collections(name):
    trial, expected = opened(name), said(name)
    assert trial.tensor_names() == expected["tensor_names"]
    for mode_name, names in expected["tensor_names_by_mode"].items():
        assert trial.tensor_names(mode=modes[mode_name]) == names
    for step, names in expected["tensor_names_by_global_step"].items():
        assert trial.tensor_names(step=int(step)) == names
    assert sorted(trial.collections()) == sorted(expected["collections"])
    for collection, wanted in expected["collections"].items():
        assert trial.tensor_names(collection=collection) == wanted["saved_tensor_names"]
        described = trial.collection(collection).to_json_dict()
        described["saved_tensor_names"] = wanted["saved_tensor_names"]
        assert described == wanted


@pytest.mark.parametrize("name", RUNS)
def test_steps_of_tensors(name):
    trial = opened(name)
    for tname, expected in said(name)["tensors"].items():
        tensor = trial.tensor(tname)
        assert tensor.original_name == expected["original_name"]
        for mode in modes:
            assert tensor.steps(mode, show_incomplete_steps=True) == expected["steps"][mode.name]
        for step, workers in expected["at"].items():
            assert sorted(tensor.workers(int(step))) == sorted(workers)


@pytest.mark.parametrize("name", RUNS)
def test_values_and_shapes(name):
    for tname, step, worker, entry in saved(name):
        tensor = opened(name).tensor(tname)
        # Where the original could not read or misread a type, what was written decides.
        wanted = written(name).get(tname, {}).get(str(step), entry["value"])
        if not is_error(wanted):
            value = tensor.value(step, worker=worker)
            assert type(value) is np.ndarray
            assert value.dtype.name.startswith(wanted["dtype"])
            assert list(value.shape) == wanted["shape"]
            assert digest(value) == wanted["sha256"]
        else:
            assert is_error(wanted, "TensorUnavailableForStep")
            try:
                # Where a shape was saved beside the values, the original loses the values.
                assert list(tensor.value(step, worker=worker).shape) == entry["shape"]
            except TensorUnavailableForStep as error:
                assert error.has_reductions == ("reductions saved" in wanted["error"])
        if is_error(entry["shape"], "ShapeUnavailableForStep"):
            with pytest.raises(ShapeUnavailableForStep):
                tensor.shape(step, worker=worker)
        elif not is_error(entry["shape"]):
            assert tensor.shape(step, worker=worker) == tuple(entry["shape"])


@pytest.mark.parametrize("name", RUNS)
def test_saved_reductions(name):
    for tname, step, worker, entry in saved(name):
        values = opened(name).tensor(tname).reduction_values(step, worker=worker)
        wanted = entry["reductions_saved"]
        assert {("abs_" if abs else "") + op for op, abs in values} == set(wanted)
        for (op, abs), value in values.items():
            expected = wanted[("abs_" if abs else "") + op]
            again = opened(name).tensor(tname).reduction_value(step, op, worker=worker, abs=abs)
            for array in (value, again):
                assert (array.dtype.name, list(array.shape)) == (
                    expected["dtype"],
                    expected["shape"],
                )
                np.testing.assert_equal(float(array.reshape(-1)[0]), number(expected["value"]))


@pytest.mark.parametrize("name", RUNS)
def test_computed_reductions(name):
    for tname, step, worker, entry in saved(name):
        computed = entry.get("reductions_computed", {})
        # The original took signed bytes for unsigned ones.
        wanted_value = written(name).get(tname, {}).get(str(step), entry["value"])
        if computed and wanted_value["dtype"] != entry["value"]["dtype"]:
            continue
        for reduction, wanted in computed.items():
            op = reduction[4:] if reduction.startswith("abs_") else reduction
            value = (
                opened(name)
                .tensor(tname)
                .reduction_value(step, op, worker=worker, abs=op != reduction)
            )
            assert isinstance(value, np.generic)
            if is_error(wanted):  # NumPy has no such norm.
                continue
            dtype = entry["value"]["dtype"]
            # The absolute value of the lowest integer wraps around in NumPy, and all that is
            # computed with it; the core's does not.
            if dtype.startswith("int") and number(computed["abs_min"]) < 0:
                continue
            scale = abs(number(computed["abs_max"]))
            assert is_close(float(value), number(wanted), scale, dtype), (tname, step, reduction)


def is_close(value: float, wanted: float, scale: float, dtype: str) -> bool:
    if math.isnan(wanted):
        return math.isnan(value)
    tolerance = TOLERANCE.get(dtype, 1e-12)
    return value == wanted or abs(value - wanted) <= tolerance * max(abs(wanted), scale)
