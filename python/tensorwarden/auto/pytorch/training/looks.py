"""Decides at which steps a training is looked at."""

import time

_EARLY = 8  # Steps that are always looked at.
_SHARE = 0.003  # Of the time, for what is looked at later on.
_DENSE = 200  # Steps that are observed whatever it costs: most faults show in them.
_MOST = 10  # Steps between two that are observed, however short they are.


class Looks:
    """Keeps looks rare where they cost too much.

    Reading a value of a GPU waits until the GPU has caught up, and until it has work again
    afterwards. All such reading is done in the same steps, as often as a small share of the time
    allows.

    On the CPU, values may be read at any time. But if steps take only some milliseconds, even
    single numbers take more than the budget of the run. Then a part of the steps is left out.
    """

    def __init__(self) -> None:
        self._step = -1
        self._spent = 0.0
        self._begin = time.perf_counter()
        self._allowed = True
        self._left_out = 0  # In a row.

    def next_step(self, over_budget: bool) -> None:
        """Begins the next step. `over_budget`: capture has taken more time than it may."""
        self._step += 1
        leave_out = over_budget and self._step >= _DENSE and self._left_out + 1 < _MOST
        self._left_out = self._left_out + 1 if leave_out else 0
        if self._step == _EARLY:  # The first steps compile kernels.
            self._begin, self._spent = time.perf_counter(), 0.0
        elapsed = time.perf_counter() - self._begin
        self._allowed = self._step < _EARLY or self._spent < _SHARE * elapsed

    @property
    def is_left_out(self) -> bool:
        """Whether nothing but losses is recorded in this step."""
        return self._left_out > 0

    def allowed(self, on_gpu: bool) -> bool:
        """Returns whether values may be read in this step."""
        return self._allowed or not on_gpu

    def spend(self, seconds: float) -> None:
        """Counts time that observing has taken. Only steps in which values are read count."""
        if self._allowed:
            self._spent += seconds
