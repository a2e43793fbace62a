"""The modes of training."""

from enum import Enum


class ModeKeys(Enum):
    """The purpose of a step. Each mode counts its own steps. The numbers are stored on disk."""

    TRAIN = 1
    EVAL = 2
    PREDICT = 3
    GLOBAL = 4

    # Members are unique, and Enum's hash is slow: each step uses it several times.
    __hash__ = object.__hash__
