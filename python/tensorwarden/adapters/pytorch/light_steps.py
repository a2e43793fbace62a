"""Steps of which only single numbers are saved, until they are passed to the core."""

from typing import Any, List, Tuple


class LightSteps:
    """Gathers steps, so that many are passed on at once.

    In the middle of a training step the core finds nothing in the cache, and one call takes ten
    times as long as the next.
    """

    def __init__(self) -> None:
        self.count = 0  # Steps that have begun; the last one is the current step.
        self._numbers: List[Tuple[int, int, float, bool]] = []  # The first is the step.

    def begin(self) -> None:
        """Begins a step."""
        self.count += 1

    def add(self, tensor: int, value: float, wide: bool) -> None:
        """Adds a number to the current step; as `save_number` of the core."""
        self._numbers.append((self.count, tensor, value, wide))

    def tell(self, core: Any) -> None:
        """Passes all steps to the core. The last one remains the current step."""
        count, numbers = self.count, self._numbers
        self.count, self._numbers = 0, []
        given = iter(numbers)
        following = next(given, None)
        for step in range(1, count + 1):
            core.begin_step(True)
            while following is not None and following[0] == step:
                core.save_number(*following[1:])
                following = next(given, None)
