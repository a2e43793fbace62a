"""Which of the host's time a training on a GPU loses."""

import collections
import time
from typing import Any, Callable, Deque, Optional, Tuple

import torch

# Seconds between two marks. A GPU that is less than that behind the host counts as idle.
_APART = 0.002
_MOST_MARKS = 64
_LONG = 0.001  # Of longer times, the part is measured in which the GPU was idle.


class Stream:
    """The current stream of the current GPU, as far as the clock needs it."""

    def is_capturing(self) -> bool:
        """Returns whether a graph is being captured. A mark, or a question for one, would spoil
        it."""
        return torch.cuda.is_current_stream_capturing()

    def mark(self) -> torch.cuda.Event:
        """Returns a mark that is reached when the GPU has done what it was given until now."""
        mark = torch.cuda.Event(enable_timing=True)
        mark.record()
        return mark

    def is_idle(self) -> bool:
        """Returns whether the GPU has done all that it was given."""
        idle: bool = torch.cuda.current_stream().query()
        return idle

    def seconds_since(self, mark: torch.cuda.Event) -> float:
        """Returns how long ago an idle GPU has reached a mark."""
        end = self.mark()
        end.synchronize()
        return mark.elapsed_time(end) / 1e3


class ExposedClock:
    """A clock that stands still while a GPU has enough to do.

    The host starts work for the GPU and is often far ahead of it. What it does with the time until
    it would have to wait costs the training nothing, and neither does the wait itself. So of the
    time between two calls of this clock only that counts in which the GPU had done all that it was
    given before the first of them. That is known by marks in the stream, which are asked whether
    the GPU has reached them. Nobody waits for them.
    """

    def __init__(self, stream: Any = None, now: Callable[[], float] = time.perf_counter) -> None:
        self._stream = stream or Stream()
        self._now = now
        self._marks: Deque[Tuple[float, Any]] = collections.deque()  # Not reached yet.
        self._last_mark: Optional[Tuple[float, Any]] = None
        self._last = now()
        self._exposed = 0.0
        self._off = False

    def __call__(self) -> float:
        """Returns the seconds that have counted since some time."""
        now = self._now()
        passed = now - self._last
        try:
            if self._off or self._stream.is_capturing():
                self._exposed += passed
            else:
                self._exposed += min(passed, self._idle_time(passed))
                self._put_mark(now)
        except Exception:  # The GPU has failed; the training's own calls will tell.
            self._off = True
        self._last = now
        return self._exposed

    def _idle_time(self, passed: float) -> float:
        """Returns the seconds since the last call in which the GPU had nothing left of what it was
        given before; `passed` or more if it is not known."""
        while self._marks and self._marks[0][1].query():
            self._marks.popleft()
        if self._marks and self._marks[0][0] <= self._last:
            return 0.0
        mark = self._last_mark
        if passed < _LONG or mark is None or mark[0] > self._last or not self._stream.is_idle():
            return passed
        return self._stream.seconds_since(mark[1])

    def _put_mark(self, now: float) -> None:
        is_due = self._last_mark is None or now - self._last_mark[0] >= _APART
        if is_due and len(self._marks) < _MOST_MARKS:
            self._last_mark = now, self._stream.mark()
            self._marks.append(self._last_mark)
