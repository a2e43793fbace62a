"""Who we are among the processes that train together."""

import os
import sys
from typing import NamedTuple

import torch


class Place(NamedTuple):
    """A rank among so many."""

    rank: int
    size: int


def find_place() -> Place:
    """From torch.distributed once it is initialised, from Horovod or SageMaker's library if the
    script uses them, else from the variables that torchrun sets."""
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
        except (ValueError, RuntimeError):  # Imported, but not initialised.
            continue
    try:
        place = Place(int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]))
    except (KeyError, ValueError):
        return Place(0, 1)
    return place if 0 <= place.rank < place.size else Place(0, 1)
