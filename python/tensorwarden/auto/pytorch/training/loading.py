"""Measures how long a training waits for its data loaders, and counts epochs."""

import contextlib
import time
import weakref
from typing import Any, Optional

import torch.utils.data.dataloader as dataloader

from tensorwarden.auto.common.journal import Journal
from tensorwarden.base.lines import calling_line
from tensorwarden.base.patching import Patches

_LONG_WAIT = 0.25  # Of the time of a step: which loader is waited for then is worth noting.


class Loading:
    """Time spent in `next` of data loaders since the last step."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waited = 0.0
        self._last_step: Optional[float] = None
        self._steps = 0  # Since then.
        self._passes: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._epoch = 0
        self._several = False  # The loader that was started last has more than one batch.
        self._drawn = False
        # Where loops over loaders begin, by the iterator, and the slowest one since the last step.
        self._lines: weakref.WeakKeyDictionary[Any, Optional[str]] = weakref.WeakKeyDictionary()
        self._longest = 0.0
        self._slowest: Optional[str] = None

    def take_drawn(self) -> bool:
        """Returns whether a loader with several batches gave one since the last call."""
        drawn, self._drawn = self._drawn, False
        return drawn

    def watch(self) -> None:
        """Measures all data loaders from now on."""
        Patches().put(dataloader._BaseDataLoaderIter, "__next__", self._wrap_next)
        Patches().put(dataloader.DataLoader, "__iter__", self._wrap_iter)

    def _wrap_next(self, original: Any) -> Any:
        def next_batch(iterator: Any) -> Any:
            start = time.perf_counter()
            try:
                return original(iterator)
            finally:
                self._note_wait(iterator, time.perf_counter() - start)
                self._drawn |= self._several

        return next_batch

    def _note_wait(self, iterator: Any, seconds: float) -> None:
        self._waited += seconds
        if seconds > self._longest:
            self._longest, self._slowest = seconds, self._lines.get(iterator)

    def _wrap_iter(self, original: Any) -> Any:
        def iterate(loader: Any) -> Any:
            start = time.perf_counter()
            self._epoch = self._passes[loader] = self._passes.get(loader, 0) + 1
            self._several = _has_several(loader)
            try:
                iterator = original(loader)
            finally:
                self._waited += time.perf_counter() - start
            with contextlib.suppress(TypeError):  # An iterator of the script's own kind.
                self._lines[iterator] = calling_line()
            return iterator

        return iterate

    def end_step(self) -> None:
        """Counts a step that has ended."""
        self._steps += 1

    @property
    def steps(self) -> int:
        """The steps that have ended since one was noted, at least one."""
        return max(1, self._steps)

    def note(self, training: bool) -> None:
        """Notes the time of a step, at its end; if steps were left out, the mean of all of them."""
        now = time.perf_counter()
        last, self._last_step = self._last_step, now
        steps, self._steps = self.steps, 0
        waited, self._waited = self._waited, 0.0
        slowest, self._longest = self._slowest, 0.0
        if last is None or not training:
            return
        self._journal.note("step_seconds", (now - last) / steps)
        self._journal.note("loader_seconds", min(waited, now - last) / steps)
        if waited > _LONG_WAIT * (now - last):
            self._journal.fact("loader_line", slowest)
        if self._epoch:
            self._journal.note("epoch", self._epoch)


def _has_several(loader: Any) -> bool:
    try:
        return len(loader) > 1
    except TypeError:  # The length of a stream is not known.
        return True
