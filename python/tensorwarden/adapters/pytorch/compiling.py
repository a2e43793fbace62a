"""Hides this package from PyTorch's compilers."""

from typing import Any, Callable

import torch

from tensorwarden.base.patching import Patches


def _never() -> bool:
    return False


# Whether torch.compile is tracing this code, which must then call the original directly.
_public: Any = getattr(getattr(torch, "compiler", None), "is_compiling", None)
compiling: Callable[[], bool] = _public or getattr(
    getattr(torch, "_dynamo", None), "is_compiling", _never
)


def hide_from_torchscript(patches: Patches) -> None:
    """Restores PyTorch's functions while TorchScript compiles, because it compiles their source."""

    def make(original: Any) -> Any:
        def script(
            obj: Any, optimize: Any = None, _frames_up: int = 0, *args: Any, **kwargs: Any
        ) -> Any:
            with patches.taken_off():
                # It looks up names in the caller's frame, which is now one frame further away.
                return original(obj, optimize, _frames_up + 1, *args, **kwargs)

        return script

    Patches().put(torch.jit, "script", make)
