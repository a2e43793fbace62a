"""Actions that run when a rule finds a problem."""

from __future__ import annotations

import json
from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.rules.message_action import MessageAction
from tensorwarden.rules.stop_training_action import StopTrainingAction

ALLOWED_ACTIONS = ["stoptraining", "sms", "email"]


class Actions:
    """Actions from JSON text, one object or a list of them.

    * `{"name": "stoptraining", "training_job_prefix": "my-job"}`
    * `{"name": "sms", "endpoint": "+1..."}` or `{"name": "email", "endpoint": "me@..."}`

    Names are case-insensitive. An unknown or incomplete action is skipped with a warning. Text that
    is not JSON raises ValueError.
    """

    def __init__(self, actions_str: str | None = "", rule_name: str = ""):
        self._logger = get_logger()
        self._actions: list[StopTrainingAction | MessageAction] = []
        text = (actions_str or "").strip()
        if not text:
            return
        wanted = json.loads(text)
        for each in wanted if isinstance(wanted, list) else [wanted]:
            self._add(each, rule_name)

    def _add(self, wanted: Any, rule_name: str) -> None:
        if not isinstance(wanted, dict):
            self._logger.warning(f"{rule_name}: action is {wanted!r}; expected an object. Skipped.")
            return
        settings = {str(key).lower(): value for key, value in wanted.items()}
        name = str(settings.get("name", "")).lower()
        if name not in ALLOWED_ACTIONS:
            known = ", ".join(ALLOWED_ACTIONS)
            self._logger.warning(
                f"{rule_name}: unknown action '{name}'; expected one of: {known}. Skipped."
            )
            return
        key = "training_job_prefix" if name == "stoptraining" else "endpoint"
        if not settings.get(key):
            self._logger.warning(f"{rule_name}: action {name} requires '{key}'. Skipped.")
        elif name == "stoptraining":
            self._actions.append(StopTrainingAction(rule_name, settings[key]))
        else:
            self._actions.append(MessageAction(rule_name, name, settings[key]))

    def invoke(self, message: str = "") -> None:
        """Runs all actions."""
        for action in self._actions:
            self._logger.info(f"Running action {type(action).__name__}: {message}")
            action.invoke(message)
