"""The base class of rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Sequence

from tensorwarden.base.exceptions import RuleEvaluationConditionMet
from tensorwarden.base.log import get_logger
from tensorwarden.rules.actions import Actions
from tensorwarden.rules.required_tensors import RequiredTensors
from tensorwarden.trial.refreshing import no_refresh
from tensorwarden.trial.trial import Trial


class Rule(ABC):
    """Checks the steps of a trial for a problem.

    ```python
    class TooLarge(Rule):
        def __init__(self, base_trial, threshold=10.0):
            super().__init__(base_trial)
            self.threshold = float(threshold)

        def invoke_at_step(self, step):
            tensor = self.base_trial.tensor("loss")
            return tensor.value(step) > self.threshold

    invoke_rule(TooLarge(create_trial(path)), raise_eval_cond=True)
    ```

    Attributes:
        finding_severity: How bad a finding of this rule is: "problem", "warning" or "note".
    """

    finding_severity = "problem"

    def __init__(
        self,
        base_trial: Any,
        action_str: str | None = None,
        other_trials: Sequence[Trial] | None = None,
    ):
        """Creates the rule and its actions.

        Args:
            base_trial: The trial to check; a `ProfilerTrial` for rules that check system metrics
                and timelines.
            action_str: The actions to run when the rule finds a problem, as JSON; see `Actions`.
            other_trials: More trials to compare with.
        """
        if other_trials is None and isinstance(action_str, (list, tuple)):
            # In older versions the second argument was other_trials.
            action_str, other_trials = None, action_str
        self.base_trial = base_trial
        self.other_trials = other_trials
        self.trials = [base_trial, *(other_trials or [])]
        self.req_tensors = RequiredTensors(self.base_trial, self.other_trials)
        self.logger = get_logger()
        self.rule_name = type(self).__name__
        self.report: dict[str, Any] = {
            "RuleTriggered": 0,
            "Violations": 0,
            "Details": {},
            "Datapoints": 0,
            "RuleParameters": "",
        }
        self._actions = Actions(action_str, self.rule_name)

    def set_required_tensors(self, step: int) -> None:  # noqa: B027 (may be left out)
        """Override to add to `req_tensors` what must be available before the step is checked."""

    @abstractmethod
    def invoke_at_step(self, step: int) -> bool:
        """Override to check the global step. Return True if the rule found a problem."""

    def invoke(self, step: int) -> None:
        """Waits for the global step and checks it.

        If the rule finds a problem, runs the actions and raises `RuleEvaluationConditionMet`. On
        profiler data, which has no steps to wait for, `step` counts the calls.
        """
        # Imported here, because it brings NumPy, which importing rules should not.
        from tensorwarden.profiler.trial import ProfilerTrial

        if isinstance(self.base_trial, ProfilerTrial):
            found = self.invoke_at_step(step)
        else:
            self.base_trial.wait_for_steps([step])
            with no_refresh(self.trials):
                self.req_tensors.clear()
                self.set_required_tensors(step)
                self.req_tensors.fetch()
                found = self.invoke_at_step(step)
        if found:
            self._actions.invoke(f"{self.rule_name} found a problem at step {step}")
            raise RuleEvaluationConditionMet(self.rule_name, step)
