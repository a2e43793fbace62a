"""The rank of this process in a distributed training."""

import json
import os
import sys
from typing import NamedTuple

from tensorwarden.base.slurm import find_task


class Place(NamedTuple):
    """A rank and the number of processes."""

    rank: int
    size: int


def find_place() -> Place:
    """Returns the rank and size from Horovod, SageMaker's library, TF_CONFIG or, under
    `warden run`, Slurm's variables.

    TF_CONFIG describes the processes of MultiWorkerMirroredStrategy.
    """
    for name in (
        "horovod.tensorflow.keras",
        "horovod.keras",
        "horovod.tensorflow",
        "smdistributed.dataparallel.tensorflow",
    ):
        library = sys.modules.get(name)
        if library is None:
            continue
        try:
            return Place(library.rank(), library.size())
        except Exception:  # Imported but not initialized; each raises its own error.
            continue
    return _from_tf_config()


def _from_tf_config() -> Place:
    try:
        config = json.loads(os.environ.get("TF_CONFIG") or "{}")
        members = [
            (kind, number)
            for kind in ("chief", "worker")
            for number in range(len(config["cluster"].get(kind, ())))
        ]
        me = (config["task"]["type"], int(config["task"]["index"]))
        return Place(members.index(me), len(members))
    except (KeyError, TypeError, ValueError, AttributeError):
        return Place(*(find_task() or (0, 1)))
