"""What a reader says about a run, in a form that two readers can be compared in.

dump_run and read_with_original.py write it as JSON; expected() makes it from the data of runs.py.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import runs

MODES = ("TRAIN", "EVAL", "PREDICT", "GLOBAL")


@dataclass(frozen=True)
class Value:
    """Bit by bit, so that -0 is not 0 and NaN is NaN."""

    dtype: str
    shape: tuple[int, ...]
    data: str = ""  # Hexadecimal, C order, little-endian.
    strings: tuple[str, ...] = ()

    @staticmethod
    def of(array: np.ndarray) -> Value:
        dtype = runs.dtype_of(array)
        if dtype == "str":
            return Value(dtype, array.shape, strings=tuple(array.tolist()))
        return Value(dtype, array.shape, array.tobytes().hex())

    @staticmethod
    def from_json(value: dict) -> Value:
        return Value(value["dtype"], tuple(value["shape"]), value["data"], tuple(value["strings"]))

    def to_json(self) -> dict:
        return {
            "dtype": self.dtype,
            "shape": list(self.shape),
            "data": self.data,
            "strings": list(self.strings),
        }

    def number(self) -> float:
        return float(np.frombuffer(bytes.fromhex(self.data), self.dtype).item())


@dataclass
class Entry:
    """A tensor at a step of a worker."""

    mode: str
    mode_step: int
    value: Value | None = None
    shape: tuple[int, ...] | None = None
    reductions: dict[str, Value] = field(default_factory=dict)
    error: str = ""  # Why there is no value, where there should be one.


@dataclass
class Snapshot:
    workers: list[str]
    num_workers: int
    steps: dict[str, list[int]]
    tensor_steps: dict[str, dict[str, list[int]]]
    collections: dict[str, list[str]]
    entries: dict[tuple[str, int, str], Entry]


def _steps_by_mode(steps: list[runs.Step]) -> dict[str, list[int]]:
    found = {mode: {s.mode_step for s in steps if s.mode == mode} for mode in MODES}
    # With the global mode, every step counts.
    found["GLOBAL"] = {s.step for s in steps}
    return {mode: sorted(numbers) for mode, numbers in found.items()}


def expected(run: runs.Run) -> Snapshot:
    entries: dict[tuple[str, int, str], Entry] = {}
    steps_of: dict[str, list[runs.Step]] = {}

    def entry(name: str, step: runs.Step) -> Entry:
        steps_of.setdefault(name, []).append(step)
        return entries.setdefault((name, step.step, step.worker), Entry(step.mode, step.mode_step))

    for step in run.steps:
        for name, shape in step.shapes:
            entry(name, step).shape = shape
        for name, array in step.records:
            if name.startswith("smdebug/reductions/"):
                reduction, tensor = name.removeprefix("smdebug/reductions/").split("/", 1)
                entry(tensor, step).reductions[reduction] = Value.of(array)
            else:
                place = entry(name, step)
                place.value = Value.of(array)
                place.shape = place.value.shape
    return Snapshot(
        workers=sorted(run.workers),
        num_workers=len(run.workers),
        steps=_steps_by_mode(run.steps),
        tensor_steps={name: _steps_by_mode(steps) for name, steps in steps_of.items()},
        collections={c.name: sorted(c.tensor_names) for c in run.collections},
        entries=entries,
    )


def load(path: Path) -> Snapshot:
    text = json.loads(path.read_text(encoding="utf-8"))
    entries = {}
    for e in text["entries"]:
        entries[e["name"], e["step"], e["worker"]] = Entry(
            mode=e["mode"],
            mode_step=e["mode_step"],
            value=None if e["value"] is None else Value.from_json(e["value"]),
            shape=None if e["shape"] is None else tuple(e["shape"]),
            reductions={name: Value.from_json(v) for name, v in e["reductions"].items()},
            error=e["error"],
        )
    return Snapshot(
        text["workers"],
        text["num_workers"],
        text["steps"],
        text["tensor_steps"],
        text["collections"],
        entries,
    )


def check_reductions(seen: Entry, wanted: Entry, where: object) -> None:
    """The same reductions in the same type, equal but for the last digits of a computation."""
    assert seen.reductions.keys() == wanted.reductions.keys(), where
    for name, value in wanted.reductions.items():
        found = seen.reductions[name]
        assert (found.dtype, found.shape) == (value.dtype, value.shape), (where, name)
        tolerance = 1e-6 if value.dtype == "float32" else 1e-12
        np.testing.assert_allclose(
            found.number(), value.number(), rtol=tolerance, err_msg=f"{where} {name}"
        )


def check_outline(seen: Snapshot, wanted: Snapshot) -> None:
    """Everything but values and collections."""
    assert sorted(seen.workers) == wanted.workers
    assert seen.num_workers == wanted.num_workers
    assert seen.steps == wanted.steps
    assert seen.tensor_steps == wanted.tensor_steps
    assert seen.entries.keys() == wanted.entries.keys()
