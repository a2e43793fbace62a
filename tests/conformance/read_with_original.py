"""Says what the original library sees in a run.

read_with_original.py RUN OUT.json [STEPS], by an interpreter that has smdebug. STEPS: values of so
many steps only, where reading takes long.
"""

import contextlib
import json
import sys
from pathlib import Path

import numpy as np
import snapshot

from smdebug.core.modes import ModeKeys
from smdebug.exceptions import ShapeUnavailableForStep, TensorUnavailableForStep
from smdebug.trials import create_trial


def read_entry(trial, name: str, step: int, worker: str) -> dict:
    tensor = trial.tensor(name)
    mode, mode_step = trial.mode_modestep(step)
    value, shape, error = None, None, ""
    try:
        value = snapshot.Value.of(np.asarray(tensor.value(step, worker=worker))).to_json()
    except TensorUnavailableForStep:
        pass
    except Exception as e:
        error = type(e).__name__
    with contextlib.suppress(ShapeUnavailableForStep):
        shape = [] if error else list(tensor.shape(step, worker=worker))
    reductions = {
        ("abs_" if absolute else "") + op: snapshot.Value.of(np.asarray(number)).to_json()
        for (op, absolute), number in tensor.reduction_values(step, worker=worker).items()
    }
    return {
        "name": name,
        "step": step,
        "worker": worker,
        "mode": mode.name,
        "mode_step": mode_step,
        "value": value,
        "shape": shape,
        "reductions": reductions,
        "error": error,
    }


def read(run: str, steps: float) -> dict:
    trial = create_trial(run)
    names = trial.tensor_names()
    modes = {mode: ModeKeys[mode] for mode in snapshot.MODES}
    return {
        "workers": sorted(trial.workers()),
        "num_workers": trial.num_workers,
        "steps": {name: trial.steps(mode=mode) for name, mode in modes.items()},
        "tensor_steps": {
            n: {name: trial.tensor(n).steps(mode=mode) for name, mode in modes.items()}
            for n in names
        },
        "collections": {n: sorted(c.tensor_names) for n, c in trial.collections().items()},
        "entries": [
            read_entry(trial, name, step, worker)
            for name in names
            for step in trial.tensor(name).steps()
            if step < steps
            for worker in trial.tensor(name).workers(step)
        ],
    }


def main(run: str, out: str, steps: str = "inf") -> None:
    Path(out).write_text(json.dumps(read(run, float(steps))), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
