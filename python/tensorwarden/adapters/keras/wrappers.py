"""Temporary wrappers around `Layer.__call__` and `Optimizer.apply`, which every step calls."""

import contextlib
import threading
from typing import Any, Iterator, List

from tensorwarden.base.patching import Patches

_local = threading.local()  # Each replica of a distributed step has a thread and a collector.


def active_collector() -> Any:
    """Returns the collector of this thread; None if there is none."""
    return getattr(_local, "collector", None)


@contextlib.contextmanager
def reporting_to(collector: Any) -> Iterator[None]:
    """Returns a context in which the layers and optimizers of this thread report to the
    collector."""
    before = active_collector()
    with _wrappers.held():
        _local.collector = collector
        try:
            yield
        finally:
            _local.collector = before


class _Wrappers:
    """The wrappers on Keras classes, active while at least one collector is."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holders = 0
        self._patches = Patches()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        with self._lock:
            self._holders += 1
            if self._holders == 1:
                self._put_on()
        try:
            yield
        finally:
            with self._lock:
                self._holders -= 1
                if self._holders == 0:
                    self._patches.remove()

    def _put_on(self) -> None:
        import keras

        self._patches.put(keras.layers.Layer, "__call__", _watched_call)
        for owner in optimizer_classes(keras):
            self._patches.put(owner, "apply", _watched_apply)


def _watched_call(original: Any) -> Any:
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        collector = active_collector()
        if collector is None:
            return original(self, *args, **kwargs)
        return collector.call_layer(self, original, args, kwargs)

    return call


def _watched_apply(original: Any) -> Any:
    def apply(self: Any, grads: Any, trainable_variables: Any = None) -> Any:
        collector = active_collector()
        if collector is None:
            return original(self, grads, trainable_variables)
        return collector.apply_gradients(self, original, grads, trainable_variables)

    return apply


def optimizer_classes(keras: Any) -> List[Any]:
    """Returns the classes that define `apply`: the base class and the one that scales losses."""
    owners = []
    for kind in (keras.optimizers.Optimizer, keras.optimizers.LossScaleOptimizer):
        owner = next((c for c in kind.__mro__ if "apply" in vars(c)), None)
        if owner is not None and owner not in owners:
            owners.append(owner)
    return owners


_wrappers = _Wrappers()
