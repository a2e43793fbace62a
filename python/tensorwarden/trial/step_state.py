"""Whether a step can be read."""

from enum import Enum


class StepState(Enum):
    """The availability of a step."""

    UNAVAILABLE = 0
    "The step was not saved and will not be."
    AVAILABLE = 1
    NOT_YET_AVAILABLE = 2
    "The step may still come."
