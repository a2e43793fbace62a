"""Wrappers around the two places of Keras that a step passes, `Layer.__call__` and
`Optimizer.apply`, which are there only while somebody looks."""

import contextlib
import threading
from typing import Any, Iterator, List

from tensorwarden.auto.patching import Patches

_local = threading.local()  # Each replica of a distributed step has a thread, and a collector.


def active_collector() -> Any:
    """Whom this thread's layers and optimizers report to; None for nobody."""
    return getattr(_local, "collector", None)


@contextlib.contextmanager
def reporting_to(collector: Any) -> Iterator[None]:
    """Within, this thread's layers and optimizers report to the collector."""
    before = active_collector()
    with _wrappers.held():
        _local.collector = collector
        try:
            yield
        finally:
            _local.collector = before


class _Wrappers:
    """On Keras's classes while somebody looks."""

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
    """Those that say how gradients are applied: the one that all are made of, and the one that
    scales losses."""
    owners = []
    for kind in (keras.optimizers.Optimizer, keras.optimizers.LossScaleOptimizer):
        owner = next((c for c in kind.__mro__ if "apply" in vars(c)), None)
        if owner is not None and owner not in owners:
            owners.append(owner)
    return owners


_wrappers = _Wrappers()
