"""Runs of a few steps, written down by hand, and the comparison of both evaluations on them."""

from __future__ import annotations

import numpy as np
from made_up import Run, Saved, Step, write
from program import evaluate
from reference import expected_report


def run_of(*steps, mode="TRAIN", workers=("worker_0",)) -> Run:
    """Steps as dictionaries of arrays, the same for all workers, or a dictionary by worker; a pair
    has a mode of its own first."""
    made, counts = [], {}
    for number, step in enumerate(steps):
        its_mode, tensors = step if isinstance(step, tuple) else (mode, step)
        if not set(tensors) <= {"worker_0", "worker_1"}:
            tensors = dict.fromkeys(workers, tensors)
        content = {
            worker: {
                name: x if isinstance(x, Saved) else Saved(np.array(x)) for name, x in of.items()
            }
            for worker, of in tensors.items()
        }
        mode_step = number if its_mode == "GLOBAL" else counts.get(its_mode, 0)
        counts[its_mode] = mode_step + 1
        made.append(Step(number, its_mode, mode_step, content))
    return Run(made)


def compare(tmp_path, rule: str, run: Run, **parameters) -> None:
    write(run, tmp_path / "run")
    ours = evaluate(tmp_path / "run", {rule: parameters})[rule]
    expected = expected_report(rule, run, parameters)
    keys = ("step", "tensor", "worker", "mode", "last_step", "count")
    found = [tuple(finding[key] for key in keys) for finding in ours["findings"]]
    assert (ours["status"], found) == (expected.status, [f[:6] for f in expected.findings])
