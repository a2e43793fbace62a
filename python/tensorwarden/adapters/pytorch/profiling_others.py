"""Other profilers in the process of a training."""

from typing import Any, Tuple, Type

import torch
from torch.autograd import profiler as torch_profiler

from tensorwarden.base.patching import Patches


def another_is_running() -> bool:
    """Returns whether a profiler of PyTorch is running."""
    enabled = getattr(torch.autograd, "_profiler_enabled", None)
    return bool(enabled is not None and enabled())


class OthersFirst:
    """Stops our profiler when another profiler of PyTorch is started."""

    def __init__(self, stop: Any, ours: Tuple[Type[Any], ...] = ()):
        self._patches = Patches()

        def make(original: Any) -> Any:
            def start(self: Any, *args: Any, **kwargs: Any) -> Any:
                if not isinstance(self, ours):
                    stop()
                return original(self, *args, **kwargs)

            return start

        for name in ("__enter__", "_prepare_trace", "_start_trace"):
            self._patches.put(torch_profiler.profile, name, make)

    def remove(self) -> None:
        """Stops watching for others."""
        self._patches.remove()
