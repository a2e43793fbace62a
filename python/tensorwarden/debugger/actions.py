"""Actions that run when a rule finds a problem, as RuleParameters encode them."""

import re
from typing import Dict, Optional


class Action:
    """Base class of the actions. Its settings become part of the text in `action_json`."""

    def __init__(self, settings: Dict[str, Optional[str]]):
        named = {**settings, "name": type(self).__name__.lower()}
        self.action_parameters = {key: value for key, value in named.items() if value is not None}

    def update_training_job_prefix_if_not_specified(self, training_job_name: str) -> None:
        """Does nothing: most actions do not depend on the job."""

    def serialize(self) -> str:
        """Returns JSON with a backslash before every quote, because readers paste it into a
        string."""
        pairs = (f'\\"{key}\\": \\"{value}\\"' for key, value in self.action_parameters.items())
        return "{" + ", ".join(pairs) + "}"


class StopTraining(Action):
    """Stops the training job whose name begins with the prefix, if there is exactly one.

    Without a prefix, stops the job that the rule belongs to. Raises ValueError for an invalid
    prefix.
    """

    def __init__(self, training_job_prefix: Optional[str] = None):
        if training_job_prefix is not None:
            _check("training_job_prefix", training_job_prefix, r"[A-Za-z0-9\-]+", "my-job")
        self.use_default_training_job_prefix = training_job_prefix is None
        super().__init__({"training_job_prefix": training_job_prefix})

    def update_training_job_prefix_if_not_specified(self, training_job_name: str) -> None:
        """Sets the prefix to the job's name if none was given."""
        if self.use_default_training_job_prefix:
            self.action_parameters["training_job_prefix"] = training_job_name


class Email(Action):
    """Sends an email. Raises ValueError for an invalid address."""

    def __init__(self, email_address: str):
        # The text of a rule cannot contain quotes or backslashes.
        pattern = r"[A-Za-z0-9.!#$%&*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+"
        _check("email_address", email_address, pattern, "me@example.com")
        super().__init__({"endpoint": email_address})


class SMS(Action):
    """Sends an SMS. Raises ValueError for an invalid phone number."""

    def __init__(self, phone_number: str):
        _check("phone_number", phone_number, r"\+[0-9]{1,15}", "+15551234567")
        super().__init__({"endpoint": phone_number})


class ActionList:
    """Several actions for one rule."""

    def __init__(self, *actions: Action):
        for action in actions:
            if not isinstance(action, Action):
                raise TypeError(f"action is {action!r}; expected StopTraining, Email or SMS")
        self.actions = actions

    def update_training_job_prefix_if_not_specified(self, training_job_name: str) -> None:
        """Sets the prefix to the job's name in actions that have none."""
        for action in self.actions:
            action.update_training_job_prefix_if_not_specified(training_job_name)

    def serialize(self) -> str:
        """Returns all actions as one text."""
        return "[" + ", ".join(action.serialize() for action in self.actions) + "]"


def is_valid_action_object(actions: object) -> bool:
    """Returns whether a rule accepts this object as its actions."""
    return isinstance(actions, (Action, ActionList))


def _check(name: str, value: object, pattern: str, example: str) -> None:
    if not isinstance(value, str) or re.fullmatch(pattern, value) is None:
        raise ValueError(f"{name} is {value!r}; expected text such as {example}")
