"""Notices models: modules that are called for training while no other module is running."""

from typing import Any

import torch

from tensorwarden.auto.capture import Capture
from tensorwarden.auto.patching import compiling

# So many calls of known models without a new one, and all of them are known.
_SETTLED = 32


def watch(capture: Capture) -> None:
    """Looks at calls of modules whenever the capture says that something new is being trained."""
    capture.on_training.append(_CallWatch(capture).begin)


class _CallWatch:
    """Module.__call__ is replaced while models are looked for, and then only between their
    calls: inside a model nothing is slowed down, and a compiler sees PyTorch as it is."""

    def __init__(self, capture: Capture):
        self._capture = capture
        self._original = torch.nn.Module.__call__
        self._looking = False
        self._quiet = 0
        original = self._original

        def call(module: Any, *args: Any, **kwargs: Any) -> Any:
            if compiling() or not module.training or not capture.consider(module):
                return original(module, *args, **kwargs)
            self._take_off()
            try:
                return original(module, *args, **kwargs)
            finally:
                self._count()

        self._call = call

    def begin(self) -> None:
        """Something new may be trained."""
        self._quiet = 0
        if not self._looking:
            self._looking = True
            self._put_on()

    def _count(self) -> None:
        self._quiet += 1
        if self._capture.off or self._quiet >= _SETTLED:
            self._looking = False
        elif self._looking:
            self._put_on()

    def _put_on(self) -> None:
        torch.nn.Module.__call__ = self._call  # type: ignore[method-assign]

    def _take_off(self) -> None:
        if torch.nn.Module.__call__ is self._call:
            torch.nn.Module.__call__ = self._original  # type: ignore[method-assign]
