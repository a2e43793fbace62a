"""Keeps capture within a share of the training time."""

import math
import time
from typing import Callable, Tuple

# The first steps, which are captured in full as far as the head start allows: rules learn most from
# them.
_EARLY = 10
# Of these, those whose cost is not counted: names are registered and memory is allocated then.
_UNCOUNTED = 2
# What capture may take ahead of its share: no more than this part of the share of the first seconds
# of a training, and no more than this many seconds. It is no addition to the share: capture takes
# less later on, until the share is kept at the end of these seconds. A training of short steps
# needs it, whose first hundred steps take less than a second; one of longer steps needs less of it.
_FIRST_SECONDS = 100.0
_AHEAD = 0.5
_MOST_AHEAD = 0.5
_SHORT_STEP = 0.02
# The part of what is allowed that steps without statistics may take, however much the others took.
_LIGHT = 0.6
# Long runs are captured less and less often, so that files do not grow with every step.
_DENSE_STEPS = 2000
# Steps between two with numbers of the training loop, and with everything, at the most. They
# are wider where even these cost more than the share, because steps are short.
_NUMBERS_EVERY = 7  # No multiple of the passes of a few models that take turns.
_MOST_WIDENED = 100
_TOLERATED = 0.1  # How far the share may be exceeded before they are as wide as they may be.
# Steps with losses only are planned ahead, this many at the most. Timing all of them would take a
# third of what they cost: one in so many plans is timed, and says what the others cost.
_MOST_PLANNED = 32
_LONGEST_PLAN = 0.25  # Seconds: so long, losses may wait until they are handed over.
_TIMED_PLANS = 8
_CLOSE_LOOKS_EVERY = 50  # Steps between two reasons to look closely.


class Pacer:
    """Decides which steps are captured in full, which with numbers of the training loop, and which
    with losses only.

    The time spent on capture stays below `share` of the time that passes. Every `most`-th step is
    captured in full; only if steps are so short that this alone takes more, fewer are.
    """

    def __init__(
        self, share: float, most: int, clock: Callable[[], float] = time.thread_time
    ) -> None:
        """`clock` measures what capture takes: by default processor time of the calling thread,
        because other programs must not count as its cost."""
        self.share = share
        self.clock = clock
        self._most = most
        self._steps = 0
        self._since_full = 0
        self._since_numbers = 0
        self._close_looks = 0
        self._looked_closely = -_CLOSE_LOOKS_EVERY
        self.is_light = False  # Nothing but single numbers is captured in this step.
        # Whether parts of capture must say what they take: not in most steps with losses only.
        self.is_timed = True
        self._planned = 0  # Steps to come with losses only.
        self._plans = 0
        self._bare = 0  # Steps of the plan that have begun.
        self._bare_cost = 0.0  # Of one of them, recently, without what its timers take.
        self._timers = 0  # That have run since the last step was counted.
        self._is_settled = False  # The step that has ended is counted.
        self._begin = time.perf_counter()
        self._spent = 0.0
        self._spent_light = 0.0  # Of that, in steps that were not captured in full.
        self._in_step = 0.0
        self._full_cost = 0.0  # Of a step that is captured in full, recently.
        self._untimed = self._timer = 0.0
        self._untimed, self._timer = _time_of_timers(self)

    def next_is_bare(self) -> bool:
        """Begins the next step if nothing but losses is captured in it, which takes next to no time
        to decide. Otherwise begins nothing: next_has_numbers and next_is_light do."""
        if self._planned == 0:
            self._settle()
            self._planned = self._plan()
            if self._planned == 0:
                return False
            self.is_timed = self._plans % _TIMED_PLANS == 0
            self._plans += 1
            self.is_light = True
        self._planned -= 1
        self._bare += 1
        return True

    def stop_plan(self) -> None:
        """Drops the plan, because something has changed. The next step is decided as it begins."""
        self._planned = 0

    def next_has_numbers(self) -> bool:
        """Returns whether numbers of the training loop are noted in the step that begins now."""
        self._settle()
        self._since_numbers += 1
        early = self._steps < _EARLY or self._close_looks > 0
        late = self._since_numbers >= _NUMBERS_EVERY * self._widening()
        # They must not wait until an expensive step is paid back.
        affordable = self.room >= 0 or self._spent_light <= _LIGHT * self._limit(1.0)
        if early or late or affordable:
            self._since_numbers = 0
            return True
        return False

    def next_is_light(self) -> bool:
        """Begins the next step. Returns whether only single numbers are captured in it."""
        self._settle()
        self._is_settled = False
        self._steps += 1
        self._since_full += 1
        self.is_light = not self._can_afford()
        if not self.is_light:
            self._since_full = 0
            self._close_looks = max(0, self._close_looks - 1)
        return self.is_light

    def _settle(self) -> None:
        """Counts what was taken until now, in the step or the steps that have ended."""
        bare, self._bare = self._bare, 0
        if bare:
            if self.is_timed:
                cost = max(0.0, self._in_step - self._timers * self._timer) / bare
                self._bare_cost = 0.7 * (self._bare_cost or cost) + 0.3 * cost
            else:
                self._in_step += bare * self._bare_cost
            self._steps += bare
            self._since_full += bare
            self._since_numbers += bare
        self.is_timed = True
        if self._steps <= _UNCOUNTED:
            self._begin, self._spent = time.perf_counter(), 0.0
        else:
            self._spent += self._in_step
            self._spent_light += self._in_step if self.is_light else 0.0
        if not self.is_light and self._steps > 1 and not self._is_settled:
            recent = self._full_cost or self._in_step
            self._full_cost = 0.7 * recent + 0.3 * self._in_step
        self._is_settled = True
        self._in_step, self._timers = 0.0, 0

    def _plan(self) -> int:
        """Returns how many steps from now on are captured with losses only."""
        if self._steps < _EARLY or self._close_looks > 0:
            return 0
        elapsed = time.perf_counter() - self._begin
        step = elapsed / max(1, self._steps - _UNCOUNTED)
        allowed = self.share * step
        limit, widening = self._limit(1.0), self._widening()
        waits = [
            self._most * widening - self._since_full - 1,
            _NUMBERS_EVERY * widening - self._since_numbers - 1,
            # Until numbers are affordable.
            _steps_until(self._spent - limit, allowed - self._bare_cost),
            _steps_until(self._spent_light - _LIGHT * limit, _LIGHT * allowed - self._bare_cost),
        ]
        most = min(_MOST_PLANNED, max(1, int(_LONGEST_PLAN / max(step, 1e-6))))
        return max(0, min(most, math.ceil(min(waits))))

    def _can_afford(self) -> bool:
        if self._steps <= _UNCOUNTED or self._close_looks > 0:
            return True
        if self._since_full >= self._most * self._widening():
            return True
        expected = self._spent + self._full_cost
        if self._steps <= _EARLY:
            return expected <= self._limit(1 - _LIGHT)
        if self._since_full < self._steps // _DENSE_STEPS:
            return False
        return expected <= self._limit()

    def _limit(self, head_start: float = 0.0) -> float:
        """Returns how many seconds capture may have taken by now, with this part of the head
        start."""
        elapsed = time.perf_counter() - self._begin
        step = elapsed / max(1, self._steps - _UNCOUNTED)
        ahead = min(_MOST_AHEAD, _AHEAD * self.share * _FIRST_SECONDS)
        ahead *= head_start * min(1.0, _SHORT_STEP / max(step, 1e-6))
        return self.share * elapsed + ahead * max(0.0, 1 - elapsed / _FIRST_SECONDS)

    @property
    def room(self) -> float:
        """The seconds that capture may still take by now; negative if it has taken too many."""
        return self._limit(1.0) - self._spent - self._in_step

    def _widening(self) -> float:
        """Returns how many times longer than usual to wait between steps that are always
        captured."""
        over = self._spent / max(self._limit(1.0), 1e-9) - 1
        return min(_MOST_WIDENED, max(1.0, over / _TOLERATED * _MOST_WIDENED))

    def spend(self, seconds: float) -> None:
        """Counts time that capture has taken."""
        self._in_step += seconds + self._untimed
        self._timers += 1

    @property
    def in_step(self) -> float:
        """The time that capture has taken in this step, until now."""
        return self._in_step

    def spend_since(self, begin: float, in_step: float) -> None:
        """Counts the time since `begin` on the clock, when `in_step` had been spent. What was
        counted in the meantime is a part of it."""
        self._in_step = min(in_step, self._in_step)  # Less if a step has begun in the meantime.
        self.spend(self.clock() - begin)

    def look_closely(self, steps: int = 5, urgent: bool = True) -> None:
        """Captures the next steps in full, because something looks wrong; once in a while. What is
        not urgent must fit into the share."""
        now = self._steps + self._bare
        if not urgent and self.room < 0:
            return
        if now - self._looked_closely >= _CLOSE_LOOKS_EVERY:
            self._looked_closely = now
            self._close_looks = steps
            self.stop_plan()

    @property
    def spent_share(self) -> float:
        """The share of the time that capture has taken."""
        elapsed = time.perf_counter() - self._begin
        return self._spent / elapsed if self._steps > _UNCOUNTED and elapsed > 0 else 0.0


def _steps_until(debt: float, gain: float) -> float:
    """Returns after how many steps a debt is paid back of which each step pays so much."""
    if debt <= 0:
        return 0.0
    return debt / gain if gain > 0 else math.inf


def _time_of_timers(pacer: Pacer) -> Tuple[float, float]:
    """Returns what calling and timing a function takes that its timer does not see, and what it
    takes in all."""
    count = 64
    begin = pacer.clock()
    for _ in range(count):
        pacer.spend_since(pacer.clock(), pacer.in_step)
    whole = (pacer.clock() - begin) / count
    measured, pacer._in_step, pacer._timers = pacer.in_step / count, 0.0, 0
    return max(0.0, whole - measured), whole
