"""The tensors that a rule requires at a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, KeysView, Sequence, ValuesView

if TYPE_CHECKING:
    from tensorwarden.trial.tensor import Tensor
    from tensorwarden.trial.trial import Trial


class RequiredTensorsForTrial:
    """Tensors of one trial with the global steps at which they are required."""

    def __init__(self, trial: Trial):
        self.trial = trial
        self._tensors: dict[str, Tensor] = {}
        self._steps: dict[str, list[int]] = {}

    def add(self, name: str, steps: list[int], should_match_regex: bool = False) -> None:
        """Adds the tensor with this name, or all tensors whose name matches the pattern."""
        names = self.trial.tensor_names(regex=name) if should_match_regex else [name]
        for each in names:
            self._add(each, steps)

    def _add(self, name: str, steps: list[int]) -> None:
        if name in self._tensors:
            self._steps[name].extend(steps)
        else:
            self._tensors[name] = self.trial.tensor(name)
            self._steps[name] = steps

    def get(self) -> ValuesView[Tensor]:
        """Returns the tensors."""
        return self._tensors.values()

    def get_names(self) -> KeysView[str]:
        """Returns the names of the tensors."""
        return self._tensors.keys()

    def get_tensor_steps(self, name: str) -> list[int]:
        """Returns the steps at which the tensor is required. Raises KeyError if it is not."""
        return self._steps[name]

    def clear(self) -> None:
        """Removes all tensors."""
        self._tensors.clear()
        self._steps.clear()

    def fetch(self) -> None:
        """Waits for all steps and reads all values. Raises the errors of the trial."""
        steps = sorted({step for steps in self._steps.values() for step in steps})
        if steps:
            self.trial.wait_for_steps(steps)
        for name, tensor in self._tensors.items():
            for step in self._steps[name]:
                tensor.value(step)


class RequiredTensors:
    """Required tensors of the trials of a rule. The default trial is the base trial."""

    def __init__(self, base_trial: Trial, other_trials: Sequence[Trial] | None):
        self.base_trial = base_trial
        self._per_trial = {
            trial: RequiredTensorsForTrial(trial) for trial in [base_trial, *(other_trials or [])]
        }

    def _of(self, trial: Trial | None) -> RequiredTensorsForTrial:
        return self._per_trial[self.base_trial if trial is None else trial]

    def add(
        self,
        name: str,
        steps: list[int],
        trial: Trial | None = None,
        should_match_regex: bool = False,
    ) -> None:
        """Requires a tensor, or all tensors whose name matches a pattern, at these global steps.

        The list is kept and extended if the same tensor is added again. Raises `TensorUnavailable`
        if there is no tensor with this name.
        """
        self._of(trial).add(name, steps, should_match_regex)

    def get(self, trial: Trial | None = None) -> ValuesView[Tensor]:
        """Returns the required tensors of a trial."""
        return self._of(trial).get()

    def get_names(self, trial: Trial | None = None) -> KeysView[str]:
        """Returns the names of the required tensors of a trial."""
        return self._of(trial).get_names()

    def get_tensor_steps(self, name: str, trial: Trial | None = None) -> list[int]:
        """Returns the steps at which the tensor is required. Raises KeyError if it is not."""
        return self._of(trial).get_tensor_steps(name)

    def clear(self) -> None:
        """Removes all tensors."""
        for required in self._per_trial.values():
            required.clear()

    def fetch(self) -> None:
        """Waits for all steps of all trials and reads all values. Raises the trials' errors."""
        for required in self._per_trial.values():
            required.fetch()
