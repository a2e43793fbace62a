"""Rules that compare a tensor with itself: at earlier steps, on other workers, in another run."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import groupby

import numpy as np
from made_up import Run, Saved
from reference_statistics import Evaluated, is_real
from reference_tensors import selection

REDUCTIONS = ("min", "max", "mean", "std", "variance", "sum", "l2", "abs_max", "abs_mean")


def weight_update_ratio(run: Run, p: dict):
    trained = set()  # Weights of which a gradient was seen so far.
    past = defaultdict(list)
    for step in run.steps:
        gradients = run.select(step, collections=["gradients"])
        trained |= {name.removeprefix("gradient/") for name, _, _ in gradients}
        for name, worker, saved in run.select(step, collections=["weights"]):
            frozen = trained and name not in trained and not p.get("compat_frozen", False)
            if not step.trains or frozen or not is_real(saved):
                continue
            earlier = past[name, worker, step.mode]
            ratio = _update_ratio(step, saved.raw, earlier, p)
            earlier.append((step.mode_step, saved.raw))
            if ratio is not None:
                low, high = p.get("small_threshold", 1e-8), p.get("large_threshold", 10.0)
                fired = ratio > high or ratio < low
                yield Evaluated(step.step, step.mode, name, worker, fired, ratio)


def _update_ratio(step, array, earlier, p) -> float | None:
    if "num_steps" in p:
        before = next((a for s, a in earlier if s >= step.mode_step - p["num_steps"]), None)
    else:
        before = earlier[-1][1] if earlier else None
    if before is None or before.shape != array.shape:
        return None
    now, before = array.astype(np.longdouble), before.astype(np.longdouble)
    both = np.isfinite(now) & np.isfinite(before)
    size = float(np.sqrt(np.sum(before[both] ** 2)))
    if not both.any() or (size == 0 and not p.get("compat_zero", False)):
        return None
    change = float(np.sqrt(np.sum((now[both] - before[both]) ** 2)))
    return change / (size + p.get("epsilon", 1e-9))


def unchanged_tensor(run: Run, p: dict):
    past = defaultdict(list)
    count = p.get("num_steps", 3)
    for step in run.steps:
        for name, worker, saved in run.select(step, **selection(p)):
            if not step.trains or not is_real(saved):
                continue
            earlier = past[name, worker, step.mode]
            earlier.append(saved.raw.astype(np.float64))
            if len(earlier) < count:
                continue
            tolerance = p.get("rtol", 1e-5), p.get("atol", 1e-8), p.get("equal_nan", False)
            fired = all(_close(old, earlier[-1], *tolerance) for old in earlier[-count:-1])
            yield Evaluated(step.step, step.mode, name, worker, fired)


def _close(a: np.ndarray, b: np.ndarray, rtol: float, atol: float, equal_nan: bool) -> bool:
    return a.shape == b.shape and bool(np.all(np.isclose(a, b, rtol, atol, equal_nan)))


def _difference(a: Saved, b: Saved, rtol: float = 1e-5, atol: float = 1e-8) -> float | None:
    """0 where they are alike, else the largest distance; None if nothing can be compared."""
    if a.raw is not None and b.raw is not None:
        if not is_real(a) or not is_real(b):
            return None
        if a.raw.shape != b.raw.shape:
            return math.inf
        x, y = a.raw.astype(np.float64), b.raw.astype(np.float64)
        apart = ~np.isclose(x, y, rtol, atol, equal_nan=True)
        with np.errstate(invalid="ignore"):
            distances = np.abs(x - y)[apart]
        return float(np.where(np.isfinite(distances), distances, np.inf).max(initial=0))
    common = [name for name in REDUCTIONS if name in a.reductions and name in b.reductions]
    for name in common:  # The first that differs is told.
        x, y = a.reductions[name], b.reductions[name]
        if not np.isclose(x, y, rtol, atol, equal_nan=True):
            return abs(x - y) if math.isfinite(x - y) else math.inf
    return 0.0 if common else None


def similar_across_runs(run: Run, p: dict):
    others = {(s.mode, s.mode_step): s.workers for s in p["other"].steps}
    for step in run.steps:
        workers = others.get((step.mode, step.mode_step), {})
        for name, worker, saved in run.select(step, **selection(p, everything=True)):
            theirs = workers.get(worker, {}).get(name)
            value = None if theirs is None else _difference(saved, theirs)
            if value is not None:
                yield Evaluated(step.step, step.mode, name, worker, value != 0, value)


def _first_is_odd(replicas: list, tolerance: tuple) -> bool:
    if len(replicas) < 3:
        return False
    first, second, third = replicas[:3]
    apart = [bool(_difference(*two, *tolerance)) for two in [(second, first), (third, first)]]
    return all(apart) and not _difference(third, second, *tolerance)


def replica_desync(run: Run, p: dict):
    """Against the first worker that has the tensor; the one furthest from it is named.

    Where the next two agree with each other and not with the first, against the second.
    """
    tolerance = p.get("rtol", 1e-5), p.get("atol", 1e-8)
    for step in run.steps:
        chosen = run.select(step, **selection(p, collections=["weights", "biases"]))
        for name, group in groupby(chosen, key=lambda one: one[0]):
            replicas = list(group)
            first_is_odd = _first_is_odd([saved for _, _, saved in replicas], tolerance)
            _, first, base = replicas.pop(1 if first_is_odd else 0)
            found = {worker: _difference(saved, base, *tolerance) for _, worker, saved in replicas}
            found = {worker: value for worker, value in found.items() if value is not None}
            for worker in [first] * bool(found) + [w for w, value in found.items() if value == 0]:
                yield Evaluated(step.step, step.mode, name, worker, False)
            differing = {worker: value for worker, value in found.items() if value != 0}
            if differing:
                worst = max(differing, key=differing.get)
                yield Evaluated(step.step, step.mode, name, worst, True, differing[worst])
