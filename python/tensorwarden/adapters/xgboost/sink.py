"""Passes tensors to the core by name."""

from typing import Any, Dict, List

import numpy as np

from tensorwarden.base.troubles import say_once


class Sink:
    """Passes arrays to the core, which saves the requested ones."""

    def __init__(self, core: Any):
        self._core = core
        self._numbers: Dict[str, int] = {}  # Numbers of tensors by name.

    def matches(self, name: str) -> int:
        """Returns what must be due for a tensor with this name to be saved."""
        return self._core.matches(name)

    def one(self, name: str, array: np.ndarray) -> None:
        """Saves numbers or text."""
        if array.dtype.kind in "US":
            self._core.save_strings(name, [str(text) for text in array.ravel()], [])
        else:
            self.many([name], [np.ascontiguousarray(array)])

    def many(self, names: List[str], values: List[np.ndarray]) -> None:
        """Saves several arrays of numbers in C order."""
        numbers = [self._number(name) for name in names]
        for place in self._core.save_many(numbers, values):
            say_once(f"'{names[place]}' is not captured: unsupported type {values[place].dtype}")

    def into(self, collections: List[str], name: str, array: np.ndarray) -> None:
        """Saves numbers in these collections, whatever their patterns are."""
        self._core.save_tensor(name, np.ascontiguousarray(array), False, collections)

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = self._core.register(name)
        return number
