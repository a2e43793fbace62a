"""Tracks what a run has saved so far and what is new."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Iterable, KeysView

from tensorwarden import _core
from tensorwarden._core import StatusError
from tensorwarden.base.core_errors import code_of, plain_error
from tensorwarden.base.exceptions import NoMoreData, SMDebugTypeError, StepUnavailable
from tensorwarden.base.log import get_logger
from tensorwarden.base.modes import ModeKeys
from tensorwarden.trial.refreshing import refresh
from tensorwarden.trial.step_state import StepState

if TYPE_CHECKING:
    import logging

# The core waits in slices of this length. Ctrl-C is handled between slices.
_WAIT_SLICE_S = 0.2
_WARNING_AFTER_S = 20


class LiveRun:
    """The steps of a run that may still be running."""

    _open_slice_s = _WAIT_SLICE_S  # How long one look for collections may take.

    def __init__(
        self,
        name: str,
        path: str,
        url: str,
        range_steps: tuple[int | None, int | None] | None = None,
        index_mode: bool = True,
    ):
        """Waits until the run's collections exist.

        Args:
            name: A label. Two trials are equal if name and path are equal.
            path: The location of the run, as the user gave it.
            url: The location of the run, for the core.
            range_steps: Limits global steps to a half-open range [begin, end).
            index_mode: False never reads new data.
        """
        self.name = name
        self.path = path
        self.range_steps = range_steps
        self.index_mode = index_mode
        self.dynamic_refresh = True
        self.logger: logging.Logger = get_logger()
        self._told_problems = 0
        self._core = self._open(url, *_check_range(range_steps))
        self._tell_problems(len(self._core.problems()))
        self._finished = self._core.loaded_all_steps

    def _open(self, url: str, begin: int | None, end: int | None) -> _core.Trial:
        warning = time.monotonic() + _WARNING_AFTER_S
        while True:
            try:
                return _core.Trial.open(url, begin, end, self._open_slice_s)
            except StatusError as error:
                if code_of(error) != "Unavailable":
                    raise self._opening_error(error) from None
                if time.monotonic() > warning:
                    warning = math.inf
                    self.logger.warning(f"Still waiting: {error.args[1]}. Check the path.")

    def _opening_error(self, error: StatusError) -> Exception:
        return plain_error(error)

    # ---- New data.

    @property
    def loaded_all_steps(self) -> bool:
        """Whether the job has ended and all its data has been read."""
        return self._core.loaded_all_steps

    @property
    def last_complete_step(self) -> int:
        """The last complete global step; -1 before the first."""
        return self._core.last_complete_step

    def refresh_data(self) -> None:
        """Reads new data."""
        if self.index_mode:
            self._refresh()

    def refresh_tensor(self, tname: str, steps: Iterable[int] | None = None) -> None:
        """Reads new data of all tensors."""
        self.refresh_data()

    def maybe_refresh(self, name: str | None = None) -> None:
        """Reads new data unless everything has been read or `dynamic_refresh` is off."""
        if self.dynamic_refresh and not self._finished:
            self.refresh_data()

    def _refresh(self) -> None:
        if self._finished:
            return
        try:
            new_files, problems = self._core.refresh()
        except StatusError as error:
            raise plain_error(error) from None
        if new_files:
            self._forget()
        self._tell_problems(problems)
        self._finished = self._core.loaded_all_steps

    def _forget(self) -> None:
        """Called when there is new data, to drop values derived from the old data."""

    def _tell_problems(self, count: int) -> None:
        if count > self._told_problems:
            for file, offset, message in self._core.problems()[self._told_problems :]:
                place = file if offset is None else f"{file}, byte {offset}"
                self.logger.warning(f"{place}: {message}; skipped")
            self._told_problems = count

    # ---- Steps and modes.

    def steps(
        self, mode: ModeKeys = ModeKeys.GLOBAL, show_incomplete_steps: bool = False
    ) -> list[int]:
        """Returns the steps finished by all workers, ascending. Optionally includes incomplete
        steps."""
        self.maybe_refresh()
        return self._core.steps(mode_number(mode), show_incomplete_steps)

    def modes(self) -> KeysView[ModeKeys]:
        """Returns the modes in which steps were saved; never GLOBAL."""
        return {ModeKeys(number): None for number in self._core.modes()}.keys()

    def mode_modestep(self, global_step: int) -> tuple[ModeKeys | None, int | None]:
        """Returns the mode and mode step of a global step; (None, None) if unknown."""
        found = self._core.mode_of(global_step)
        if found is None:
            self.maybe_refresh()
            found = self._core.mode_of(global_step)
        return (None, None) if found is None else (ModeKeys(found[0]), found[1])

    def mode(self, global_step: int) -> ModeKeys | None:
        """Returns the mode of a global step; None if unknown."""
        return self.mode_modestep(global_step)[0]

    def mode_step(self, global_step: int) -> int | None:
        """Returns the mode step of a global step; None if unknown."""
        return self.mode_modestep(global_step)[1]

    def global_step(self, mode: ModeKeys, mode_step: int) -> int | None:
        """Returns the global step of a mode step; None if unknown."""
        found = self._core.global_step(mode_number(mode), mode_step)
        if found is None:
            self.maybe_refresh()
            found = self._core.global_step(mode.value, mode_step)
        return found

    @property
    def _global_to_mode(self) -> dict[int, tuple[ModeKeys | None, int | None]]:
        """The mode and mode step of each global step; scripts written for smdebug read it."""
        steps = self._core.steps(ModeKeys.GLOBAL.value, True)
        return {step: self.mode_modestep(step) for step in steps}

    def has_passed_step(self, step: int, mode: ModeKeys = ModeKeys.GLOBAL) -> StepState:
        """Returns whether the step is available, may still come, or never will."""
        self.maybe_refresh()
        return StepState(self._core.has_passed_step(step, mode_number(mode)))

    def wait_for_steps(
        self, required_steps: Iterable[int], mode: ModeKeys = ModeKeys.GLOBAL
    ) -> None:
        """Waits until all workers have finished these steps.

        Raises `StepUnavailable` if a step was skipped and `NoMoreData` if the job ended before it.
        """
        with refresh(self):
            for step in required_steps:
                self._wait_for_step(step, mode)

    def _wait_for_step(self, step: int, mode: ModeKeys) -> None:
        number = mode_number(mode)
        while True:
            self._refresh()
            state = self._core.has_passed_step(step, number)
            if state == StepState.AVAILABLE.value:
                return
            if state == StepState.UNAVAILABLE.value:
                last = self._core.last_step(number)
                if not self._finished or step < last:
                    raise StepUnavailable(step, mode)
                raise NoMoreData(step, mode, last)
            self._core.wait_for_change(_WAIT_SLICE_S)


def mode_number(mode: ModeKeys) -> int:
    """Returns the number of a mode on disk. Raises SMDebugTypeError for anything but a ModeKeys."""
    if not isinstance(mode, ModeKeys):
        raise SMDebugTypeError(f"mode is {mode!r}; expected a member of smdebug.modes")
    return mode.value


def _check_range(range_steps: Any) -> tuple[int | None, int | None]:
    if range_steps is None:
        return None, None
    if len(range_steps) != 2:
        raise AssertionError(f"range_steps is {range_steps!r}; expected a pair")
    begin, end = range_steps
    if (begin is not None and int(begin) < 0) or (end is not None and int(end) < 0):
        raise AssertionError(f"range_steps is {range_steps!r}; expected steps of at least 0")
    if begin is not None and end is not None and int(begin) >= int(end):
        raise AssertionError(
            f"range_steps is {range_steps!r}; expected the end to be greater than the begin"
        )
    return (None if begin is None else int(begin)), (None if end is None else int(end))
