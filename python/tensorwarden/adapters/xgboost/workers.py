"""The rank of this process in a distributed training."""

import importlib
from typing import NamedTuple

from tensorwarden.base.slurm import find_task


class Place(NamedTuple):
    """A rank and the number of processes."""

    rank: int
    size: int


def find_place() -> Place:
    """Returns rank and size from XGBoost's communicator, which has another name before 1.7.

    Tasks of Slurm that are not connected through it are copies of one training.
    """
    for name in ("collective", "rabit"):
        try:
            communicator = importlib.import_module(f"xgboost.{name}")
            place = Place(int(communicator.get_rank()), int(communicator.get_world_size()))
        except Exception:  # Missing, or not usable in this build.
            continue
        if place.size > 1:
            return place
    return Place(*(find_task() or (0, 1)))
