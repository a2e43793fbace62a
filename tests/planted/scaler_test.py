"""Trainings with a `GradScaler`: its search for a scale is silent, but not NaN that stays."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

import pytest
import torch
from planted_test import SCRIPTS, WARDEN

FIRST_BAD = 60
ON = [
    "cpu",
    pytest.param(
        "cuda",
        marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU"),
    ),
]


def train(
    folder: Path, device: str, *words: str, script: str = "loss_scaler.py"
) -> Dict[str, List[dict]]:
    """What the default rules find in a training, by rule."""
    before = [str(SCRIPTS.parent / "on_gpu.py")] if device == "cuda" else []
    done = subprocess.run(
        [
            *(WARDEN, "run", "--out", "run", "--events", "events.jsonl", "--"),
            *(sys.executable, *before, str(SCRIPTS / script), *words),
        ],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert "scale" in done.stdout, done.stderr
    assert "Capture disabled" not in done.stderr and "not observed" not in done.stderr
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    ended = next(event for event in events if event["event"] == "end")
    return {rule["rule"]: rule["findings"] for rule in ended["rules"] if rule["findings"]}


@pytest.mark.parametrize("device", ON)
@pytest.mark.parametrize("kind", ["healthy", "fused"])
def test_a_scaler_that_looks_for_its_scale_is_no_problem(
    tmp_path: Path, kind: str, device: str
) -> None:
    assert train(tmp_path, device, kind) == {}


@pytest.mark.parametrize("device", ON)
def test_gradients_that_stay_nan_are_found(tmp_path: Path, device: str) -> None:
    found = train(tmp_path, device, "gradient")
    assert list(found) == ["NaNOrigin"]
    (finding,) = found["NaNOrigin"]
    # The fifth step in a row that the scaler leaves out. Its pass is run again.
    assert finding["step"] == FIRST_BAD + 4
    assert "in length (Length)" in finding["message"], finding


@pytest.mark.parametrize("device", ON[1:])
def test_gradients_that_stay_nan_are_found_where_the_optimizer_skips(
    tmp_path: Path, device: str
) -> None:
    found = train(tmp_path, device, "fused", "gradient")
    assert list(found) == ["NaNOrigin"]
    # Whether a step was left out is read when it has arrived.
    assert FIRST_BAD + 4 <= found["NaNOrigin"][0]["step"] < FIRST_BAD + 40


@pytest.mark.parametrize("device", ON)
def test_a_loss_that_is_nan_is_found_at_once(tmp_path: Path, device: str) -> None:
    (finding,) = train(tmp_path, device, "loss")["NaNOrigin"]
    assert finding["step"] == FIRST_BAD
