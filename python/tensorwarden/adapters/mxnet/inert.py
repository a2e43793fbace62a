"""Hooks on blocks that disappear from copies and pickles of a model."""

import contextlib
from typing import Any, Callable, Dict, Tuple


class BlockHook:
    """A callable for register_forward_hook and register_forward_pre_hook.

    Copies and pickles of the block get a function that does nothing instead, because they are not
    being trained. The function belongs to the standard library, so a pickle can be loaded without
    this package.
    """

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
