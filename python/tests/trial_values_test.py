"""Values, shapes and reductions of tensors, and what is raised where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from run_builder import BFLOAT16

from smdebug import modes
from smdebug.exceptions import (
    InvalidWorker,
    ShapeUnavailableForStep,
    SMDebugNotImplementedError,
    SMDebugRuntimeError,
    SMDebugTypeError,
    SMDebugValueError,
    StepNotYetAvailable,
    StepUnavailable,
    TensorUnavailableForStep,
)
from smdebug.trials import create_trial
from tensorwarden.base.log import get_logger

PREFIX = "smdebug/reductions/"


def open_run(run, **kwargs):
    return create_trial(str(run.folder), **kwargs)


def test_value_of_a_finished_run(run):
    run.manifests().step(0, {"a": 1, "b": 2}).step(2, {"b": 3}).step(5, {"a": 4})
    trial = open_run(run.end())
    tensor = trial.tensor("a")
    assert tensor.value(5) == 4
    assert tensor.value(5).shape == ()
    assert f"{tensor.value(0):.3f}" == "1.000"
    with pytest.raises(TensorUnavailableForStep) as caught:
        tensor.value(2)
    error = caught.value
    assert (error.tname, error.step, error.mode, error.has_reductions) == (
        "a",
        2,
        modes.GLOBAL,
        False,
    )
    for step in (1, 6, 10**12, -1):
        with pytest.raises(StepUnavailable):
            tensor.value(step)
    with pytest.raises(StepUnavailable) as caught:
        tensor.value(0, mode=modes.TRAIN)
    assert (caught.value.step, caught.value.mode) == (0, modes.TRAIN)
    assert tensor.values() == {0: 1, 5: 4}
    assert tensor.value(np.int64(5)) == 4


def test_value_of_a_live_run(run):
    run.manifests().step(0, {"a": 1})
    tensor = open_run(run).tensor("a")
    with pytest.raises(StepNotYetAvailable) as caught:
        tensor.value(1)
    assert (caught.value.step, caught.value.mode) == (1, modes.GLOBAL)
    run.step(1, {"a": 2})
    assert tensor.value(1) == 2


def test_workers(run):
    run.manifests(2)
    run.step(0, {"a": 1}, worker=1).step(0, {"a": 2}, worker=0)
    run.step(1, {"a": 3}, worker=1).step(1, {"b": 0}, worker=0)
    tensor = open_run(run.end()).tensor("a")
    assert tensor.value(0) == 2
    assert tensor.value(0, worker="worker_1") == 1
    assert tensor.value(1) == 3
    assert tensor.workers(0) == ["worker_0", "worker_1"]
    assert tensor.workers(1) == ["worker_1"]
    for worker in ("worker_0", "nobody"):
        with pytest.raises(InvalidWorker) as caught:
            tensor.value(1, worker=worker)
        assert caught.value.worker == worker
    with pytest.raises(TensorUnavailableForStep):
        tensor.workers(7)
    with pytest.raises(InvalidWorker):
        tensor.values(worker="worker_0")


def test_wrong_arguments(run):
    tensor = open_run(run.manifests().step(0, {"a": 1}).end()).tensor("a")
    for call in (
        lambda: tensor.value("first"),
        lambda: tensor.value(None),
        lambda: tensor.value(0.5),
        lambda: tensor.value(0, mode="TRAIN"),
        lambda: tensor.value(0, mode=None),
        lambda: tensor.value(0, worker=3),
        lambda: tensor.shape(0, mode=4),
        lambda: tensor.reduction_value(None, "mean"),
    ):
        with pytest.raises(SMDebugTypeError):
            call()
    with pytest.raises(TypeError):
        tensor.value(2**70)
    with pytest.raises(SMDebugNotImplementedError):
        tensor.step(0)


def test_types(run):
    arrays = {
        name: np.arange(6).reshape(2, 3).astype(name)
        for name in ("float16", "float32", "float64", "int32", "int64", "uint8", "bool")
    }
    arrays["hollow"] = np.zeros((0, 3), np.float32)
    arrays["zero_d"] = np.array(2.5)
    trial = open_run(run.manifests().step(0, arrays).end())
    for name, array in arrays.items():
        value = trial.tensor(name).value(0)
        assert (value.dtype, value.shape) == (array.dtype, array.shape)
        assert value.flags.aligned
        np.testing.assert_array_equal(value, array)


def test_bfloat16_is_read_as_float32(run):
    numbers = np.array([1.5, -2.0, np.inf], np.float32)
    content = (numbers.view(np.uint32) >> 16).astype(np.uint16).tobytes()
    trial = open_run(run.manifests().step(0, {"a": (BFLOAT16, (3,), content)}).end())
    value = trial.tensor("a").value(0)
    assert value.dtype == np.float32
    np.testing.assert_array_equal(value, numbers)
    assert trial.tensor("a").reduction_value(0, "min") == np.float32(-2)


def test_large_values_at_all_offsets(run):
    large = np.random.default_rng(0).standard_normal(100_000)
    tensors = {"x" * length: large + length for length in range(1, 9)}
    trial = open_run(run.manifests().step(0, tensors).end())
    shared = 0
    for name, array in tensors.items():
        value = trial.tensor(name).value(0)
        assert value.flags.aligned
        shared += not isinstance(value.base, bytearray)
        np.testing.assert_array_equal(value, array)
        # What the caller does with it stays with the caller.
        value += 1
        np.testing.assert_array_equal(trial.tensor(name).value(0), array)
    assert shared == 1  # One of eight offsets is aligned for doubles.


def test_values_outlive_the_trial(run):
    array = np.arange(300_000, dtype=np.uint8)
    trial = open_run(run.manifests().step(0, {"a": array}).end())
    value = trial.tensor("a").value(0)
    del trial
    for file in run.folder.rglob("*.tfevents"):
        file.unlink()
    np.testing.assert_array_equal(value, array)


def test_cache(run):
    run.manifests().step(0, {"a": 1}).end()
    tensor = open_run(run, cache=True).tensor("a")
    assert tensor.cache
    assert tensor.value(0) is tensor.value(0)
    plain = open_run(run).tensor("a")
    assert plain.value(0) is not plain.value(0)


def test_reductions_only(run):
    run.manifests().step(0, {PREFIX + "mean/a": 3.0, PREFIX + "abs_l2/a": 4.0}).end()
    tensor = open_run(run).tensor("a")
    assert tensor.reduction_value(0, "mean") == 3
    assert tensor.reduction_value(0, "l2", abs=True) == 4
    assert tensor.reduction_values(0) == {("mean", False): 3, ("l2", True): 4}
    with pytest.raises(TensorUnavailableForStep) as caught:
        tensor.value(0)
    assert caught.value.has_reductions
    assert "reduction" in str(caught.value)
    for missing in ("min", "foo"):
        with pytest.raises(TensorUnavailableForStep) as caught:
            tensor.reduction_value(0, missing)
        assert caught.value.tname == missing
    with pytest.raises(StepUnavailable):
        tensor.reduction_value(1, "mean")
    with pytest.raises(ShapeUnavailableForStep) as caught:
        tensor.shape(0)
    assert caught.value.tname == "a"


def test_saved_reductions_win(run):
    array = np.array([1.0, -5.0], np.float32)
    run.manifests().step(0, {"a": array, PREFIX + "mean/a": 77.0}).end()
    tensor = open_run(run).tensor("a")
    assert tensor.reduction_value(0, "mean") == 77
    assert tensor.reduction_value(0, "mean", abs=True) == 3
    assert list(tensor.reduction_values(0)) == [("mean", False)]


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int32", "int64", "uint8", "bool"]
)
def test_computed_reductions_are_numpys(run, dtype):
    array = (np.arange(12).reshape(3, 4) * 3 % 7 - (0 if dtype == "uint8" else 3)).astype(dtype)
    tensor = open_run(run.manifests().step(0, {"a": array}).end()).tensor("a")
    for absolute in (False, True):
        of = np.abs(array) if absolute else array
        wanted = {
            "min": of.min(),
            "max": of.max(),
            "mean": of.mean(),
            "std": of.std(),
            "variance": of.var(),
            "sum": of.sum(),
            "prod": of.prod(),
            "l1": np.linalg.norm(of, ord=1),
        }
        if dtype != "float16":
            wanted["l2"] = np.linalg.norm(of, ord=2)
        for name, value in wanted.items():
            ours = tensor.reduction_value(0, name, abs=absolute)
            assert type(ours) is type(value), name
            np.testing.assert_allclose(
                ours, value, rtol=2e-3 if dtype == "float16" else 1e-6, err_msg=name
            )


def test_integers_keep_their_digits(run):
    array = np.array([2**62, 2**62 + 1], np.int64)
    tensor = open_run(run.manifests().step(0, {"a": array}).end()).tensor("a")
    assert int(tensor.reduction_value(0, "max")) == 2**62 + 1
    assert tensor.reduction_value(0, "sum") == array.sum()


def test_unknown_reduction(run):
    tensor = open_run(run.manifests().step(0, {"a": 1}).end()).tensor("a")
    with pytest.raises(SMDebugValueError, match="foo"):
        tensor.reduction_value(0, "foo")


def test_shapes(run):
    run.manifests().step(0, {"a": np.zeros((2, 3), np.float32)}, shapes={"b": (4, 5)})
    run.step(1, {"a": np.zeros(7, np.float32)}, shapes={"a": (7,)})
    trial = open_run(run.end())
    assert trial.tensor("a").shape(0) == (2, 3)
    assert trial.tensor("a").shapes() == {0: (2, 3), 1: (7,)}
    assert trial.tensor("a").value(1).shape == (7,)  # Values beside a shape are not lost.
    assert trial.tensor("b").shape(0) == (4, 5)
    assert trial.tensor("b").original_name == "b"
    with pytest.raises(TensorUnavailableForStep) as caught:
        trial.tensor("b").value(0)
    assert not caught.value.has_reductions


def test_prev_steps(run):
    run.manifests()
    for step in (0, 2, 4, 6):
        run.step(step, {"a": step}, mode="TRAIN", mode_step=step // 2)
    tensor = open_run(run.end()).tensor("a")
    assert tensor.prev_steps(4) == [0, 2, 4]
    assert tensor.prev_steps(5, 2) == [2, 4]
    assert tensor.prev_steps(5, 0) == [0, 2, 4]
    assert tensor.prev_steps(100, n=9) == [0, 2, 4, 6]
    assert tensor.prev_steps(1, n=1, mode=modes.TRAIN) == [1]
    assert tensor.prev_steps(-1) == []


def test_a_lost_event_file(run):
    run.manifests().step(0, {"a": 1}, event_file=False).step(1, {"a": 2})
    tensor = open_run(run.end()).tensor("a")
    with pytest.raises(TensorUnavailableForStep) as caught:
        tensor.value(0)
    assert "missing" in str(caught.value.__cause__)
    assert tensor.value(1) == 2


def test_a_damaged_event_file(run):
    run.manifests().step(0, {"a": 1}).step(1, {"a": 2}).end()
    file = next(run.folder.glob("events/000000000000/*"))
    content = bytearray(file.read_bytes())
    content[0] ^= 0xFF
    file.write_bytes(content)
    tensor = open_run(run).tensor("a")
    with pytest.raises(SMDebugRuntimeError, match="000000000000_worker_0.tfevents"):
        tensor.value(0)
    file.write_bytes(b"")
    with pytest.raises(SMDebugRuntimeError):
        open_run(run).tensor("a").value(0)
    assert tensor.value(1) == 2


def test_damaged_index_files(run, monkeypatch):
    told = []
    monkeypatch.setattr(get_logger(), "warning", told.append)
    run.manifests().step(0, {"a": 1})
    run.put_index(1, b'{"meta": ')
    outside = (
        b'{"meta": {"mode": "TRAIN", "mode_step": 2, "event_file_name": "../x"}, '
        b'"tensor_payload": [{"tensorname": "a", "start_idx": 0, "length": 9}]}'
    )
    run.put_index(2, outside)
    trial = open_run(run.step(3, {"a": 3}).end())
    assert trial.steps() == [0, 3]
    assert trial.tensor("a").value(3) == 3
    assert "000000000001_worker_0.json" in told[0]
    assert "000000000002_worker_0.json" in told[1]
