"""What is observed of a training loop, saved in the step at which it happened."""

import json
from typing import Any, Dict

import numpy as np

from tensorwarden.auto.common import arguments

COLLECTION = "training"
_COLLECTIONS = [COLLECTION]


class Journal:
    """Collects numbers and facts of the step under way.

    Numbers belong to one step. Facts describe the script, and are saved when they change.
    """

    def __init__(self) -> None:
        self._numbers: Dict[str, float] = {}
        self._counts: Dict[str, int] = {}  # Of values whose mean is noted.
        self._facts: Dict[str, Any] = {}
        self._changed = False
        self._arguments: Dict[str, Any] = {}  # As they were saved.

    def note(self, name: str, value: float) -> None:
        """Sets a number of this step."""
        self._numbers[name] = value

    def note_mean(self, name: str, value: float) -> None:
        """Adds a value to the mean that is a number of this step."""
        count = self._counts[name] = self._counts.get(name, 0) + 1
        self._numbers[name] = self._numbers.get(name, 0.0) * (count - 1) / count + value / count

    def fact(self, name: str, value: Any) -> None:
        """Sets a fact, which JSON must be able to express."""
        if value is not None and self._facts.get(name) != value:
            self._facts[name] = value
            self._changed = True

    def has(self, name: str) -> bool:
        """Returns whether a fact is known."""
        return name in self._facts

    def save(self, hook: Any) -> None:
        """Saves what was noted since the last call, into the step that the hook is in."""
        core = hook._raw_core
        if core is None or hook.disabled or (not self._numbers and not self._changed):
            return
        core = hook._core
        if self._numbers:
            core.save_numbers_now(self._numbers, "training/", _COLLECTIONS)
        self._numbers.clear()
        self._counts.clear()
        if self._changed:
            self._changed = False
            _save_json(core, "training/facts", self._facts)
            given = arguments.parsed()
            if given != self._arguments:
                self._arguments = given
                _save_json(core, "training/arguments", given)


def _save_json(core: Any, name: str, value: Any) -> None:
    text = json.dumps(value).encode()
    core.save_tensor_now(name, np.frombuffer(text, np.uint8), _COLLECTIONS)
