"""The rank of this process in a distributed training."""

import os
import sys
from typing import NamedTuple

import torch

from tensorwarden.base.slurm import find_task


class Place(NamedTuple):
    """A rank and the number of processes."""

    rank: int
    size: int


def find_place() -> Place:
    """Returns the rank and size from torch.distributed, Horovod, SageMaker's library, torchrun's
    variables or, under `warden run`, Slurm's."""
    distributed = torch.distributed
    if distributed.is_available() and distributed.is_initialized():
        return Place(distributed.get_rank(), distributed.get_world_size())
    for name in ("horovod.torch", "smdistributed.dataparallel.torch.distributed"):
        library = sys.modules.get(name)
        if library is None:
            continue
        try:
            if name.startswith("horovod"):
                return Place(library.rank(), library.size())
            return Place(library.get_rank(), library.get_world_size())
        except (ValueError, RuntimeError):  # Imported but not initialized.
            continue
    try:
        place = Place(int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]))
    except (KeyError, ValueError):
        return Place(*(find_task() or (0, 1)))
    return place if 0 <= place.rank < place.size else Place(0, 1)
