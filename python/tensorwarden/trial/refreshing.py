"""Controls whether trials read new data automatically."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, ContextManager, Iterator, Protocol, Sequence


class Refreshed(Protocol):
    """A trial that reads new data while this is set."""

    dynamic_refresh: bool


@contextmanager
def _set_refresh(trials: Refreshed | Sequence[Refreshed], value: bool) -> Iterator[None]:
    many: list[Any] = list(trials) if isinstance(trials, (list, tuple, set)) else [trials]
    before = [(trial, trial.dynamic_refresh) for trial in many]
    try:
        for trial in many:
            trial.dynamic_refresh = value
        yield
    finally:
        for trial, was in before:
            trial.dynamic_refresh = was


def no_refresh(trials: Refreshed | Sequence[Refreshed]) -> ContextManager[None]:
    """Returns a context in which the trials do not read new data."""
    return _set_refresh(trials, False)


def refresh(trials: Refreshed | Sequence[Refreshed]) -> ContextManager[None]:
    """Returns a context in which the trials read new data."""
    return _set_refresh(trials, True)
