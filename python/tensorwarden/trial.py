"""A training run as its files tell it, finished or still going on."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from tensorwarden._core import StatusError
from tensorwarden.exceptions import SMDebugTypeError, TensorUnavailable
from tensorwarden.live_run import LiveRun, mode_number
from tensorwarden.modes import ModeKeys
from tensorwarden.tensor import Tensor
from tensorwarden.trial_errors import plain_error

if TYPE_CHECKING:
    import numpy as np

    from tensorwarden.collection import Collection
    from tensorwarden.collection_manager import CollectionManager
    from tensorwarden.index_reader import IndexReader

# Answers of tensor_names that are kept until new data comes.
_MOST_NAME_LISTS = 1000


class Trial(LiveRun):
    """What a run has saved so far.

    Nearly every question first looks for new data, until the job has ended and all it saved is
    known (`loaded_all_steps`), or while `dynamic_refresh` is False. A step is counted in the given
    mode; with `ModeKeys.GLOBAL`, over all modes.

    This is the base of `LocalTrial` and `S3Trial`, which know where the files are.
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
        """`cache` keeps values in memory; for the others see `LiveRun`."""
        self.cache = cache
        self._tensors: dict[str, Tensor] = {}
        self._names: dict[tuple, list[str]] = {}
        self._manager: CollectionManager | None = None
        super().__init__(name, path, url, range_steps, index_mode)

    def _forget(self) -> None:
        self._names = {}  # Not cleared: another thread may just be filling the old one.

    # ---- Workers and collections.

    @property
    def num_workers(self) -> int:
        """How many write."""
        return self._core.num_workers

    @property
    def worker_set(self) -> set[str]:
        """The names of those that wrote their collections."""
        return set(self._core.workers)

    def workers(self) -> list[str]:
        """The names of those that wrote their collections, sorted."""
        return self._core.workers

    @property
    def collection_manager(self) -> CollectionManager:
        """The collections of the run."""
        if self._manager is None:
            from tensorwarden.collection import Collection
            from tensorwarden.collection_manager import CollectionManager

            manager = CollectionManager()
            for text in self._core.collections():
                manager.add(Collection.from_json(text))
            manager.set_num_workers(self.num_workers)
            self._manager = manager
        return self._manager

    def collections(self) -> dict[str, Collection]:
        """The collections by name; changing one changes what the trial takes for its tensors."""
        return self.collection_manager.get_collections()

    def collection(self, coll_name: str) -> Collection:
        """The collection of that name; an empty one is made if there is none."""
        return self.collection_manager.get(coll_name)

    @property
    def index_reader(self) -> IndexReader:
        """Reads single values by their place in the run's files."""
        from tensorwarden.index_reader import LocalIndexReader, S3IndexReader

        return (S3IndexReader if self.path.startswith("s3://") else LocalIndexReader)(self.path)

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
        """The names of the tensors for which all of these hold, sorted.

        Args:
            show_prefixed_tensors: ignored
            step: saved at this step of the mode
            mode: saved in this mode
            regex: one of these patterns is found in the name; not together with a collection
            collection: in this collection, by name or by one of its patterns
        """
        if regex is not None and collection is not None:
            raise ValueError("either a regex or a collection can be asked for, not both")
        self.maybe_refresh()
        only = None
        if regex is not None:
            only = ((), _patterns(regex))
        elif collection is not None:
            only = self._membership(collection)
            if not any(only):
                return []
        key = (step, mode_number(mode), only)
        known = self._names
        names = known.get(key)
        if names is None:
            wanted = only and (list(only[0]), list(only[1]))
            try:
                names = self._core.tensor_names(step, mode.value, wanted)
            except StatusError as error:
                raise plain_error(error) from None
            if len(known) >= _MOST_NAME_LISTS:
                known.clear()
            known[key] = names
        return list(names)

    def tensors(self, *args, **kwargs) -> list[str]:
        """The old name of `tensor_names`."""
        warnings.warn("use tensor_names instead of tensors", DeprecationWarning, stacklevel=2)
        return self.tensor_names(*args, **kwargs)

    def _membership(self, collection: str | Collection) -> tuple[frozenset, tuple]:
        if isinstance(collection, str):
            if collection not in self.collections():
                self.logger.warning(f"The run has no collection '{collection}'")
            collection = self.collection(collection)
        try:
            return frozenset(collection.tensor_names), tuple(collection.include_regex or ())
        except AttributeError:
            raise SMDebugTypeError(
                f"a collection is a name or a Collection, not {type(collection).__name__}"
            ) from None

    def has_tensor(self, tname: str) -> bool:
        """Whether anything of the tensor was saved."""
        if not self._core.has_tensor(tname):
            self.maybe_refresh(tname)
        return self._core.has_tensor(tname)

    def tensor(self, tname: str) -> Tensor:
        """The tensor of that name, or `TensorUnavailable`."""
        tensor = self._tensors.get(tname)
        if tensor is None:
            if not self.has_tensor(tname):
                raise TensorUnavailable(tname)
            tensor = self._tensors[tname] = Tensor(tname, self, self.cache)
        return tensor

    def inputs(self, step: int, mode: ModeKeys = ModeKeys.GLOBAL) -> list[np.ndarray]:
        """The values of the collection `inputs` at the step."""
        return self._values_at(step, mode, collection="inputs")

    def labels(self, step: int, mode: ModeKeys = ModeKeys.GLOBAL) -> list[np.ndarray]:
        """The values of the tensors named labels at the step, by the number at their end."""
        return self._values_at(step, mode, regex="labels*")

    def predictions(self, step: int, mode: ModeKeys = ModeKeys.GLOBAL) -> list[np.ndarray]:
        """The values of the tensors named predictions at the step, by the number at their end."""
        return self._values_at(step, mode, regex="predictions*")

    def _values_at(self, step: int, mode: ModeKeys, **which: str) -> list[np.ndarray]:
        names = self.tensor_names(step=step, mode=mode, **which)
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
            raise SMDebugTypeError(f"the pattern {pattern!r} is not a str")
    return patterns
