"""The rank of this process in a distributed training."""

import os
import sys
from typing import Any, Iterable, NamedTuple

from tensorwarden.base.troubles import say_once


class Place(NamedTuple):
    """A rank and the number of processes."""

    rank: int
    size: int


_ALONE = Place(0, 1)


def find_place(parameters: Iterable[Any] = ()) -> Place:
    """Returns the rank and size from Horovod, from the distributed key-value store of these
    parameters, or from the variables of MXNet's launcher."""
    library = sys.modules.get("horovod.mxnet")
    if library is not None:
        try:
            return Place(library.rank(), library.size())
        except (ValueError, RuntimeError):  # Imported but not initialized.
            pass
    for parameter in parameters:
        store = _store_of(getattr(parameter, "_trainer", None))
        if store is not None:
            return Place(store.rank, store.num_workers)
    return _place_of_launcher()


def _store_of(trainer: Any) -> Any:
    """Returns the trainer's store if it is distributed and already exists."""
    given = (getattr(trainer, "_kvstore_params", None) or {}).get("kvstore")
    for store in (getattr(trainer, "_kvstore", None), given):
        if "dist" in getattr(store, "type", ""):
            return store
    return None


def _place_of_launcher() -> Place:
    environment = os.environ
    try:
        size = int(environment["DMLC_NUM_WORKER"])
    except (KeyError, ValueError):
        return _ALONE
    if size <= 1:
        return _ALONE
    for name in ("DMLC_WORKER_ID", "DMLC_RANK"):
        try:
            place = Place(int(environment[name]), size)
        except (KeyError, ValueError):
            continue
        if 0 <= place.rank < size:
            return place
    say_once(
        f"there are {size} workers, but the rank of this process is unknown before MXNet's store "
        "exists; only the first worker saves. Pass mx.kv.create('dist_sync') to the Trainer, "
        "instead of its name, before the first forward pass"
    )
    return _ALONE
