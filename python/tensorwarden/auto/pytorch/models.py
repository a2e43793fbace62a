"""Notices models: modules that are called for training while no other module is running."""

from typing import Any, Dict, Optional, Tuple

import torch

from tensorwarden.auto.pytorch.capture import Capture
from tensorwarden.auto.pytorch.compiling import compiling

# So many calls of known models without a new one, and all of them are known.
_SETTLED = 32

_original_call = torch.nn.Module.__call__
_watching: Optional["_CallWatch"] = None


def watch(capture: Capture) -> None:
    """Looks at calls of modules whenever the capture says that something new is being trained."""
    global _watching
    _watching = _CallWatch(capture)
    capture.on_training.append(_watching.begin)


def _watched_call(module: Any, *args: Any, **kwargs: Any) -> Any:
    # Of a function with variables of an outer one, torch.compile could not see this much.
    if compiling() or _watching is None:
        return _original_call(module, *args, **kwargs)
    return _watching.call(module, args, kwargs)


class _CallWatch:
    """Module.__call__ is replaced while models are looked for, and then only between their
    calls: inside a model nothing is slowed down, and a compiler sees PyTorch as it is."""

    def __init__(self, capture: Capture):
        self._capture = capture
        self._looking = False
        self._quiet = 0

    def begin(self) -> None:
        """Something new may be trained."""
        self._quiet = 0
        if not self._looking:
            self._looking = True
            self._put_on()

    def call(self, module: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        """A module is called from outside of every model."""
        if not getattr(module, "training", False) or not self._capture.consider(module):
            return _original_call(module, *args, **kwargs)
        if torch.nn.Module.__call__ is _watched_call:
            torch.nn.Module.__call__ = _original_call  # type: ignore[method-assign]
        try:
            return _original_call(module, *args, **kwargs)
        finally:
            self._count()

    def _count(self) -> None:
        self._quiet += 1
        if self._capture.off or self._quiet >= _SETTLED:
            self._looking = False
        elif self._looking:
            self._put_on()

    def _put_on(self) -> None:
        torch.nn.Module.__call__ = _watched_call  # type: ignore[method-assign]
