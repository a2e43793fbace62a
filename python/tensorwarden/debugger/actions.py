"""What is done when a rule finds something, as RuleParameters name it."""

import re
from typing import Dict, Optional


class Action:
    """One action. Its settings become a part of the text that `action_json` has."""

    def __init__(self, settings: Dict[str, Optional[str]]):
        named = {**settings, "name": type(self).__name__.lower()}
        self.action_parameters = {key: value for key, value in named.items() if value is not None}

    def update_training_job_prefix_if_not_specified(self, training_job_name: str) -> None:
        """Most actions do not depend on the job."""

    def serialize(self) -> str:
        """JSON with a backslash before every quote: whoever reads it pastes it into a string."""
        pairs = (f'\\"{key}\\": \\"{value}\\"' for key, value in self.action_parameters.items())
        return "{" + ", ".join(pairs) + "}"


class StopTraining(Action):
    """Stops the training job whose name begins so, if there is exactly one; the job that the rule
    belongs to if no name is given."""

    def __init__(self, training_job_prefix: Optional[str] = None):
        if training_job_prefix is not None:
            _check("training_job_prefix", training_job_prefix, r"[A-Za-z0-9\-]+", "my-job")
        self.use_default_training_job_prefix = training_job_prefix is None
        super().__init__({"training_job_prefix": training_job_prefix})

    def update_training_job_prefix_if_not_specified(self, training_job_name: str) -> None:
        """Names the job itself."""
        if self.use_default_training_job_prefix:
            self.action_parameters["training_job_prefix"] = training_job_name


class Email(Action):
    """Sends a mail."""

    def __init__(self, email_address: str):
        # What a rule's text can carry: no quotes, no backslashes.
        pattern = r"[A-Za-z0-9.!#$%&*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+"
        _check("email_address", email_address, pattern, "me@example.com")
        super().__init__({"endpoint": email_address})


class SMS(Action):
    """Sends a short message."""

    def __init__(self, phone_number: str):
        _check("phone_number", phone_number, r"\+[0-9]{1,15}", "+15551234567")
        super().__init__({"endpoint": phone_number})


class ActionList:
    """Several actions for one rule."""

    def __init__(self, *actions: Action):
        for action in actions:
            if not isinstance(action, Action):
                raise TypeError(f"not an action: {action!r}; there are StopTraining, Email and SMS")
        self.actions = actions

    def update_training_job_prefix_if_not_specified(self, training_job_name: str) -> None:
        """Names the job in those that stop it."""
        for action in self.actions:
            action.update_training_job_prefix_if_not_specified(training_job_name)

    def serialize(self) -> str:
        """All of them, in the form of one."""
        return "[" + ", ".join(action.serialize() for action in self.actions) + "]"


def is_valid_action_object(actions: object) -> bool:
    """Whether a rule takes it as its actions."""
    return isinstance(actions, (Action, ActionList))


def _check(name: str, value: object, pattern: str, example: str) -> None:
    if not isinstance(value, str) or re.fullmatch(pattern, value) is None:
        raise ValueError(f"{name} {value!r}: accepted is a text such as {example}")
