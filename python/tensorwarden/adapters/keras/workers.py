"""Who we are among the processes that train together."""

import json
import os
import sys
from typing import NamedTuple


class Place(NamedTuple):
    """A rank among so many."""

    rank: int
    size: int


def find_place() -> Place:
    """From Horovod or SageMaker's library if the script uses them, else from TF_CONFIG, which tells
    the processes of MultiWorkerMirroredStrategy of each other."""
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
        except Exception:  # Imported, but not initialised: each says so by an error of its own.
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
        return Place(0, 1)
