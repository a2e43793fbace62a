"""Keeps capture within a share of the training time."""

import time

# Steps at the start that are always captured in full. What they cost is not counted: names are
# registered and memory is allocated then.
_EARLY = 10
# Long runs are captured less and less often, so that files do not grow with every step.
_DENSE_STEPS = 2000


class Pacer:
    """Decides which steps are captured in full, and which with single numbers only.

    The time spent on capture stays below `share` of the time that passes. However expensive it is,
    every `most`-th step is captured in full.
    """

    def __init__(self, share: float, most: int) -> None:
        self.share = share
        self._most = most
        self._steps = 0
        self._since_full = 0
        self._close_looks = 0
        self._light = False
        self._begin = 0.0
        self._spent = 0.0
        self._in_step = 0.0
        self._full_cost = 0.0  # Of a step that is captured in full, recently.

    def next_is_light(self) -> bool:
        """Begins the next step. Returns whether only single numbers are captured in it."""
        now = time.perf_counter()
        if self._steps == _EARLY:
            self._begin, self._spent = now, 0.0
        elif self._steps > _EARLY:
            self._spent += self._in_step
        if not self._light and self._steps > 1:
            recent = self._full_cost or self._in_step
            self._full_cost = 0.7 * recent + 0.3 * self._in_step
        self._in_step = 0.0
        self._steps += 1
        self._since_full += 1
        self._light = not self._can_afford(now)
        if not self._light:
            self._since_full = 0
            self._close_looks = max(0, self._close_looks - 1)
        return self._light

    def _can_afford(self, now: float) -> bool:
        if self._steps <= _EARLY or self._close_looks > 0 or self._since_full >= self._most:
            return True
        if self._since_full < self._steps // _DENSE_STEPS:
            return False
        return self._spent + self._full_cost <= self.share * (now - self._begin)

    def spend(self, seconds: float) -> None:
        """Counts time that capture has taken."""
        self._in_step += seconds

    def look_closely(self, steps: int = 5) -> None:
        """Captures the next steps in full, because something looks wrong."""
        self._close_looks = max(self._close_looks, steps)

    @property
    def is_over_budget(self) -> bool:
        """Whether capture has taken more of the time than it may."""
        return self.spent_share > self.share

    @property
    def spent_share(self) -> float:
        """The share of the time that capture has taken."""
        elapsed = time.perf_counter() - self._begin
        return self._spent / elapsed if self._steps > _EARLY and elapsed > 0 else 0.0
