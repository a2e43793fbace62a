"""Wrappers around parts of a framework, which can be taken off again."""

import contextlib
import functools
from typing import Any, Callable, Iterator, List, Tuple


class Patches:
    """Attributes that were replaced."""

    def __init__(self) -> None:
        self._put: List[Tuple[Any, str, Any, Any]] = []

    def put(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """Replaces an attribute by what make returns for it; there is nothing to do if the
        framework, being older or newer, does not have it."""
        original = getattr(owner, name, None)
        if original is None:
            return
        ours = functools.wraps(original)(make(original))
        self._put.append((owner, name, original, ours))
        setattr(owner, name, ours)

    def remove(self) -> None:
        """Everything is as it was, where nobody else has put something on top."""
        for owner, name, original, ours in reversed(self._put):
            if getattr(owner, name) is ours:
                setattr(owner, name, original)
        self._put.clear()

    @contextlib.contextmanager
    def taken_off(self) -> Iterator[None]:
        """Everything is as the framework has it, for a while."""
        changed = [entry for entry in self._put if getattr(entry[0], entry[1]) is entry[3]]
        for owner, name, original, _ in changed:
            setattr(owner, name, original)
        try:
            yield
        finally:
            for owner, name, _, ours in changed:
                setattr(owner, name, ours)
