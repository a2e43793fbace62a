"""Trainings with a `GradScaler`: its search for a scale is silent, but not NaN that stays."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

import pytest
from planted_test import SCRIPTS, WARDEN

FIRST_BAD = 60


def train(folder: Path, fault: str) -> Dict[str, List[dict]]:
    """What the default rules find in a training, by rule."""
    done = subprocess.run(
        [
            *(WARDEN, "run", "--out", "run", "--events", "events.jsonl", "--"),
            *(sys.executable, str(SCRIPTS / "loss_scaler.py"), fault),
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


@pytest.mark.parametrize("kind", ["healthy", "fused"])
def test_a_scaler_that_looks_for_its_scale_is_no_problem(tmp_path: Path, kind: str) -> None:
    assert train(tmp_path, kind) == {}


def test_gradients_that_stay_nan_are_found(tmp_path: Path) -> None:
    found = train(tmp_path, "gradient")
    assert list(found) == ["NaNOrigin"]
    (finding,) = found["NaNOrigin"]
    # The fifth step in a row that the scaler leaves out. Its pass is run again.
    assert finding["step"] == FIRST_BAD + 4
    assert "in length (Length)" in finding["message"], finding


def test_a_loss_that_is_nan_is_found_at_once(tmp_path: Path) -> None:
    (finding,) = train(tmp_path, "loss")["NaNOrigin"]
    assert finding["step"] == FIRST_BAD
