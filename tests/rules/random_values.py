"""Where the values of made-up tensors come from: each source gives one array after the other.

Numbers are binary fractions wherever a rule compares with >= or sums up, so that statistics lie
exactly on thresholds now and then and no rounding decides on which side.
"""

from __future__ import annotations

import numpy as np

Random = np.random.Generator
FLOATS = ("float16", "float32", "float64")
SHAPES = ((), (1,), (8,), (0,), (5,), (4, 3), (2, 0, 3), (2, 3, 2), (2, 4, 2, 2), (64,))


def choose(rng: Random, options):
    """One of them, of its own type."""
    return options[int(rng.integers(len(options)))]


def chance(rng: Random, p: float) -> bool:
    return bool(rng.random() < p)


class Plain:
    """Changes its habit now and then: noise, the same again, constant, zero, tiny, on an edge."""

    HABITS = ("noise", "noise", "again", "constant", "zero", "tiny", "half", "sparse")

    def __init__(self, rng: Random, shapes=SHAPES, dtypes=(*FLOATS, "int32", "uint8")):
        self.rng, self.shape, self.dtype = rng, choose(rng, shapes), choose(rng, dtypes)
        self.habit, self.last = choose(rng, self.HABITS), None

    def __call__(self) -> np.ndarray:
        if chance(self.rng, 0.15):
            self.habit = choose(self.rng, self.HABITS)
        if self.habit != "again" or self.last is None:
            self.last = np.asarray(self._values()).astype(self.dtype)
        return self.last.copy()

    def _values(self) -> np.ndarray:
        rng, shape = self.rng, self.shape
        if self.habit == "constant":
            return np.full(shape, choose(rng, (1, 2**-20, 2**-10, 0.5, 2)))
        if self.habit == "zero":
            return np.zeros(shape)
        if self.habit == "tiny":
            return rng.normal(size=shape) * 10.0 ** rng.integers(-9, -2)
        if self.habit == "half":  # Half of it zero and half 1, or 1 and -1.
            pattern = np.resize(choose(rng, ((0, 1), (1, -1))), shape)
            return pattern * choose(rng, (0.5, 1, 2))
        noise = rng.normal(size=shape) * choose(rng, (0.25, 1, 4))
        return noise * (rng.random(shape) < 0.4) if self.habit == "sparse" else np.abs(noise * 8)


class Weight:
    """Takes updates of very different size, none included; rows may begin alike."""

    def __init__(self, rng: Random, shape: tuple[int, ...], dtype: str):
        self.rng, self.dtype = rng, dtype
        self.value = rng.normal(size=shape) * (1 if dtype != "int32" else 20)
        if chance(rng, 0.3) and len(shape) > 1:
            self.value[:] = self.value[0]
        if chance(rng, 0.15):
            self.value = np.zeros(shape)

    def __call__(self) -> np.ndarray:
        scale = choose(self.rng, (0, 1e-9, 1e-3, 1e-2, 0.5, 30))
        self.value = self.value + scale * self.rng.normal(size=np.shape(self.value))
        if chance(self.rng, 0.04):
            self.value = np.zeros_like(self.value)
        # No negative zero: whether rows that differ in that alone are equal is a case of its own.
        return np.asarray(np.asarray(self.value).astype(self.dtype) + 0).astype(self.dtype)


class Loss:
    """Walks in 64ths: falls, stays, rises, jumps, is zero."""

    def __init__(self, rng: Random):
        self.rng, self.level, self.trend = rng, 640, -8
        self.shape, self.dtype = choose(rng, ((), (1,), (2,))), choose(rng, ("float32", "float64"))

    def __call__(self) -> np.ndarray:
        if chance(self.rng, 0.1):
            self.trend = choose(self.rng, (-16, -4, -1, 0, 0, 2, 12))
        wobble = self.rng.integers(-2, 3) if chance(self.rng, 0.5) else 0
        self.level = max(self.level + self.trend + int(wobble), -64)
        jump = choose(self.rng, (3, 8, 50)) if chance(self.rng, 0.06) else 1
        now = 0 if chance(self.rng, 0.03) else self.level * jump
        return np.full(self.shape, now / 64, self.dtype)


class Units:
    """Activations some units of which lie beyond a limit, for good or now and then."""

    def __init__(self, rng: Random, low: float, high: float):
        self.rng, self.low, self.high = rng, low, high
        self.shape = choose(rng, ((), (6,), (8, 6), (3, 4, 5), (2, 4, 3, 3), (20, 70)))
        self.dtype = choose(rng, FLOATS)
        self.share = choose(rng, (0, 0.5, 0.5, 1))

    def __call__(self) -> np.ndarray:
        if chance(self.rng, 0.1):
            self.share = choose(self.rng, (0, 0.5, 1))
        values = np.asarray(self.rng.normal(size=self.shape) * 4)
        axis = 1 if values.ndim > 1 else 0
        count = values.shape[axis] if values.ndim else 1
        beyond = np.arange(count) < round(self.share * count)
        if chance(self.rng, 0.3):
            beyond ^= self.rng.random(count) < 0.2
        limit = choose(self.rng, (self.low, self.high))
        values = np.moveaxis(np.atleast_1d(values), axis if values.ndim else 0, 0)
        values[beyond] = limit if np.isfinite(limit) else self.low
        return np.moveaxis(values, 0, axis).reshape(self.shape).astype(self.dtype)


class Classes:
    """Labels with the predictions for them: ids, rows of scores, one-hot, or a binary score."""

    def __init__(self, rng: Random):
        self.rng = rng
        self.form = choose(rng, ("ids", "rows", "one-hot", "scores"))
        self.classes = 2 if self.form == "scores" else int(rng.integers(2, 6))
        self.skew, self.right = choose(rng, (1, 1, 6)), choose(rng, (0.2, 0.7, 0.95, 1))
        self.dtype = choose(rng, ("int64", "int32", "float32"))

    def __call__(self) -> tuple[np.ndarray, np.ndarray]:
        rng, count = self.rng, int(self.rng.integers(4, 30))
        odds = np.array([self.skew, *[1] * (self.classes - 1)]) / (self.skew + self.classes - 1)
        labels = rng.choice(self.classes, count, p=odds)
        wrong = rng.random(count) > self.right
        ids = np.where(wrong, rng.integers(0, self.classes, count), labels)
        if self.form == "ids":
            return labels.astype(self.dtype), ids.astype(choose(rng, ("int64", "float32")))
        if self.form == "scores":
            scores = np.where(ids == 1, 0.6, 0.1) + rng.random(count) * 0.3
            return labels.astype(self.dtype), scores.astype("float32")
        rows = rng.random((count, self.classes)) + 2 * np.eye(self.classes)[ids]
        if self.form == "one-hot":
            return np.eye(self.classes, dtype=self.dtype)[labels], rows.astype("float32")
        return labels.astype(self.dtype), rows.astype("float32")


class Images:
    """Batches whose mean drifts."""

    def __init__(self, rng: Random):
        self.rng, self.shape = rng, choose(rng, ((3, 2, 2), (1, 4, 4), (2, 3), ()))
        self.shift, self.dtype = choose(rng, (0, 0.25, 1)), choose(rng, ("float32", "float16"))

    def __call__(self) -> np.ndarray:
        shape = (int(self.rng.integers(1, 9)), *self.shape)
        return (self.rng.normal(size=shape) * 0.5 + self.shift).astype(self.dtype)


def tokens(rng: Random) -> np.ndarray:
    """Sequences with more or less padding."""
    ids = rng.integers(0, 5, (4, 5))
    ids[rng.random((4, 5)) < choose(rng, (0, 0.3, 0.6, 1))] = 0
    return ids.astype(choose(rng, ("int32", "int64", "float32", "uint8")))


def tree(rng: Random, number: int) -> dict[str, np.ndarray]:
    """The table of a tree's nodes, numbered as they were made."""
    links: list[tuple[str, str]] = [("nan", "nan")]
    leaves = [0]
    for _ in range(int(rng.integers(0, 12))):
        split = leaves.pop(-1 if chance(rng, 0.6) else 0)
        made = [len(links), len(links) + 1]
        links[split] = (f"{number}-{made[0]}", f"{number}-{made[1]}")
        links += [("nan", "nan")] * 2
        leaves += made
    ids = [f"{number}-{node}" for node in range(len(links))]
    yes, no = zip(*links, strict=True)
    return {"ID": np.array(ids), "Yes": np.array(yes), "No": np.array(no)}


def spoil(rng: Random, array: np.ndarray) -> np.ndarray:
    """With NaN or infinities in some places, or in all."""
    if array.dtype.kind != "f" or array.size == 0:
        return array
    flat = array.copy().reshape(-1)
    count = flat.size if chance(rng, 0.15) else int(rng.integers(1, 4))
    flat[rng.integers(0, flat.size, count) if count < flat.size else slice(None)] = choose(
        rng, (np.nan, np.nan, np.inf, -np.inf)
    )
    return flat.reshape(array.shape)
