"""Decides at which steps a training on a GPU is looked at."""

import time

_EARLY = 8  # Steps that are always looked at.
_SHARE = 0.003  # Of the time, for what is looked at later on.


class Looks:
    """Keeps looks at values rare where the script has to wait for them.

    Reading a value of a GPU waits until the GPU has caught up, and until it has work again
    afterwards. All such reading is done in the same steps, as often as a small share of the time
    allows. Steps on the CPU are not affected.
    """

    def __init__(self) -> None:
        self._step = -1
        self._spent = 0.0
        self._begin = time.perf_counter()
        self._allowed = True

    def next_step(self) -> None:
        """Begins the next step."""
        self._step += 1
        if self._step == _EARLY:  # The first steps compile kernels.
            self._begin, self._spent = time.perf_counter(), 0.0
        elapsed = time.perf_counter() - self._begin
        self._allowed = self._step < _EARLY or self._spent < _SHARE * elapsed

    def allowed(self, on_gpu: bool) -> bool:
        """Returns whether values may be read in this step."""
        return self._allowed or not on_gpu

    def spend(self, seconds: float) -> None:
        """Counts time that observing has taken. Only steps in which values are read count."""
        if self._allowed:
            self._spent += seconds
