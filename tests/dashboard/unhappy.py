"""Two runs that went wrong: one whose loss became NaN, and one that crashed."""

import json
import subprocess
from pathlib import Path

import numpy as np
from serving import PATIENCE, PYTHON, WARDEN

from tensorwarden.base.modes import ModeKeys
from tensorwarden.files.file_writer import FileWriter

# Its loss is NaN from a step on; every tenth step evaluates.
DIVERGED = "diverged"
FIRST_NAN = 61
STEPS = 120
START = 1767268800.0
# What a hook saves for rules.
EPOCH = 50
OBSERVED = ["training/learning_rate", "training/dead_inputs/a", "training/dead_inputs/b"]
COUNTS = ["training/optimizer_step", "training/epoch"]
LOG_LINES = 6000  # More than a page of the dashboard has at once.
CRASHED = "crashed"
CRASH = "print('step 1: loss 0.5'); print('WARNING: slow disk')\nraise ValueError('bad batch size')"


def write_runs(folder: Path) -> None:
    folder.mkdir(parents=True)
    write_diverged_run(folder / DIVERGED)
    write_long_log(folder / DIVERGED)
    crash(folder / CRASHED)


def write_diverged_run(folder: Path) -> None:
    """A loss that is NaN from a step on, with evaluations in between, and scalars of the script."""
    counts = {ModeKeys.TRAIN: 0, ModeKeys.EVAL: 0}
    for step in range(STEPS):
        mode = ModeKeys.EVAL if step % 10 == 9 else ModeKeys.TRAIN
        values = {"loss": np.nan if step >= FIRST_NAN else 2 / (1 + step)}
        if mode == ModeKeys.TRAIN:
            values.update({"scalar/accuracy": step / 200, "scalar/optim/lr": 0.1 / (1 + step)})
            values.update({name: 0.1 * step for name in OBSERVED})
            values["training/optimizer_step"] = counts[mode] + 1
            values["training/epoch"] = 1 + step // EPOCH
        with FileWriter(str(folder), "worker_0", step=step, mode=mode) as writer:
            for name, value in values.items():
                writer.write_tensor(
                    np.full(1, value, np.float32),
                    name,
                    mode=mode,
                    mode_step=counts[mode],
                    timestamp=START + step,
                )
        counts[mode] += 1
    manifest = folder / "collections/000000000/worker_0_collections.json"
    manifest.parent.mkdir(parents=True)
    collections = {
        name: {"name": name, "include_regex": [], "tensor_names": names}
        for name, names in (("losses", ["loss"]), ("training", [*OBSERVED, *COUNTS]))
    }
    manifest.write_text(json.dumps({"collections": collections, "_meta": {"num_workers": 1}}))
    (folder / "training_job_end.ts").touch()
    rules = "ExplodingTensor,LossNotDecreasing,VanishingGradient,TreeDepth"
    command = [WARDEN, "eval", str(folder), "--rules", rules, "--record"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 3, done.stdout + done.stderr


def crash(folder: Path) -> None:
    command = [WARDEN, "run", "--no-report", "--out", folder, "--", PYTHON, "-c", CRASH]
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=PATIENCE)
    assert done.returncode == 1, done.stderr


def write_long_log(folder: Path) -> None:
    """Gives a run a log with ten lines for each step."""
    lines = [f"{round(1000 * START) + 100 * i} batch {i}\n" for i in range(LOG_LINES)]
    log = folder / "warden/log/log.00000000000000000000"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("".join(lines))
