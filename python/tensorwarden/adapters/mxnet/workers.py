"""Who we are among the processes that train together."""

import os
import sys
from typing import Any, Iterable, NamedTuple

from tensorwarden.troubles import say_once


class Place(NamedTuple):
    """A rank among so many."""

    rank: int
    size: int


_ALONE = Place(0, 1)


def find_place(parameters: Iterable[Any] = ()) -> Place:
    """From Horovod if the script uses it, else from the distributed key-value store that trains
    these parameters, else from the variables that MXNet's launcher sets."""
    library = sys.modules.get("horovod.mxnet")
    if library is not None:
        try:
            return Place(library.rank(), library.size())
        except (ValueError, RuntimeError):  # Imported, but not initialised.
            pass
    for parameter in parameters:
        store = _store_of(getattr(parameter, "_trainer", None))
        if store is not None:
            return Place(store.rank, store.num_workers)
    return _place_of_launcher()


def _store_of(trainer: Any) -> Any:
    """The trainer's store if it is one of several machines and exists yet."""
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
        f"there are {size} workers, but which of them this is is not known before MXNet's store "
        "is made: give the Trainer mx.kv.create('dist_sync') in place of its name, before the "
        "first forward. Now only the first to come saves"
    )
    return _ALONE
