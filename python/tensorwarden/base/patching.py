"""Removable wrappers around functions of a framework."""

import contextlib
import functools
from typing import Any, Callable, Iterator, List, Tuple


class Patches:
    """A set of replaced attributes."""

    def __init__(self) -> None:
        self._put: List[Tuple[Any, str, Any, Any]] = []

    def put(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """Replaces an attribute with the result of `make`.

        Does nothing if this version of the framework does not have the attribute.
        """
        original = getattr(owner, name, None)
        if original is None:
            return
        ours = functools.wraps(original)(make(original))
        self._put.append((owner, name, original, ours))
        setattr(owner, name, ours)

    def remove(self) -> None:
        """Restores all attributes that nobody else has replaced since."""
        for owner, name, original, ours in reversed(self._put):
            if getattr(owner, name) is ours:
                setattr(owner, name, original)
        self._put.clear()

    @contextlib.contextmanager
    def taken_off(self) -> Iterator[None]:
        """Restores all attributes temporarily."""
        changed = [entry for entry in self._put if getattr(entry[0], entry[1]) is entry[3]]
        for owner, name, original, _ in changed:
            setattr(owner, name, original)
        try:
            yield
        finally:
            for owner, name, _, ours in changed:
                setattr(owner, name, ours)
