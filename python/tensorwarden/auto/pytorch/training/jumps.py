"""Notices numbers of a training that are suddenly a multiple of what they usually are."""

import math
from typing import Callable, Dict, Tuple

_FACTOR = 5.0
_LEAST = 16  # Values before which nothing is usual.


class Jumps:
    """Follows the magnitudes of losses, the norms of gradients, and those of updates."""

    def __init__(self, found: Callable[[], None]) -> None:
        """`found` is called when a number has jumped."""
        self._found = found
        self._usual: Dict[str, Tuple[float, int]] = {}  # The mean, and of how many values.

    def look(self, name: str, value: float) -> None:
        """Looks at the next value of a number."""
        size = abs(value)
        if not math.isfinite(size):
            return
        usual, count = self._usual.get(name, (0.0, 0))
        if count >= _LEAST and size > _FACTOR * usual:
            self._found()
            size = _FACTOR * usual  # A single value must not change what is usual.
        count = min(count + 1, _LEAST)
        self._usual[name] = usual + (size - usual) / count, count
