"""The scripts of the recorded runs, run against our packages: the same tensors under the same names
at the same steps, with the same values."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from smdebug import modes
from smdebug.exceptions import TensorUnavailableForStep
from smdebug.trials import create_trial

GOLDEN = Path(__file__).resolve().parents[3] / "tests" / "golden"
RUNS = [
    "pt_cnn_mixed",
    "pt_reductions_all",
    "pt_save_all",
    "pt_shape_raw",
    "pt_tensorboard",
    "pt_two_workers_all",
    "pt_two_workers_one",
]
# Other versions of PyTorch compute other digits, which training makes larger.
SAME_TORCH = torch.__version__.startswith("1.13")
# The original saves these at the next saved step, where they overwrite each other.
BY_HAND = ("scalar/", "confusion", "custom_in_weights")
# A bias before a BatchNorm has no gradient but rounding, which differs between BLAS libraries, and
# Adam takes steps of full length by it. These go with it, from the first step on.
ROUNDING = {
    "pt_save_all": ("SmallCNN_conv1.bias", "conv1_output_0", "bn1_input_0"),
}


def record(run: str, folder: Path) -> Path:
    """Runs the script of a recorded run in a folder of its own."""
    for part in ("_common", run):
        shutil.copytree(GOLDEN / part, folder / part, ignore=shutil.ignore_patterns("trial"))
    script = folder / run / "make.py"
    code = "import make; make.train()"
    if "two_workers" in run:  # They train only as a program.
        text = script.read_text().replace("import expected", "sys.exit()")
        script.write_text(text)
        command = [sys.executable, str(script)]
    else:
        command = [sys.executable, "-c", code]
    # Below those that the system gives to others.
    environment = {**os.environ, "PORT": str(10_000 + os.getpid() % 20_000)}
    done = subprocess.run(
        command, cwd=script.parent, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return folder / run / "trial"


def names(trial) -> list:
    return [name for name in trial.tensor_names() if not name.startswith(BY_HAND)]


@pytest.mark.parametrize("run", RUNS)
def test_records_what_the_original_recorded(run, tmp_path):
    ours = create_trial(str(record(run, tmp_path)))
    golden = create_trial(str(GOLDEN / run / "trial"))
    assert names(ours) == names(golden)
    assert ours.workers() == golden.workers()
    assert set(ours.collections()) == set(golden.collections())
    for name in names(golden):
        mine, theirs = ours.tensor(name), golden.tensor(name)
        for mode in modes:
            assert mine.steps(mode) == theirs.steps(mode), (name, mode)
        for step in theirs.steps():
            assert mine.workers(step) == theirs.workers(step)
            same = SAME_TORCH and not (step > 0 and name.endswith(ROUNDING.get(run, ())))
            for worker in theirs.workers(step):
                compare(mine, theirs, step, worker, same)


def compare(mine, theirs, step, worker, same):
    try:
        expected = theirs.value(step, worker=worker)
    except TensorUnavailableForStep:
        with pytest.raises(TensorUnavailableForStep):
            mine.value(step, worker=worker)
    else:
        value = mine.value(step, worker=worker)
        assert (value.dtype, value.shape) == (expected.dtype, expected.shape)
        if same:
            np.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-6, err_msg=mine.name)
    saved = mine.reduction_values(step, worker=worker)
    expected_saved = theirs.reduction_values(step, worker=worker)
    assert set(saved) == set(expected_saved)
    for reduction, number in expected_saved.items():
        assert saved[reduction].dtype == number.dtype
        if same:
            np.testing.assert_allclose(saved[reduction], number, rtol=1e-3, atol=1e-6)


def test_what_is_saved_by_hand_stays_at_the_step_of_the_call(tmp_path):
    trial = create_trial(str(record("pt_cnn_mixed", tmp_path)))
    assert trial.tensor("scalar/train_loss").steps(modes.TRAIN) == list(range(12))
    assert trial.tensor("scalar/int_scalar").value(4, modes.TRAIN).tolist() == [28.0]
    # Collection "weights" is due every fourth step of the training.
    assert trial.tensor("custom_in_weights").steps(modes.TRAIN) == [0, 4, 8]
    assert "scalar/accuracy" in trial.tensor_names()


def test_every_type_comes_back_as_it_was(tmp_path):
    run = record("pt_dtypes", tmp_path)
    script = {}
    code = (GOLDEN / "pt_dtypes" / "make.py").read_text().split("def train")[0]
    sys.path.insert(0, str(GOLDEN / "_common"))
    try:
        exec(compile(code.replace("__file__", repr(str(run))), "make.py", "exec"), script)
    finally:
        sys.path.pop(0)
    trial = create_trial(str(run))
    # The script saves before each forward: a second tensor of a name is held for the next step.
    for name, value in script["tensors"](2).items():
        if name == "np_empty":
            assert not trial.has_tensor(name)
            continue
        array = value.detach().numpy() if hasattr(value, "detach") else np.asarray(value)
        saved = trial.tensor(name).value(2)
        np.testing.assert_array_equal(saved.reshape(array.shape), array, err_msg=name)
        assert saved.dtype.kind == array.dtype.kind and (
            saved.dtype == array.dtype or array.dtype.kind == "U"
        )
