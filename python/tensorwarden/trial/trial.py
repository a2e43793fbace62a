"""A training run read from its files, finished or still running."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any

from tensorwarden._core import StatusError
from tensorwarden.base.core_errors import plain_error
from tensorwarden.base.exceptions import SMDebugTypeError, TensorUnavailable
from tensorwarden.base.modes import ModeKeys
from tensorwarden.trial.live_run import LiveRun, mode_number
from tensorwarden.trial.tensor import Tensor

if TYPE_CHECKING:
    import numpy as np

    from tensorwarden.config.collection import Collection
    from tensorwarden.config.collection_manager import CollectionManager
    from tensorwarden.files.index_reader import IndexReader

# Limits the cached results of tensor_names, which are dropped when new data arrives.
_MOST_NAME_LISTS = 1000


class Trial(LiveRun):
    """The saved data of a run.

    Almost every method first reads new data, until the job has ended and everything has been read
    (`loaded_all_steps`). Set `dynamic_refresh` to False to turn this off. Steps are counted within
    the given mode; `ModeKeys.GLOBAL` counts over all modes.

    This is the base class of `LocalTrial` and `S3Trial`.
    """

    def __init__(
        self,
        name: str,
        path: str,
        url: str,
        range_steps: tuple[int | None, int | None] | None = None,
        index_mode: bool = True,
        cache: bool = False,
    ):
        """`cache` keeps values in memory; see `LiveRun` for the other arguments."""
        self.cache = cache
        self._tensors: dict[str, Tensor] = {}
        self._names: dict[tuple, list[str]] = {}
        self._manager: CollectionManager | None = None
        super().__init__(name, path, url, range_steps, index_mode)

    def _forget(self) -> None:
        self._names = {}  # Replaced, not cleared: another thread may be filling the old one.

    # ---- Workers and collections.

    @property
    def num_workers(self) -> int:
        """The number of workers that save."""
        return self._core.num_workers

    @property
    def worker_set(self) -> set[str]:
        """The names of the workers that wrote their collections."""
        return set(self._core.workers)

    @property
    def last_index_token(self) -> str | None:
        """The index file of the last complete step, of the last worker by name; None before."""
        # Imported here, because it takes long and few ask for this.
        from tensorwarden.sagemaker.locations import IndexFileLocationUtils

        step, workers = self.last_complete_step, self._core.workers
        if step < 0 or not workers:
            return None
        return IndexFileLocationUtils.get_index_key_for_step(self.path, step, workers[-1])

    def workers(self) -> list[str]:
        """Returns the names of the workers that wrote their collections, sorted."""
        return self._core.workers

    @property
    def collection_manager(self) -> CollectionManager:
        """The collections of the run."""
        if self._manager is None:
            from tensorwarden.config.collection import Collection
            from tensorwarden.config.collection_manager import CollectionManager

            manager = CollectionManager()
            for text in self._core.collections():
                manager.add(Collection.from_json(text))
            manager.set_num_workers(self.num_workers)
            self._manager = manager
        return self._manager

    def collections(self) -> dict[str, Collection]:
        """Returns the collections by name. Changing one changes which tensors belong to it."""
        return self.collection_manager.get_collections()

    def collection(self, coll_name: str) -> Collection:
        """Returns the collection with this name; creates an empty one if it does not exist."""
        return self.collection_manager.get(coll_name)

    @property
    def index_reader(self) -> IndexReader:
        """A reader for single values by their location in the files of the run."""
        from tensorwarden.files.index_reader import LocalIndexReader

        return LocalIndexReader(self.path)

    # ---- Tensors.

    def tensor_names(
        self,
        show_prefixed_tensors: bool = False,
        *,
        step: int | None = None,
        mode: ModeKeys = ModeKeys.GLOBAL,
        regex: str | list[str] | None = None,
        collection: str | Collection | None = None,
    ) -> list[str]:
        """Returns the names of the tensors that meet all conditions, sorted.

        Args:
            show_prefixed_tensors: Ignored.
            step: Only tensors saved at this step of the mode.
            mode: Only tensors saved in this mode.
            regex: Only tensors whose name matches one of these patterns; excludes `collection`.
            collection: Only tensors in this collection, by name or by pattern.

        Raises ValueError if both `regex` and `collection` are given.
        """
        if regex is not None and collection is not None:
            raise ValueError("regex and collection are both given; expected at most one")
        self.maybe_refresh()
        only: tuple[frozenset[str], tuple[str, ...]] | None = None
        if regex is not None:
            only = (frozenset(), _patterns(regex))
        elif collection is not None:
            only = self._membership(collection)
            if not any(only):
                return []
        key = (step, mode_number(mode), only)
        known = self._names
        names = known.get(key)
        if names is None:
            wanted = None if only is None else (list(only[0]), list(only[1]))
            try:
                names = self._core.tensor_names(step, mode.value, wanted)
            except StatusError as error:
                raise plain_error(error) from None
            if len(known) >= _MOST_NAME_LISTS:
                known.clear()
            known[key] = names
        return list(names)

    def tensors(self, *args: Any, **kwargs: Any) -> list[str]:
        """Returns the tensor names. Deprecated: use `tensor_names`."""
        warnings.warn("tensors is deprecated; use tensor_names", DeprecationWarning, stacklevel=2)
        return self.tensor_names(*args, **kwargs)

    def _membership(self, collection: str | Collection) -> tuple[frozenset[str], tuple[str, ...]]:
        if isinstance(collection, str):
            if collection not in self.collections():
                self.logger.warning(f"The run has no collection '{collection}'")
            collection = self.collection(collection)
        try:
            return frozenset(collection.tensor_names), tuple(collection.include_regex or ())
        except AttributeError:
            raise SMDebugTypeError(
                f"collection is {type(collection).__name__}; expected a name or a Collection"
            ) from None

    def has_tensor(self, tname: str) -> bool:
        """Returns whether anything of the tensor was saved."""
        if not self._core.has_tensor(tname):
            self.maybe_refresh(tname)
        return self._core.has_tensor(tname)

    def tensor(self, tname: str) -> Tensor:
        """Returns the tensor with this name. Raises `TensorUnavailable` if there is none."""
        tensor = self._tensors.get(tname)
        if tensor is None:
            if not self.has_tensor(tname):
                raise TensorUnavailable(tname)
            tensor = self._tensors[tname] = Tensor(tname, self, self.cache)
        return tensor

    def inputs(self, step: int, mode: ModeKeys = ModeKeys.GLOBAL) -> list[np.ndarray]:
        """Returns the values of the collection `inputs` at the step."""
        return self._values_at(step, mode, collection="inputs")

    def labels(self, step: int, mode: ModeKeys = ModeKeys.GLOBAL) -> list[np.ndarray]:
        """Returns the values of the tensors named labels at the step, sorted by trailing number."""
        return self._values_at(step, mode, regex="labels*")

    def predictions(self, step: int, mode: ModeKeys = ModeKeys.GLOBAL) -> list[np.ndarray]:
        """Returns the values of the tensors named predictions at the step, sorted by trailing
        number."""
        return self._values_at(step, mode, regex="predictions*")

    def _values_at(
        self, step: int, mode: ModeKeys, regex: str | None = None, collection: str | None = None
    ) -> list[np.ndarray]:
        names = self.tensor_names(step=step, mode=mode, regex=regex, collection=collection)
        return [self.tensor(name).value(step, mode) for name in sorted(names, key=_last_number)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trial):
            return NotImplemented
        return (self.name, self.path) == (other.name, other.path)

    def __hash__(self) -> int:
        return hash((self.name, self.path))

    def __repr__(self) -> str:
        return (
            f"{object.__repr__(self)}:(\n    name={self.name},\n    path={self.path},\n"
            f"    steps={self.steps()},\n    collections={list(self.collections())},\n"
            f"    tensor_names={self.tensor_names()},\n)"
        )


def _last_number(name: str) -> tuple[int, str]:
    found = re.search(r"([0-9]+)$", name)
    return (int(found.group()) if found else -1, name)


def _patterns(regex: str | list[str]) -> tuple[str, ...]:
    patterns = (regex,) if isinstance(regex, str) else tuple(regex)
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise SMDebugTypeError(f"regex contains {pattern!r}; expected strings")
    return patterns
