"""Which of the host's time a training on a GPU loses."""

import collections
import time
from typing import Any, Callable, Deque, Tuple

import torch

# Seconds between two marks. A GPU that is less than that behind the host counts as idle.
_APART = 0.002
_MOST_MARKS = 64


def mark_stream() -> torch.cuda.Event:
    """Returns a mark in the current stream."""
    mark = torch.cuda.Event()
    mark.record()
    return mark


class ExposedClock:
    """A clock that stands still while a GPU has enough to do.

    The host starts work for the GPU and is often far ahead of it. What it does with the time until
    it would have to wait costs the training nothing. So of the time between two calls of this clock
    only that counts after which the GPU had done all that it was given before the first of them.
    That is known by marks in the current stream, which are asked whether the GPU has reached them;
    nobody waits for them.
    """

    def __init__(
        self,
        mark: Callable[[], Any] = mark_stream,
        is_capturing: Callable[[], bool] = torch.cuda.is_current_stream_capturing,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`is_capturing` says whether a graph is being captured from the stream, which a mark, or a
        question for one, would spoil."""
        self._mark = mark
        self._is_capturing = is_capturing
        self._now = now
        self._marks: Deque[Tuple[float, Any]] = collections.deque()  # Not reached yet.
        self._marked = self._last = now()
        self._exposed = 0.0
        self._off = False

    def __call__(self) -> float:
        """Returns the seconds that have counted since some time."""
        now = self._now()
        if not self._is_hidden(now):
            self._exposed += now - self._last
        self._last = now
        return self._exposed

    def _is_hidden(self, now: float) -> bool:
        """Returns whether the GPU is still busy with what it was given before the last call."""
        if self._off:
            return False
        try:
            if self._is_capturing():
                return False
            while self._marks and self._marks[0][1].query():
                self._marks.popleft()
            hidden = bool(self._marks) and self._marks[0][0] <= self._last
            if now - self._marked >= _APART and len(self._marks) < _MOST_MARKS:
                self._marks.append((now, self._mark()))
                self._marked = now
            return hidden
        except Exception:  # The GPU has failed; the training's own calls will tell.
            self._off = True
            return False
