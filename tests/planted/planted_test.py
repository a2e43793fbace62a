"""Trainings in which something stops being finite: `warden run` with its defaults names the module,
forward or backward, and the step."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, List, Tuple

import pytest
import torch

SCRIPTS = Path(__file__).resolve().parent / "scripts"
ROOT = Path(__file__).resolve().parents[2]
WARDEN = str((ROOT / os.environ.get("WARDEN", "build/bin/warden")).absolute())
TWO_PROCESSES = ["-m", "torch.distributed.run", "--nproc-per-node=2", "--standalone"]

# By script: the step, the tensor, and the beginning of what is said of it.
PLANTED: Dict[str, Tuple[int, str, str]] = {
    "overflow_fp16": (12, "2.act_output_0", "mul in the forward pass of SquaredReLU ("),
    "log_of_zero": (15, "gate_output_0", "log in the forward pass of Gate ("),
    "zero_norm": (9, "0.norm_output_0", "div in the forward pass of UnitNorm ("),
    "bad_batch": (20, "Sequential_input_0", "the batch has NaN or infinite values in input 0"),
    "exploding_rate": (3, "loss", "the loss itself is NaN or infinite; outputs of Sequential"),
    "bad_rank": (11, "scale_output_0", "div in the forward pass of Scale ("),
    "checkpointed": (
        10,
        "gradient/Net_blocks.1.linear.weight",
        "backward of Sqrt in blocks.1.after (Length) (checkpointed.py:",
    ),
    "compiled": (13, "middle_output_0", "exp in the forward pass of Middle ("),
    "attention_mask": (23, "attention_output_0", "softmax in the forward pass of Attention ("),
    "in_the_optimizer": (14, "Net_extra.weight", "the optimizer made it NaN or infinite, of"),
    "frozen_encoder": (48, "Sequential.1.0_output_0", "div in the forward pass of Standardize ("),
    "in_the_loss": (18, "loss", "log of zero in the loss; outputs of Sequential are finite"),
}


# What is said of it on a GPU, where that is less.
PLANTED_ON_GPU: Dict[str, Tuple[int, str, str]] = {
    **PLANTED,
    "checkpointed": (
        10,
        "gradient/Net_blocks.1.linear.weight",
        "the backward pass made it NaN or infinite, after a finite forward pass",
    ),
    "in_the_loss": (18, "loss", "the loss itself is NaN or infinite; outputs of Sequential"),
}


def run(folder: Path, script: str, *options: str, on_gpu: bool = False) -> Tuple[str, List[dict]]:
    """Runs a script; what was printed, and the findings of NaNOrigin."""
    before = list(TWO_PROCESSES) if script == "bad_rank" else []
    before += [str(SCRIPTS.parent / "on_gpu.py")] if on_gpu else []
    events = folder / "events.jsonl"
    done = subprocess.run(
        [
            WARDEN,
            "run",
            "--out",
            str(folder / "run"),
            "--events",
            str(events),
            *options,
            "--",
            sys.executable,
            *before,
            str(SCRIPTS / f"{script}.py"),
        ],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    ended = next(line for line in lines if line["event"] == "end")
    rule = next(rule for rule in ended["rules"] if rule["rule"] == "NaNOrigin")
    return done.stderr, rule["findings"]


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, Tuple[str, List[dict]]]:
    """What is found in each training. They mostly wait for imports, so several run at a time."""
    folders = {script: tmp_path_factory.mktemp(script) for script in PLANTED}
    with ThreadPoolExecutor(3) as pool:
        return dict(zip(PLANTED, pool.map(lambda s: run(folders[s], s), PLANTED)))


@pytest.mark.parametrize("script", PLANTED)
def test_the_first_nan_is_named(findings, script: str) -> None:
    assert_named(findings[script], PLANTED[script], script)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU")
@pytest.mark.parametrize("script", PLANTED_ON_GPU)
def test_the_first_nan_on_a_gpu_is_named(tmp_path, script: str) -> None:
    assert_named(run(tmp_path, script, on_gpu=True), PLANTED_ON_GPU[script], script)


def assert_named(
    run_found: Tuple[str, List[dict]], expected: Tuple[int, str, str], script: str
) -> None:
    errors, found = run_found
    step, tensor, what = expected
    assert "Capture disabled" not in errors
    assert [(one["tensor"], one["step"]) for one in found] == [(tensor, step)], errors
    assert found[0]["message"].startswith(f"{tensor}"), found
    assert what in found[0]["message"], found
    if script == "bad_rank":
        assert found[0]["worker"] == "worker_1"
