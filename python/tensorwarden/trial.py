"""A training run as its files tell it, finished or still going on."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Iterable, KeysView

from tensorwarden import _core
from tensorwarden._core import StatusError
from tensorwarden.exceptions import (
    NoMoreData,
    SMDebugTypeError,
    StepUnavailable,
    TensorUnavailable,
)
from tensorwarden.log import get_logger
from tensorwarden.modes import ModeKeys
from tensorwarden.refreshing import refresh
from tensorwarden.tensor import StepState, Tensor
from tensorwarden.trial_errors import code_of, plain_error

if TYPE_CHECKING:
    import logging

    import numpy as np

    from tensorwarden.collection import Collection
    from tensorwarden.collection_manager import CollectionManager
    from tensorwarden.index_reader import IndexReader

# How long the core waits in one go. Ctrl-C is heard in between.
_WAIT_SLICE_S = 0.2
_SLICES_BEFORE_WARNING = 100


class Trial:
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
        """Waits until the run's collections are there.

        Args:
            name: for people; with the path, what makes two trials equal
            path: where the run is, as the user named it
            url: where the run is, for the core
            range_steps: only global steps from the first up to, not including, the second
            index_mode: False never looks for new data
            cache: keep values in memory
        """
        self.name = name
        self.path = path
        self.range_steps = range_steps
        self.index_mode = index_mode
        self.cache = cache
        self.dynamic_refresh = True
        self.logger: logging.Logger = get_logger()
        self._tensors: dict[str, Tensor] = {}
        self._names: dict[tuple, list[str]] = {}
        self._manager: CollectionManager | None = None
        self._told_problems = 0
        self._core = self._open(url, *_check_range(range_steps))
        self._tell_problems(len(self._core.problems()))
        self._finished = self._core.loaded_all_steps

    def _open(self, url: str, begin: int | None, end: int | None) -> _core.Trial:
        slices = 0
        while True:
            try:
                return _core.Trial.open(url, begin, end, _WAIT_SLICE_S)
            except StatusError as error:
                if code_of(error) != "Unavailable":
                    raise self._opening_error(error) from None
                slices += 1
                if slices == _SLICES_BEFORE_WARNING:
                    self.logger.warning(f"Still waiting: {error.args[1]}. Is the path right?")

    def _opening_error(self, error: StatusError) -> Exception:
        return plain_error(error)

    # ---- New data.

    @property
    def loaded_all_steps(self) -> bool:
        """Whether the job has ended and everything it saved is known."""
        return self._core.loaded_all_steps

    @property
    def last_complete_step(self) -> int:
        """Every global step up to this one counts as complete; -1 before the first."""
        return self._core.last_complete_step

    def refresh_data(self) -> None:
        """Reads what is new."""
        if self.index_mode:
            self._refresh()

    def refresh_tensor(self, tname: str, steps: Iterable[int] | None = None) -> None:
        """Reads what is new, of all tensors."""
        self.refresh_data()

    def maybe_refresh(self, name: str | None = None) -> None:
        """Reads what is new, unless all is known or `dynamic_refresh` is off."""
        if self.dynamic_refresh and not self._finished:
            self.refresh_data()

    def _refresh(self) -> None:
        if self._finished:
            return
        try:
            new_files, problems = self._core.refresh()
        except StatusError as error:
            raise plain_error(error) from None
        if new_files:
            self._names.clear()
        self._tell_problems(problems)
        self._finished = self._core.loaded_all_steps

    def _tell_problems(self, count: int) -> None:
        if count > self._told_problems:
            for file, offset, message in self._core.problems()[self._told_problems :]:
                place = file if offset is None else f"{file}, byte {offset}"
                self.logger.warning(f"{place}: {message}; passed over")
            self._told_problems = count

    # ---- Steps and modes.

    def steps(
        self, mode: ModeKeys = ModeKeys.GLOBAL, show_incomplete_steps: bool = False
    ) -> list[int]:
        """The steps that all workers have finished, or all that are known; ascending."""
        self.maybe_refresh()
        return self._core.steps(_number(mode), show_incomplete_steps)

    def modes(self) -> KeysView[ModeKeys]:
        """The modes in which steps were saved; never GLOBAL."""
        return {ModeKeys(number): None for number in self._core.modes()}.keys()

    def mode_modestep(self, global_step: int) -> tuple[ModeKeys | None, int | None]:
        """The mode of a global step and its number there; (None, None) if it is not known."""
        found = self._core.mode_of(global_step)
        if found is None:
            self.maybe_refresh()
            found = self._core.mode_of(global_step)
        return (None, None) if found is None else (ModeKeys(found[0]), found[1])

    def mode(self, global_step: int) -> ModeKeys | None:
        """The mode of a global step; None if it is not known."""
        return self.mode_modestep(global_step)[0]

    def mode_step(self, global_step: int) -> int | None:
        """The number of a global step in its mode; None if it is not known."""
        return self.mode_modestep(global_step)[1]

    def global_step(self, mode: ModeKeys, mode_step: int) -> int | None:
        """The global step of a mode's step; None if it is not known."""
        found = self._core.global_step(_number(mode), mode_step)
        if found is None:
            self.maybe_refresh()
            found = self._core.global_step(mode.value, mode_step)
        return found

    def has_passed_step(self, step: int, mode: ModeKeys = ModeKeys.GLOBAL) -> StepState:
        """Whether the step is there, may still come, or will never."""
        self.maybe_refresh()
        return StepState(self._core.has_passed_step(step, _number(mode)))

    def wait_for_steps(
        self, required_steps: Iterable[int], mode: ModeKeys = ModeKeys.GLOBAL
    ) -> None:
        """Returns when all workers have finished these steps.

        Raises `StepUnavailable` for one that was left out, `NoMoreData` if the job ended before it.
        """
        with refresh(self):
            for step in required_steps:
                self._wait_for_step(step, mode)

    def _wait_for_step(self, step: int, mode: ModeKeys) -> None:
        number = _number(mode)
        while True:
            self._refresh()
            state = self._core.has_passed_step(step, number)
            if state == StepState.AVAILABLE.value:
                return
            if state == StepState.UNAVAILABLE.value:
                last = self._core.last_step(number)
                if not self._finished or (last is not None and step < last):
                    raise StepUnavailable(step, mode)
                raise NoMoreData(step, mode, last)
            self._core.wait_for_change(_WAIT_SLICE_S)

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
        key = (step, _number(mode), only)
        names = self._names.get(key)
        if names is None:
            wanted = only and (list(only[0]), list(only[1]))
            try:
                names = self._core.tensor_names(step, mode.value, wanted)
            except StatusError as error:
                raise plain_error(error) from None
            if len(self._names) >= 1000:
                self._names.clear()
            self._names[key] = names
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


def _number(mode: ModeKeys) -> int:
    if not isinstance(mode, ModeKeys):
        raise SMDebugTypeError(f"the mode {mode!r} is not one of smdebug.modes")
    return mode.value


def _last_number(name: str) -> tuple[int, str]:
    found = re.search(r"([0-9]+)$", name)
    return (int(found.group()) if found else -1, name)


def _patterns(regex: str | list[str]) -> tuple[str, ...]:
    patterns = (regex,) if isinstance(regex, str) else tuple(regex)
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise SMDebugTypeError(f"the pattern {pattern!r} is not a str")
    return patterns


def _check_range(range_steps) -> tuple[int | None, int | None]:
    if range_steps is None:
        return None, None
    if len(range_steps) != 2:
        raise AssertionError(f"range_steps {range_steps!r} is not a pair")
    begin, end = range_steps
    if (begin is not None and int(begin) < 0) or (end is not None and int(end) < 0):
        raise AssertionError(f"range_steps {range_steps!r} has a negative step")
    if begin is not None and end is not None and int(begin) >= int(end):
        raise AssertionError(f"range_steps {range_steps!r}: the end is not after the begin")
    return (None if begin is None else int(begin)), (None if end is None else int(end))
