"""Detects models: modules called in training mode while no other module is running."""

from typing import Any, Dict, Optional, Tuple

import torch

from tensorwarden.adapters.pytorch.compiling import compiling, not_compiled_alone
from tensorwarden.auto.pytorch.capture import Capture

# After this number of calls without a new model, all models are known.
_SETTLED = 32

_original_call = torch.nn.Module.__call__
_watching: Optional["_CallWatch"] = None


def watch(capture: Capture) -> None:
    """Watches calls of modules whenever the capture reports a new training."""
    global _watching
    _watching = _CallWatch(capture)
    capture.on_training.append(_watching.begin)


@not_compiled_alone
def _watched_call(module: Any, *args: Any, **kwargs: Any) -> Any:
    # Not a closure: torch.compile could not trace through one.
    if compiling() or _watching is None:
        return _original_call(module, *args, **kwargs)
    return _watching.call(module, args, kwargs)


class _CallWatch:
    """Replaces Module.__call__ while it looks for models.

    The replacement is active only between calls of known models. Inside a model nothing is slower,
    and a compiler sees the original PyTorch.
    """

    def __init__(self, capture: Capture):
        self._capture = capture
        self._looking = False
        self._quiet = 0

    def begin(self) -> None:
        """Looks for models again."""
        self._quiet = 0
        if not self._looking:
            self._looking = True
            self._put_on()

    def call(self, module: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        """Calls a module that is not called by a known model."""
        if not getattr(module, "training", False) or not self._capture.consider(module):
            self._capture.note_frozen(module)
            return _original_call(module, *args, **kwargs)
        if torch.nn.Module.__call__ is _watched_call:
            torch.nn.Module.__call__ = _original_call
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
        torch.nn.Module.__call__ = _watched_call
