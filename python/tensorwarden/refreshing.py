"""Controls whether trials read new data automatically."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ContextManager, Iterator, Sequence

if TYPE_CHECKING:
    from tensorwarden.live_run import LiveRun


@contextmanager
def _set_refresh(trials: LiveRun | Sequence[LiveRun], value: bool) -> Iterator[None]:
    many: list[Any] = list(trials) if isinstance(trials, (list, tuple, set)) else [trials]
    before = [(trial, trial.dynamic_refresh) for trial in many]
    try:
        for trial in many:
            trial.dynamic_refresh = value
        yield
    finally:
        for trial, was in before:
            trial.dynamic_refresh = was


def no_refresh(trials: LiveRun | Sequence[LiveRun]) -> ContextManager[None]:
    """Returns a context in which the trials do not read new data."""
    return _set_refresh(trials, False)


def refresh(trials: LiveRun | Sequence[LiveRun]) -> ContextManager[None]:
    """Returns a context in which the trials read new data."""
    return _set_refresh(trials, True)
