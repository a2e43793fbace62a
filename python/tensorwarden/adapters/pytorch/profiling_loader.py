"""Records data loaders on the timeline: waits of the training and fetches of workers."""

import os
from typing import Any, Callable, Optional

import torch.multiprocessing
import torch.utils.data
from torch.utils.data import dataloader
from torch.utils.data._utils import fetch as _fetch

from tensorwarden.base.patching import Patches
from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.common.constants import (
    PT_DATALOADER_INITIALIZE,
    PT_DATALOADER_ITER,
    PT_DATALOADER_WORKER,
)
from tensorwarden.profiler.recording.session import get_session, now_us

_FETCH = "DataLoaderWorker::fetch"
_DEEPEST = 6  # Maximum nesting of batches.
_UNKNOWN = (None, None, 0)
_watch: Optional[Callable[[], Any]] = None


def install(watch: Callable[[], Any]) -> None:
    """Records data loaders whenever the session is on, including those in forked processes.

    Workers that are not forked call `watch` first.
    """
    global _watch
    if _watch is not None:
        return
    _watch = watch
    patches = Patches()
    patches.put(dataloader._SingleProcessDataLoaderIter, "__init__", _wrap_init)
    patches.put(dataloader._MultiProcessingDataLoaderIter, "__init__", _wrap_init)
    patches.put(dataloader._BaseDataLoaderIter, "__next__", _wrap_next)
    patches.put(_fetch._MapDatasetFetcher, "fetch", _wrap_fetch)
    patches.put(_fetch._IterableDatasetFetcher, "fetch", _wrap_fetch)


def _wrap_init(original: Any) -> Any:
    session = get_session()

    def init(self: Any, loader: Any, *args: Any, **kwargs: Any) -> None:
        if not session.on:
            return original(self, loader, *args, **kwargs)
        start = now_us()
        with _Starting(loader):
            original(self, loader, *args, **kwargs)
        if session.loads:
            _record(PT_DATALOADER_INITIALIZE, f"{type(self).__name__}.__init__", self, start)

    return init


def _wrap_next(original: Any) -> Any:
    session = get_session()

    def get_next(self: Any) -> Any:
        if not session.loads:
            return original(self)
        start = now_us()
        data = original(self)  # Nothing is recorded at the end of the data.
        # The result for the last batch stays valid until the file or configuration changes.
        config, core, kind = self.__dict__.get("_tensorwarden", _UNKNOWN)
        if config is session.config and core is session.core and core is not None:
            core.span(kind, start)
        else:
            _record(PT_DATALOADER_ITER, f"{type(self).__name__}::GetNext", self, start)
        return data

    return get_next


def _record(phase: str, name: str, iterator: Any, start: int) -> None:
    session = get_session()
    try:
        if not session.loads_metric(name):
            return
        # Loaders with different settings are different kinds of spans.
        workers = getattr(iterator, "_num_workers", 0)
        pinned = bool(getattr(iterator, "_pin_memory", False))
        prefetch = getattr(iterator, "_prefetch_factor", None)
        kind = session.kind((phase, name, workers, pinned, prefetch), _describe)
        core = session.core or session.open()
        core.span(kind, start)
        if phase == PT_DATALOADER_ITER:
            iterator._tensorwarden = (session.config, core, kind)
    except Exception as error:
        _tell(error)


def _describe(_: str, __: str, workers: int, pinned: bool, prefetch: Optional[int]) -> str:
    ahead = "" if prefetch is None else f', "prefetch_factor": {int(prefetch)}'
    return (
        f'"worker_id": -1, "num_workers": {int(workers)}, '
        f'"pin_memory": {"true" if pinned else "false"}{ahead}'
    )


def _wrap_fetch(original: Any) -> Any:
    session = get_session()

    def fetch(self: Any, index: Any) -> Any:
        worker = torch.utils.data.get_worker_info()
        if not (session.loads if worker is None else session.workers_load()):
            return original(self, index)
        start = now_us()
        data = original(self, index)
        if worker is None:
            _record_own_fetch(start)
        else:
            _record_fetch(worker, start, data)
        return data

    return fetch


def _record_own_fetch(start: int) -> None:
    """Records a fetch in the training process, without workers."""
    session = get_session()
    try:
        if session.loads_metric(_FETCH):
            kind = session.kind((PT_DATALOADER_WORKER, _FETCH), _describe_own_fetch)
            (session.core or session.open()).span(kind, start)
    except Exception as error:
        _tell(error)


def _describe_own_fetch(*_: Any) -> str:
    return '"worker_id": -1, "num_workers": 0'


def _record_fetch(worker: Any, start: int, data: Any) -> None:
    """Records a fetch in a worker, which has its own file."""
    session = get_session()
    try:
        session.is_worker = True
        if start >= session.next_look_us:
            session.look(start)
        if session.config is None or not session.loads_metric(_FETCH):
            return
        duration = now_us() - start
        (session.core or session.open()).event(
            PT_DATALOADER_WORKER,
            _FETCH,
            start,
            duration,
            f'"pid": {os.getpid()}, "worker_id": {worker.id}, "num_workers": {worker.num_workers}, '
            f'"bytes_fetched": {_bytes_of(data, 0)}',
        )
    except Exception as error:
        _tell(error)


def _bytes_of(data: Any, depth: int) -> int:
    """Returns the size of the tensors, arrays and texts in a batch."""
    if isinstance(data, torch.Tensor):
        return data.element_size() * data.nelement()
    if isinstance(data, (bytes, str)):
        return len(data)
    if depth < _DEEPEST:
        if isinstance(data, dict):
            return sum(_bytes_of(part, depth + 1) for part in data.values())
        if isinstance(data, (list, tuple)):
            return sum(_bytes_of(part, depth + 1) for part in data)
    size = getattr(data, "nbytes", 0)
    return size if isinstance(size, int) else 0


class _Starting:
    """Sets up workers that are not forked, because they inherit nothing.

    Below `warden run`, every process sets itself up.
    """

    def __init__(self, loader: Any):
        self._loader = loader
        self._before = getattr(loader, "worker_init_fn", None)
        self._changed = False

    def __enter__(self) -> None:
        workers = getattr(self._loader, "num_workers", 0)
        if workers and not _forks(self._loader) and os.environ.get("TENSORWARDEN_AUTO") != "1":
            self._loader.worker_init_fn = WorkerStart(_watch, self._before)
            self._changed = True

    def __exit__(self, *_: Any) -> None:
        if self._changed:
            self._loader.worker_init_fn = self._before


def _forks(loader: Any) -> bool:
    context: Any = getattr(loader, "multiprocessing_context", None)
    if context is None:
        context = torch.multiprocessing
    return context.get_start_method() == "fork"


class WorkerStart:
    """A worker_init_fn that sets up recording in a worker and then calls that of the script."""

    def __init__(self, watch: Optional[Callable[[], Any]], then: Optional[Callable[[int], None]]):
        self.watch = watch
        self.then = then

    def __call__(self, worker_id: int) -> None:
        try:
            if self.watch is not None:
                self.watch()
        except Exception as error:
            _tell(error)
        if self.then is not None:
            self.then(worker_id)


def _tell(error: Exception) -> None:
    say_once(f"data loading is missing on the timeline: {type(error).__name__}: {error}")
