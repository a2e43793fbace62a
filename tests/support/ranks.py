"""Trainings of several processes under `warden run`."""

import os
import subprocess
import sys
from pathlib import Path

from support.rank_training import __file__ as SCRIPT

WARDEN = str(Path(os.environ.get("WARDEN", "build/bin/warden")).absolute())


def train_ranks(out: Path, size: int, *faults: str) -> None:
    """Trains with so many ranks; faults are those of rank_training.py."""
    options = ["--workers", "all", "--save-interval", "1", "--out", str(out), "--no-report"]
    command = [WARDEN, "run", *options, "--", sys.executable, SCRIPT, str(size), *faults]
    environment = {key: value for key, value in os.environ.items() if key != "RANK"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
