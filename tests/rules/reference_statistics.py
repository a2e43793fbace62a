"""Statistics of one tensor, from its values or from saved reductions, as the rules share them.

Sums are exact (math.fsum), so that a difference at a threshold is never the reference's rounding.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from made_up import Saved


class Evaluated(NamedTuple):
    """What a rule says of a tensor at a step; value is None where the contract defines none."""

    step: int
    mode: str
    tensor: str
    worker: str
    fired: bool
    value: float | None = None


def is_real(saved: Saved) -> bool:
    return saved.raw is not None and saved.raw.dtype.kind in "fiub" and saved.raw.size > 0


def finite(saved: Saved) -> np.ndarray | None:
    """The finite values in full precision; None if there is none."""
    if not is_real(saved):
        return None
    values = saved.raw.astype(np.float64)
    values = values[np.isfinite(values)]
    return values if values.size else None


def reduction(saved: Saved, name: str) -> float | None:
    """A saved reduction that nothing non-finite has spoilt."""
    value = saved.reductions.get(name)
    return value if value is not None and math.isfinite(value) else None


def largest_magnitude(saved: Saved) -> float | None:
    if (known := reduction(saved, "abs_max")) is not None:
        return known
    low, high = reduction(saved, "min"), reduction(saved, "max")
    return None if low is None or high is None else max(abs(low), abs(high))


def mean(saved: Saved) -> float | None:
    values = finite(saved)
    return reduction(saved, "mean") if values is None else math.fsum(values) / values.size


def mean_magnitude(saved: Saved) -> float | None:
    if (known := reduction(saved, "abs_mean")) is not None:
        return known
    values = finite(saved)
    if values is not None:
        return math.fsum(np.abs(values)) / values.size
    average, low, high = (reduction(saved, name) for name in ("mean", "min", "max"))
    one_sign = (low is not None and low >= 0) or (high is not None and high <= 0)
    if average is not None and one_sign:
        return abs(average)
    return 0.0 if largest_magnitude(saved) == 0 else None


def variance(saved: Saved) -> float | None:
    """Of the population; a saved one is of a sample and used as it is."""
    values = finite(saved)
    if values is not None:
        if np.all(values == values[0]):
            return 0.0
        centre = math.fsum(values) / values.size
        return math.fsum((values - centre) ** 2) / values.size
    if (known := reduction(saved, "variance")) is not None:
        return known
    if (known := reduction(saved, "std")) is not None:
        return known * known
    low = reduction(saved, "min")
    return 0.0 if low is not None and low == reduction(saved, "max") else None


def norm(saved: Saved) -> float | None:
    if (known := reduction(saved, "l2")) is not None:
        return known
    values = finite(saved)
    if values is not None:
        return math.sqrt(math.fsum(values * values))
    return 0.0 if largest_magnitude(saved) == 0 else None


def percent_zero(saved: Saved) -> float | None:
    values = finite(saved)
    if values is not None:
        return 100.0 * np.count_nonzero(values == 0) / values.size
    if largest_magnitude(saved) == 0:
        return 100.0
    low, high = reduction(saved, "min"), reduction(saved, "max")
    above = (low is not None and low > 0) or (reduction(saved, "abs_min") or 0) > 0
    return 0.0 if above or (high is not None and high < 0) else None


class NonFinite(NamedTuple):
    nan: int
    inf: int
    counted: bool  # Else only that there is some is known.


EXTREMES = ("min", "max", "abs_min", "abs_max")
TOTALS = ("mean", "sum", "abs_mean", "l2")


def non_finite(saved: Saved) -> NonFinite | None:
    """None if nothing that was saved tells."""
    if is_real(saved):
        values = saved.raw.astype(np.float64)
        return NonFinite(int(np.isnan(values).sum()), int(np.isinf(values).sum()), True)
    extremes = {name: saved.reductions[name] for name in EXTREMES if name in saved.reductions}
    nan = any(math.isnan(value) for value in extremes.values())
    inf = any(math.isinf(value) for value in extremes.values())
    if nan or inf or {"min", "max"} <= extremes.keys() or "abs_max" in extremes:
        return NonFinite(int(nan), int(inf), False)
    totals = [saved.reductions[name] for name in TOTALS if name in saved.reductions]
    if not totals:
        return None
    return NonFinite(0, int(not all(map(math.isfinite, totals))), False)


def units(saved: Saved) -> np.ndarray | None:
    """One row of values for each unit of an activation: axis 1, of rank 1 axis 0."""
    if finite(saved) is None:
        return None
    values = saved.raw.astype(np.float64)
    if values.ndim < 2:
        return values.reshape(-1, 1)
    return np.moveaxis(values, 1, 0).reshape(values.shape[1], -1)


def percent_inside(unit: np.ndarray, low: float, high: float) -> float | None:
    """How much of the finite values lies strictly between; None if none is finite."""
    known = unit[np.isfinite(unit)]
    if known.size == 0:
        return None
    return 100.0 * np.count_nonzero((known > low) & (known < high)) / known.size
