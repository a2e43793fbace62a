"""Hooks on modules that disappear from copies, files and compiled forms of a model."""

import contextlib
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

import torch


class ModuleHook:
    """A callable for register_forward_hook and similar methods.

    Copies and pickles of the module get a function that does nothing instead: an average of the
    weights or a saved model is not being trained. The function belongs to the standard library, so
    the model can be loaded without this package.
    """

    __slots__ = ("function", "untraced")
    __name__ = "tensorwarden"

    def __init__(self, function: Callable[..., None]):
        self.function = function
        self.untraced: Optional[Callable[..., None]] = None

    def __call__(self, *args: Any) -> None:
        # torch.compile traces every function it meets, but not this one.
        disable = getattr(sys.modules.get("torch._dynamo"), "disable", None)
        if disable is None:
            self.function(*args)
            return
        if self.untraced is None:
            self.untraced = disable(self.function)
        self.untraced(*args)

    _torchdynamo_disable = True
    __call__._torchdynamo_disable = True  # type: ignore[attr-defined]  # For torch.compile.

    def __deepcopy__(self, memo: Dict[int, Any]) -> Callable[..., None]:
        return contextlib.nullcontext().__exit__

    def __copy__(self) -> Callable[..., None]:
        return contextlib.nullcontext().__exit__

    def __reduce__(self) -> Tuple[Any, ...]:
        return (getattr, (contextlib.nullcontext(), "__exit__"))


def _is_ours(hook: Any) -> bool:
    return isinstance(hook, ModuleHook) or isinstance(
        getattr(hook, "__self__", None), contextlib.nullcontext
    )


def hide_from_torchscript() -> None:
    """Hides the hooks from torch.jit.script, which would try to compile them."""
    recursive = getattr(torch.jit, "_recursive", None)
    original = getattr(recursive, "get_hook_stubs", None)
    if recursive is None or original is None or getattr(original, "hides_tensorwarden", False):
        return

    def get_hook_stubs(nn_module: Any) -> Any:
        taken: List[Tuple[Dict[int, Any], int, Any]] = []
        for hooks in (nn_module._forward_hooks, nn_module._forward_pre_hooks):
            ours = [(k, h) for k, h in hooks.items() if _is_ours(h)]
            for key, hook in ours:
                taken.append((hooks, key, hook))
                del hooks[key]
        try:
            return original(nn_module)
        finally:
            for hooks, key, hook in taken:
                hooks[key] = hook

    get_hook_stubs.hides_tensorwarden = True  # type: ignore[attr-defined]  # A mark.
    recursive.get_hook_stubs = get_hook_stubs
