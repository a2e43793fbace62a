"""The modes of training."""

from enum import Enum


class ModeKeys(Enum):
    """What a step is taken for; each mode counts its steps for itself. The numbers are on disk."""

    TRAIN = 1
    EVAL = 2
    PREDICT = 3
    GLOBAL = 4

    # Each is there once, and Enum's own is slow: it is asked several times in each step.
    __hash__ = object.__hash__
