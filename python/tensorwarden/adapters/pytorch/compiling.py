"""Hides this package from PyTorch's compilers."""

from typing import Any, Callable

import torch

from tensorwarden.base.patching import Patches


def _never() -> bool:
    return False


def _no_callback() -> None:
    return None


# Whether torch.compile is tracing this code, which must then call the original directly.
_public: Any = getattr(getattr(torch, "compiler", None), "is_compiling", None)
compiling: Callable[[], bool] = _public or getattr(
    getattr(torch, "_dynamo", None), "is_compiling", _never
)

_frames: Any = getattr(getattr(torch._C, "_dynamo", None), "eval_frame", None)
# The callback with which torch.compile inspects each function called while compiled code runs;
# None outside of compiled code.
inspecting: Callable[[], Any] = getattr(_frames, "get_eval_frame_callback", _no_callback)


def not_compiled_alone(function: Any) -> Any:
    """Decorates a function that torch.compile may trace as a part of others, where compiling() is
    true, but must not compile when compiled code calls it."""
    action: Any = getattr(_frames, "_FrameAction", None)
    strategy: Any = getattr(_frames, "_FrameExecStrategy", None)
    if action is not None and strategy is not None:
        chosen = strategy(action.SKIP, action.DEFAULT)
        _frames.set_code_exec_strategy(function.__code__, chosen)
    elif hasattr(_frames, "skip_code"):
        _frames.skip_code(function.__code__)
    elif _frames is not None:  # Breaks graphs, but is not lost.
        return torch._dynamo.disable(function)
    return function


@not_compiled_alone
def untraced(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the function in a form that torch.compile leaves alone, with all that it calls."""
    dynamo: Any = getattr(torch, "_dynamo", None)
    return function if dynamo is None else dynamo.disable(function)


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
