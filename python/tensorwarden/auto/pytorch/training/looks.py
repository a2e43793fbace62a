"""Decides at which steps a training is looked at."""

import math
import time
from typing import Any, Callable

_EARLY = 8  # Steps that are looked at more closely.
_FIRST = 3  # Of these, those that are whatever it costs.
_SHARE = 0.003  # Of the time, for what is looked at later on.
_EVERY = 20  # Steps between two looks at all layers on the CPU, at least.
_MOST = 200  # At the most.


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
        self._room = math.inf
        self._looked = 0  # At this step, at all layers on the CPU.
        self._in_step = 0.0
        self._look_cost = 0.0
        self.is_left_out = False  # Nothing but losses is recorded in this step.
        # The same, planned ahead for one worker on the CPU: wrappers take their shortest way.
        self.is_bare = False
        self._pacer: Any = None  # If such a step is timed.

    def next_step(self, has_numbers: bool = True, room: float = math.inf) -> None:
        """Begins the next step. `has_numbers`: the budget of the run allows to record more than
        losses; `room`: the seconds that are left of it."""
        if self._looked == self._step:
            self._look_cost = self._in_step
        self._in_step = 0.0
        self._step += 1
        self._room = room
        self.is_left_out = not has_numbers
        self.is_bare = False
        if self._step == _EARLY:  # The first steps compile kernels.
            self._begin, self._spent = time.perf_counter(), 0.0
        elapsed = time.perf_counter() - self._begin
        self._allowed = self._step < _EARLY or self._spent < _SHARE * elapsed

    def next_is_left_out(self, is_bare: bool, pacer: Any) -> None:
        """Begins the next step, in which nothing but losses is recorded; as next_step(False)."""
        self._step += 1
        self._in_step = 0.0
        self._allowed = False
        self.is_left_out = True
        self.is_bare = is_bare
        self._pacer = pacer if pacer.is_timed else None

    def bare(self, function: Callable[..., Any], *args: Any) -> Any:
        """Calls a function that cannot fail in a bare step, and times it if the step is timed."""
        pacer = self._pacer
        if pacer is None:
            return function(*args)
        begin = pacer.clock()
        result = function(*args)
        pacer.spend(pacer.clock() - begin)
        return result

    def allowed(self, on_gpu: bool) -> bool:
        """Returns whether values may be read in this step."""
        return self._allowed if on_gpu else not self.is_left_out

    def begin_look(self, on_gpu: bool) -> bool:
        """Returns whether to look at all layers in this step."""
        if not self.allowed(on_gpu):
            return False
        since = self._step - self._looked
        if on_gpu or self._step < _FIRST or since >= _MOST:
            due = True
        elif self._step < _EARLY:
            due = self._look_cost <= self._room / 8
        else:
            due = since >= _EVERY and self._look_cost <= self._room
        if due:
            self._looked = self._step
        return due

    def spend(self, seconds: float, passed: float) -> None:
        """Counts what observing has taken of the budget, and the time that has passed meanwhile.
        The latter counts only in steps in which values are read: reading a GPU's values costs more
        than the host's time, as no work is started while it waits."""
        self._in_step += seconds
        if self._allowed:
            self._spent += passed
