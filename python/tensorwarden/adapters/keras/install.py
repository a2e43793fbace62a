"""Replaces the functions that Keras calls for each batch of a model."""

import functools
from typing import Any, Optional

from tensorwarden.adapters.keras.model import WatchedModel
from tensorwarden.adapters.keras.step_function import KINDS, Kind, StepFunction


def install(hook: Any, watched: WatchedModel) -> None:
    """Runs all batches of the model through the hook, however it is compiled."""
    model = watched.model
    for kind in KINDS:
        _install_kind(hook, watched, model, kind)


def _install_kind(hook: Any, watched: WatchedModel, model: Any, kind: Kind) -> None:
    attribute, maker = f"{kind.name}_function", f"make_{kind.name}_function"
    of_class = getattr(type(model), maker, None)
    if of_class is None:
        return
    reference = watched._model

    def make_plain(force: bool = False) -> Any:
        # A custom method may lack the argument.
        return of_class(reference(), force=True) if force else of_class(reference())

    def wrap() -> None:
        alive = reference()
        function = getattr(alive, attribute, None)
        if isinstance(function, StepFunction):  # Of an earlier hook.
            if function.hook is hook:
                return
            function = function.plain
        if function is not None:
            vars(alive)[attribute] = StepFunction(hook, watched, kind, function, make_plain)

    @functools.wraps(of_class)
    def make(force: bool = False) -> Any:
        made = make_plain(force)
        wrap()
        return made

    vars(model)[maker] = make
    wrap()


def uninstall(watched: WatchedModel) -> None:
    """Restores the functions of the model."""
    model: Optional[Any] = watched.model
    if model is None:
        return
    for kind in KINDS:
        vars(model).pop(f"make_{kind.name}_function", None)
        function = vars(model).get(f"{kind.name}_function")
        if isinstance(function, StepFunction):
            vars(model)[f"{kind.name}_function"] = function.plain
