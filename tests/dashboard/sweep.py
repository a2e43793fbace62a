"""Runs of a sweep: the same training with several learning rates, optimizers and seeds."""

import json
import os
import time
from pathlib import Path

import numpy as np

from tensorwarden.files.file_writer import FileWriter

# Name: learning rate, optimizer, seed, last loss. The smallest loss is half of it.
RUNS = {
    "slow-1": ("0.001", "sgd", 1, 0.8),
    "slow-2": ("0.001", "sgd", 2, 0.6),
    "fast-1": ("0.1", "adam", 1, 0.2),
    "fast-2": ("0.1", "adam", 2, 0.4),
    "middle": ("0.01", "adam", 1, 0.5),
}
BEGAN = 1767268800


def write_sweep(folder: Path) -> None:
    for number, (name, facts) in enumerate(RUNS.items()):
        write_run(folder / name, number, *facts)


def write_run(folder: Path, number: int, rate: str, optimizer: str, seed: int, loss: float):
    for step, value in enumerate([2 * loss, loss / 2, loss]):
        with FileWriter(str(folder), "worker_0", step=step) as writer:
            writer.write_tensor(np.full(1, value, np.float64), "scalar/loss", mode_step=step)
    options = ["--lr", rate, "--optimizer", optimizer, "--seed", str(seed)]
    began = BEGAN + 100 * number
    facts = {"started": began, "ended": began + 60, "exit_code": 0}
    record = folder / "warden/run.json"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({"command": ["python", "train.py", *options], **facts}))
    (folder / "training_job_end.ts").touch()
    # Only runs that nobody writes to can be deleted.
    old = time.time() - 3600
    for path in [*folder.rglob("*"), folder]:
        os.utime(path, (old, old))
