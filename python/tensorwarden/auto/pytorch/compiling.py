"""What compilers of PyTorch must not see of us."""

from typing import Any, Callable

import torch

from tensorwarden.auto.patching import Patches


def _never() -> bool:
    return False


# Whether torch.compile is looking at our code, which it must then see straight through.
compiling: Callable[[], bool] = getattr(
    getattr(torch, "compiler", None), "is_compiling", None
) or getattr(getattr(torch, "_dynamo", None), "is_compiling", _never)


def hide_from_torchscript(patches: Patches) -> None:
    """TorchScript compiles the source of the functions that it meets, and has to meet PyTorch's."""

    def make(original: Any) -> Any:
        def script(
            obj: Any, optimize: Any = None, _frames_up: int = 0, *args: Any, **kwargs: Any
        ) -> Any:
            with patches.taken_off():
                # It looks names up in the caller's frame, which is one further away now.
                return original(obj, optimize, _frames_up + 1, *args, **kwargs)

        return script

    Patches().put(torch.jit, "script", make)
