"""What C++ programs record, the original library reads as we do."""

import dataclasses

import numpy as np
import pytest
import snapshot


@pytest.fixture(scope="module", params=["train_spiral", "train_xgboost"])
def readings(request, tmp_path_factory, run_program, run_original):
    """The program, and what we and the original see in its run."""
    folder = tmp_path_factory.mktemp("cpp")
    count = "--steps" if request.param == "train_spiral" else "--rounds"
    run_program(request.param, "--out", folder / "run", count, "20")
    run_program("warden", "trial", "verify", folder / "run")
    run_program("dump_run", folder / "run", folder / "ours.json")
    run_original("read_with_original.py", folder / "run", folder / "original.json")
    return request.param, *(snapshot.load(folder / f"{name}.json") for name in ("ours", "original"))


def test_names_steps_and_workers(readings):
    _, ours, original = readings
    snapshot.check_outline(original, ours)


def test_values_and_shapes(readings):
    program, ours, original = readings
    wanted = {"train_spiral": 20 + 2 * (12 + 2) + 1, "train_xgboost": 4 * (2 + 2 + 30)}
    assert len(ours.entries) == wanted[program]
    assert set(original.entries) == set(ours.entries)
    for key, entry in ours.entries.items():
        assert entry.value is not None, key
        found = dataclasses.replace(original.entries[key], reductions={})
        assert found == dataclasses.replace(entry, reductions={}), key


def test_collections(readings):
    program, ours, original = readings
    for name, tensors in ours.collections.items():
        assert original.collections[name] == tensors, name
    if program == "train_spiral":
        assert original.collections["losses"] == ["Loss_output_0"]
        assert original.collections["relu_output"] == ["relu1_output_0", "relu2_output_0"]


def test_a_value_that_is_known(readings):
    program, _, original = readings
    if program == "train_spiral":  # Biases begin at a tenth.
        (entry,) = (
            e for (name, step, _), e in original.entries.items() if (name, step) == ("fc1.bias", 0)
        )
        values = np.frombuffer(bytes.fromhex(entry.value.data), "<f4")
        assert values.tolist() == [np.float32(0.1)] * 32
    else:
        names = {name for name, _, _ in original.entries}
        assert {"train-logloss", "predictions", "feature_importance/gain/age"} < names
