"""One tensor of a run: its steps, values, shapes and reductions."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Callable

from tensorwarden._core import StatusError
from tensorwarden.base.core_errors import code_of, tensor_error
from tensorwarden.base.exceptions import (
    SMDebugNotImplementedError,
    SMDebugTypeError,
    TensorUnavailableForStep,
)
from tensorwarden.base.modes import ModeKeys
from tensorwarden.trial.live_run import LiveRun
from tensorwarden.trial.reductions import get_numpy_reduction

if TYPE_CHECKING:
    import numpy as np


class Tensor:
    """A tensor of a trial, created by `Trial.tensor`.

    Steps are counted within the given mode; `ModeKeys.GLOBAL` counts over all modes. Without a
    worker, the first worker by name that saved the step is used. If data is missing, the trial
    reads new data first and then raises one of these:

    * `TensorUnavailableForStep`: the step was saved, but not this tensor or its values
    * `StepUnavailable`: the step was not saved and will not be
    * `StepNotYetAvailable`: the step may still come
    * `InvalidWorker`: the worker did not save the tensor at the step
    """

    def __init__(self, name: str, trial: LiveRun, cache: bool):
        self.name = name
        self.trial = trial
        self.cache = cache
        self._core = trial._core
        self._cached: dict[tuple[int, ModeKeys, str | None], np.ndarray] = {}

    @property
    def original_name(self) -> str | None:
        """The name that the framework uses, if it was saved with the shape."""
        return self._core.original_name(self.name) or None

    def steps(
        self, mode: ModeKeys = ModeKeys.GLOBAL, show_incomplete_steps: bool = False
    ) -> list[int]:
        """Returns the steps at which the tensor was saved, ascending.

        Only steps that all workers have finished, unless `show_incomplete_steps` is set.
        """
        self.trial.maybe_refresh(self.name)
        return self._core.tensor_steps(self.name, mode.value, show_incomplete_steps)

    def value(
        self, step_num: int, mode: ModeKeys = ModeKeys.GLOBAL, worker: str | None = None
    ) -> np.ndarray:
        """Returns the values at the step. bfloat16 becomes float32. The caller owns the array."""
        if self.cache:
            return self._cached_value(step_num, mode, worker)
        try:
            return self._core.value(self.name, step_num, mode.value, worker or "")
        except (StatusError, TypeError, AttributeError) as error:
            return self._again(self._core.value, error, step_num, mode, worker)

    def _cached_value(self, step: int, mode: ModeKeys, worker: str | None) -> np.ndarray:
        key = (step, mode, worker)
        value = self._cached.get(key)
        if value is None:
            try:
                value = self._core.value(self.name, step, mode.value, worker or "")
            except (StatusError, TypeError, AttributeError) as error:
                value = self._again(self._core.value, error, step, mode, worker)
            self._cached[key] = value
        return value

    def values(
        self, mode: ModeKeys = ModeKeys.GLOBAL, worker: str | None = None
    ) -> dict[int, np.ndarray]:
        """Returns the values at all steps of the mode."""
        return {step: self.value(step, mode, worker) for step in self.steps(mode)}

    def shape(
        self, step_num: int, mode: ModeKeys = ModeKeys.GLOBAL, worker: str | None = None
    ) -> tuple[int, ...]:
        """Returns the shape at the step, from the saved shape or the saved value.

        Raises `ShapeUnavailableForStep` if neither was saved.
        """
        try:
            return self._core.shape(self.name, step_num, mode.value, worker or "")
        except (StatusError, TypeError, AttributeError) as error:
            return self._again(self._core.shape, error, step_num, mode, worker)

    def shapes(
        self, mode: ModeKeys = ModeKeys.GLOBAL, worker: str | None = None
    ) -> dict[int, tuple[int, ...]]:
        """Returns the shapes at all steps of the mode."""
        return {step: self.shape(step, mode, worker) for step in self.steps(mode)}

    def reduction_value(
        self,
        step_num: int,
        reduction_name: str,
        mode: ModeKeys = ModeKeys.GLOBAL,
        worker: str | None = None,
        abs: bool = False,
    ) -> np.ndarray | np.generic:
        """Returns a reduction: min, max, mean, std, variance, sum, prod, l1 or l2.

        Uses the saved reduction if there is one, otherwise computes it from the values as NumPy
        does. If neither was saved, it raises `TensorUnavailableForStep` with the name of the
        reduction.
        """
        try:
            value = self._core.reduction_value(
                self.name, step_num, reduction_name, abs, mode.value, worker or ""
            )
        except (StatusError, TypeError, AttributeError) as error:

            def ask(name: str, step: int, mode_number: int, worker_name: str) -> Any:
                return self._core.reduction_value(
                    name, step, reduction_name, abs, mode_number, worker_name
                )

            try:
                value = self._again(ask, error, step_num, mode, worker)
            except TensorUnavailableForStep as missing:
                if missing.has_reductions or self._is_at(step_num, mode):
                    raise TensorUnavailableForStep(reduction_name, step_num, mode) from missing
                raise
        if value is None:
            return get_numpy_reduction(reduction_name, self.value(step_num, mode, worker), abs)
        return value

    def reduction_values(
        self, step_num: int, mode: ModeKeys = ModeKeys.GLOBAL, worker: str | None = None
    ) -> dict[tuple[str, bool], np.ndarray]:
        """Returns all saved reductions by name and whether they use absolute values."""
        try:
            saved = self._core.saved_reductions(self.name, step_num, mode.value, worker or "")
        except (StatusError, TypeError, AttributeError) as error:
            saved = self._again(self._core.saved_reductions, error, step_num, mode, worker)
        try:
            return {
                (name, abs): self._core.saved_reduction(
                    self.name, step_num, name, abs, mode.value, worker or ""
                )
                for name, abs in saved
            }
        except StatusError as error:
            raise tensor_error(error, self.name, step_num, mode, worker) from _told(error)

    def workers(self, step_num: int, mode: ModeKeys = ModeKeys.GLOBAL) -> list[str]:
        """Returns the names of the workers that saved the tensor at the step."""
        self.trial.maybe_refresh(self.name)
        try:
            return self._core.tensor_workers(self.name, step_num, mode.value)
        except StatusError as error:
            raise tensor_error(error, self.name, step_num, mode) from None

    def prev_steps(
        self, step: int, n: int | None = None, mode: ModeKeys = ModeKeys.GLOBAL
    ) -> list[int]:
        """Returns the last `n` steps up to and including this one; all of them without `n`."""
        steps = self.steps(mode)
        steps = steps[: bisect_right(steps, step)]
        return steps[-n:] if n else steps

    def step(
        self, step_num: int, mode: ModeKeys = ModeKeys.GLOBAL, worker: str | None = None
    ) -> None:
        """Raises SMDebugNotImplementedError; use value, shape or reduction_value."""
        raise SMDebugNotImplementedError(
            "step is not supported; use value, shape or reduction_value"
        )

    def _is_at(self, step: int, mode: ModeKeys) -> bool:
        """Returns whether anything of the tensor was saved at the step."""
        try:
            return bool(self._core.tensor_workers(self.name, step, mode.value))
        except StatusError:
            return False

    def _has_reductions(self, step: int, mode: ModeKeys, worker: str | None) -> bool:
        try:
            return bool(self._core.saved_reductions(self.name, step, mode.value, worker or ""))
        except StatusError:
            return False

    def _again(
        self,
        ask: Callable[[str, int, int, str], Any],
        error: Exception,
        step: int,
        mode: ModeKeys,
        worker: str | None,
    ) -> Any:
        """Reads new data and retries once. A second failure is raised to the caller."""
        _check_arguments(step, mode, worker)
        if not isinstance(error, StatusError):
            raise error
        self.trial.maybe_refresh(self.name)
        try:
            return ask(self.name, step, mode.value, worker or "")
        except StatusError as failure:
            lost = code_of(failure) == "TensorUnavailableForStep"
            has_reductions = lost and self._has_reductions(step, mode, worker)
            error = tensor_error(failure, self.name, step, mode, worker, has_reductions)
            raise error from _told(failure)


def _told(failure: StatusError) -> StatusError | None:
    """Returns the core's error if it says more than the exception."""
    return failure if "missing" in failure.args[1] else None


def _check_arguments(step: int, mode: ModeKeys, worker: str | None) -> None:
    if not isinstance(mode, ModeKeys):
        raise SMDebugTypeError(f"mode is {mode!r}; expected a member of smdebug.modes")
    if isinstance(step, (str, bytes, float)) or not hasattr(step, "__index__"):
        raise SMDebugTypeError(f"step is {step!r}; expected an integer")
    if worker is not None and not isinstance(worker, str):
        raise SMDebugTypeError(f"worker is {worker!r}; expected a name")
