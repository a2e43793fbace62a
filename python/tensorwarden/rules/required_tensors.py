"""What a rule needs before it looks at a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, KeysView, Sequence, ValuesView

if TYPE_CHECKING:
    from tensorwarden.tensor import Tensor
    from tensorwarden.trial import Trial


class RequiredTensorsForTrial:
    """Tensors of one trial with the global steps at which they are needed."""

    def __init__(self, trial: Trial):
        self.trial = trial
        self._tensors: dict[str, Tensor] = {}
        self._steps: dict[str, list[int]] = {}

    def add(self, name: str, steps: list[int], should_match_regex: bool = False) -> None:
        """The tensor of that name, or all in whose name the pattern is found."""
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
        """The tensors."""
        return self._tensors.values()

    def get_names(self) -> KeysView[str]:
        """Their names."""
        return self._tensors.keys()

    def get_tensor_steps(self, name: str) -> list[int]:
        """The steps at which this one is needed; KeyError if it is not."""
        return self._steps[name]

    def clear(self) -> None:
        """Nothing is needed any more."""
        self._tensors.clear()
        self._steps.clear()

    def fetch(self) -> None:
        """Waits for all steps and reads all values; raises what reading raises."""
        steps = sorted({step for steps in self._steps.values() for step in steps})
        if steps:
            self.trial.wait_for_steps(steps)
        for name, tensor in self._tensors.items():
            for step in self._steps[name]:
                tensor.value(step)


class RequiredTensors:
    """Tensors of a rule's trials. Without a trial, the base trial is meant."""

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
        """Needs a tensor, or all in whose name a pattern is found, at these global steps.

        The list is kept, and grows if the same tensor is added again. `TensorUnavailable` if there
        is none of that name.
        """
        self._of(trial).add(name, steps, should_match_regex)

    def get(self, trial: Trial | None = None) -> ValuesView[Tensor]:
        """The tensors needed of a trial."""
        return self._of(trial).get()

    def get_names(self, trial: Trial | None = None) -> KeysView[str]:
        """Their names."""
        return self._of(trial).get_names()

    def get_tensor_steps(self, name: str, trial: Trial | None = None) -> list[int]:
        """The steps at which this one is needed; KeyError if it is not."""
        return self._of(trial).get_tensor_steps(name)

    def clear(self) -> None:
        """Nothing is needed any more."""
        for required in self._per_trial.values():
            required.clear()

    def fetch(self) -> None:
        """Waits for all steps of all trials and reads all values; raises what reading raises."""
        for required in self._per_trial.values():
            required.fetch()
