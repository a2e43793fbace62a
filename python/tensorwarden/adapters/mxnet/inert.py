"""Hooks on blocks that leave no trace of us in copies and pickles of a model."""

import contextlib
from typing import Any, Callable, Dict, Tuple


class BlockHook:
    """A callable for register_forward_hook and register_forward_pre_hook.

    Copies and pickles of the block get a function in its place that does nothing: they are not what
    is being trained. It is one of the standard library, so that a pickle can be loaded where we are
    not installed."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., None]):
        self.function = function

    def __call__(self, *args: Any) -> None:
        self.function(*args)

    def __deepcopy__(self, memo: Dict[int, Any]) -> Callable[..., None]:
        return _nothing()

    def __copy__(self) -> Callable[..., None]:
        return _nothing()

    def __reduce__(self) -> Tuple[Any, ...]:
        return (getattr, (contextlib.nullcontext(), "__exit__"))


def _nothing() -> Callable[..., None]:
    return contextlib.nullcontext().__exit__
