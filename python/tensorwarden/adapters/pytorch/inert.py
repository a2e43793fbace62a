"""Hooks on modules that disappear from copies, files and compiled forms of a model."""

import contextlib
import weakref
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

import torch

from tensorwarden.adapters.pytorch.compiling import (
    compiling,
    inspecting,
    not_compiled_alone,
    untraced,
)
from tensorwarden.base.patching import Patches


class ModuleHook:
    """A callable for register_forward_hook and similar methods.

    In a compiled region it does nothing, and leaves nothing in the graph. Copies and pickles of the
    module get a function that does nothing instead: an average of the weights or a saved model is
    not being trained. The function belongs to the standard library, so the model can be loaded
    without this package.
    """

    __slots__ = ("between_compiled", "function", "untraced", "with_kwargs")
    __name__ = "tensorwarden"

    def __init__(self, function: Callable[..., None]):
        self.function = function
        self.untraced: Optional[Callable[..., None]] = None
        self.with_kwargs = False  # Also gets arguments that are passed by name.
        self.between_compiled = False  # Was called by a module whose own code is compiled.

    @not_compiled_alone
    def __call__(self, *args: Any) -> None:
        if compiling():  # A constant for torch.compile.
            return
        if inspecting() is None:
            self.function(*args)
            return
        self.between_compiled = True
        if self.untraced is None:
            self.untraced = untraced(self.function)
        self.untraced(*args)

    def __deepcopy__(self, memo: Dict[int, Any]) -> Callable[..., None]:
        return contextlib.nullcontext().__exit__

    def __copy__(self) -> Callable[..., None]:
        return contextlib.nullcontext().__exit__

    def __reduce__(self) -> Tuple[Any, ...]:
        return (getattr, (contextlib.nullcontext(), "__exit__"))


class Attached:
    """A hook on a module, and how to remove it."""

    __slots__ = ("_hook", "_module")

    def __init__(self, module: Any, hook: ModuleHook):
        self._module = weakref.ref(module)
        self._hook = hook

    def remove(self) -> None:
        """Removes the hook, wherever it is now."""
        module: Any = self._module()
        if module is None:
            return
        places = [module._forward_pre_hooks, module._forward_hooks]
        call = getattr(module, "_compiled_call_impl", None)
        if isinstance(call, CompiledCall):
            places += [call.before, call.after]
        for place in places:
            for key in [key for key, hook in place.items() if hook is self._hook]:
                del place[key]


def call_before(module: torch.nn.Module, hook: ModuleHook, with_kwargs: bool = False) -> Attached:
    """Calls the hook before each forward pass of a module; with its arguments by name, too, where
    this PyTorch can."""
    call = getattr(module, "_compiled_call_impl", None)
    hook.with_kwargs = with_kwargs
    if isinstance(call, CompiledCall):
        call.before[id(hook)] = hook
    elif with_kwargs and hasattr(module, "_forward_pre_hooks_with_kwargs"):
        torch.nn.Module.register_forward_pre_hook(module, hook, with_kwargs=True)
    else:
        # Scripted modules hide the method.
        torch.nn.Module.register_forward_pre_hook(module, hook)
    return Attached(module, hook)


def call_after(module: torch.nn.Module, hook: ModuleHook) -> Attached:
    """Calls the hook after each forward pass of a module."""
    call = getattr(module, "_compiled_call_impl", None)
    if isinstance(call, CompiledCall):
        call.after[id(hook)] = hook
    else:
        torch.nn.Module.register_forward_hook(module, hook)
    return Attached(module, hook)


class CompiledCall:
    """What calls a module that compiled itself (module.compile()), together with its hooks.

    It takes the hooks of this package out of the module and calls them itself. What is compiled
    is then the same as without them, and does not change with them.
    """

    def __init__(self, module: Any, compiled: Callable[..., Any]):
        self._module = weakref.ref(module)
        self._compiled = compiled
        self.before = _taken_out(module._forward_pre_hooks)
        self.after = _taken_out(module._forward_hooks)

    @not_compiled_alone
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if compiling():
            return self._compiled(*args, **kwargs)
        module = self._module()
        for hook in list(self.before.values()):
            if hook.with_kwargs:
                hook(module, args, kwargs)
            else:
                hook(module, args)
        outputs = self._compiled(*args, **kwargs)
        for hook in list(self.after.values()):
            hook(module, args, outputs)
        return outputs


def _taken_out(hooks: Dict[int, Any]) -> Dict[int, ModuleHook]:
    ours = {key: hook for key, hook in hooks.items() if isinstance(hook, ModuleHook)}
    for key in ours:
        del hooks[key]
    return ours


class Compilations:
    """Counts modules that compiled themselves since the first model was registered."""

    count = 0


def follow_compilations(model: torch.nn.Module) -> None:
    """Keeps hooks working on modules of a model that compile themselves, now or later."""
    if not hasattr(torch.nn.Module, "compile"):
        return
    for module in model.modules():
        _wrap_compiled_call(module)
    if not getattr(torch.nn.Module.compile, "followed_by_tensorwarden", False):
        Patches().put(torch.nn.Module, "compile", _wrap_compile)


def _wrap_compile(original: Any) -> Any:
    def compile(module: torch.nn.Module, *args: Any, **kwargs: Any) -> Any:
        result = original(module, *args, **kwargs)
        _wrap_compiled_call(module)
        Compilations.count += 1
        return result

    compile.followed_by_tensorwarden = True  # type: ignore[attr-defined]  # A mark.
    return compile


def _wrap_compiled_call(module: Any) -> None:
    compiled = getattr(module, "_compiled_call_impl", None)
    if compiled is not None and not isinstance(compiled, CompiledCall):
        module._compiled_call_impl = CompiledCall(module, compiled)


def inside_of_compiled(model: torch.nn.Module) -> Set[torch.nn.Module]:
    """Returns the modules that run as a part of a compiled one. Hooks would change what is
    compiled."""
    inside: Set[torch.nn.Module] = set()
    for module in model.modules():
        if hasattr(module, "_orig_mod"):  # Of torch.compile(module).
            inside.update(module._orig_mod.modules())
        elif getattr(module, "_compiled_call_impl", None) is not None:
            inside.update(part for part in module.modules() if part is not module)
    return inside


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
