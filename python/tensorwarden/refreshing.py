"""Whether trials look for new data by themselves."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Iterator, Sequence

if TYPE_CHECKING:
    from tensorwarden.trial import Trial


@contextmanager
def _set_refresh(trials: Trial | Sequence[Trial], value: bool) -> Iterator[None]:
    many = list(trials) if isinstance(trials, (list, tuple, set)) else [trials]
    before = [(trial, trial.dynamic_refresh) for trial in many]
    try:
        for trial in many:
            trial.dynamic_refresh = value
        yield
    finally:
        for trial, was in before:
            trial.dynamic_refresh = was


def no_refresh(trials: Trial | Sequence[Trial]):
    """A context in which the trials answer from what they know already."""
    return _set_refresh(trials, False)


def refresh(trials: Trial | Sequence[Trial]):
    """A context in which the trials look for new data."""
    return _set_refresh(trials, True)
