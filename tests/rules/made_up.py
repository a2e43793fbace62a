"""A made-up run as data, and how it is put on disk.

The reference evaluates the data and the program the files, so neither can lean on the other's
reading.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tensorwarden.files.file_writer import FileWriter
from tensorwarden.modes import ModeKeys

COLLECTIONS = {
    "weights": r"^(?!gradient).*\.weight$",
    "biases": r"\.bias$",
    "gradients": "^gradient/",
    "losses": "[Ll]oss_output",
    "labels": "^labels",
    "predictions": "^predictions",
    "trees": "^trees/",
    "plain": "^plain/",
}


@dataclass
class Saved:
    """What is known of a tensor at a step: values, reductions, both, or only that it was there."""

    raw: np.ndarray | None = None
    reductions: dict[str, float] = field(default_factory=dict)


@dataclass
class Step:
    step: int
    mode: str
    mode_step: int
    workers: dict[str, dict[str, Saved]]

    @property
    def trains(self) -> bool:
        return self.mode in ("TRAIN", "GLOBAL")


@dataclass
class Run:
    steps: list[Step]
    roles: dict[str, list[str]] = field(default_factory=dict)

    @property
    def workers(self) -> list[str]:
        return sorted({worker for step in self.steps for worker in step.workers})

    def select(
        self, step: Step, *, collections=(), patterns=(), roles=(), everything=False
    ) -> Iterator[tuple[str, str, Saved]]:
        """Name, worker and content of the tensors that were asked for, in the order of findings."""
        searched = [*patterns, *(COLLECTIONS[name] for name in collections)]
        begins = tuple(begin for role in roles for begin in self.roles.get(role, ()))
        found = [
            (name, worker, saved)
            for worker, tensors in step.workers.items()
            for name, saved in tensors.items()
            if everything or any(re.search(p, name) for p in searched) or name.startswith(begins)
        ]
        return iter(sorted(found, key=lambda one: one[:2]))


def reduce(array: np.ndarray, name: str) -> float:
    """A reduction as torch defines it and the hook keeps it: one float, of a sample where it is a
    deviation, NaN if there is one."""
    x = array.astype(np.float64).ravel()
    op = name.removeprefix("abs_")
    if op != name:
        x = np.abs(x)
    with np.errstate(all="ignore"):
        value = {
            "min": np.min,
            "max": np.max,
            "mean": np.mean,
            "sum": np.sum,
            "std": lambda v: np.std(v, ddof=1) if v.size > 1 else np.nan,
            "variance": lambda v: np.var(v, ddof=1) if v.size > 1 else np.nan,
            "l2": lambda v: np.sqrt(np.sum(v * v)),
        }[op](x)
        return float(np.float32(value)) if array.dtype.itemsize <= 4 else float(value)


def write(run: Run, folder: Path) -> None:
    """All files of a run that has ended."""
    for step in run.steps:
        for worker, tensors in step.workers.items():
            _write_step(folder, step, worker, tensors)
    manifests = folder / "collections" / "000000000"
    manifests.mkdir(parents=True)
    collections = {
        name: {"name": name, "include_regex": [pattern], "tensor_names": []}
        for name, pattern in COLLECTIONS.items()
    }
    meta = {"num_workers": len(run.workers), "roles": run.roles}
    for worker in run.workers:
        text = json.dumps({"collections": collections, "_meta": meta})
        (manifests / f"{worker}_collections.json").write_text(text)
    (folder / "training_job_end.ts").touch()


def _write_step(folder: Path, step: Step, worker: str, tensors: dict[str, Saved]) -> None:
    at = {"mode": ModeKeys[step.mode], "mode_step": step.mode_step}
    with FileWriter(str(folder), worker, step=step.step) as writer:
        for name, saved in tensors.items():
            if saved.raw is not None:
                writer.write_tensor(saved.raw, name, **at)
            for reduction, value in saved.reductions.items():
                exact = np.array(value, np.float64)
                writer.write_tensor(exact, f"smdebug/reductions/{reduction}/{name}", **at)
            if saved.raw is None and not saved.reductions:
                writer.write_shape(name, (2, 3), **at)
