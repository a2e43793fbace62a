"""The guide's page and the example keep their word."""

import subprocess
import sys
from pathlib import Path

from gluon_training import run_script

import smdebug.mxnet as smd

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "tests"), str(ROOT / "tests" / "e2e")]

from guide_test import Page  # noqa: E402


def test_the_page(tmp_path):
    page = Page((ROOT / "docs" / "guide" / "capture-in-mxnet.md").read_text())
    assert len(page.promises) > 5
    start = f"import os; os.chdir({str(tmp_path)!r})\n"
    done = run_script(start + page.program)
    assert done.stdout.splitlines() == page.promises


def test_the_example(tmp_path):
    script = ROOT / "examples" / "mxnet" / "train.py"
    subprocess.run(
        [sys.executable, str(script), str(tmp_path / "run"), "--epochs", "2", "--samples", "320"],
        check=True,
        timeout=300,
    )
    trial = smd.create_trial(str(tmp_path / "run"))
    loss = trial.tensor("softmaxcrossentropyloss0_output_0")
    steps = loss.steps(smd.modes.TRAIN)
    assert steps == list(range(20))
    first, last = (loss.value(step, mode=smd.modes.TRAIN).mean() for step in (0, 19))
    assert last < first
    assert len(trial.tensor("scalar/accuracy").steps(smd.modes.EVAL)) == 2
    assert len(trial.tensor_names(collection="relu_output")) == 3
    assert trial.tensor_names(collection="labels") == ["softmaxcrossentropyloss0_input_1"]
