"""Checks of the PyTorch version."""

import re
from typing import Tuple

import torch


def _version() -> Tuple[int, int]:
    numbers = re.findall(r"\d+", torch.__version__)
    return int(numbers[0]), int(numbers[1])


def is_pt_1_5() -> bool:
    """Returns whether this is torch 1.5."""
    return _version() == (1, 5)


def is_pt_1_6() -> bool:
    """Returns whether this is torch 1.6."""
    return _version() == (1, 6)


def is_pt_1_7() -> bool:
    """Returns whether this is torch 1.7."""
    return _version() == (1, 7)


def is_pt_1_8() -> bool:
    """Returns whether this is torch 1.8."""
    return _version() == (1, 8)
