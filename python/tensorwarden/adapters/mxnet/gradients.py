"""Keeps gradients that the script sets to zero before they are read.

Gradients are read when the next step begins. A script that accumulates them (grad_req="add") has
set them to zero by then.
"""

import weakref
from typing import Any, Callable, Dict, Iterable, List, Optional

import numpy as np
from mxnet.gluon import Parameter, ParameterDict

from tensorwarden.adapters.mxnet.tensors import ComputationError
from tensorwarden.base.patching import Patches

_patches = Patches()
_listeners: "weakref.WeakSet[HeldGradients]" = weakref.WeakSet()


class HeldGradients:
    """The gradients of one step before they were set to zero."""

    def __init__(self, read: Callable[[Any], Optional[np.ndarray]]):
        """`read` returns the current gradient of a parameter; None if it is not requested in this
        step.

        It is called inside the script's zero_grad.
        """
        self._read = read
        self._held: Dict[str, np.ndarray] = {}
        self._on = True
        _listen(self)

    def begin_step(self) -> None:
        """Drops the gradients of the previous step."""
        self._held.clear()

    def stop(self) -> None:
        """Stops keeping gradients."""
        self._on = False
        self._held.clear()

    def take(self, parameters: List[Any]) -> Dict[str, np.ndarray]:
        """Returns the gradients to save instead of the current ones, by parameter name.

        Empty if a backward pass ran after they were set to zero.
        """
        held, self._held = self._held, {}
        for parameter in parameters if held else ():
            now = self._read(parameter) if parameter.name in held else None
            if now is not None and now.any():
                return {}
        return held

    def before_zero(self, parameters: Iterable[Any]) -> None:
        """Called when the script is about to set the gradients of these parameters to zero."""
        for parameter in parameters if self._on else ():
            gradient = self._read(parameter)
            if gradient is not None and gradient.any():
                self._held[parameter.name] = gradient


def _listen(held: HeldGradients) -> None:
    if not len(_listeners):
        _patches.remove()
        _patches.put(Parameter, "zero_grad", _telling(lambda parameter: [parameter]))
        _patches.put(ParameterDict, "zero_grad", _telling(lambda group: list(group.values())))
    _listeners.add(held)


def _telling(parameters_of: Callable[[Any], List[Any]]) -> Callable[[Any], Any]:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def zero_grad(self: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                for held in list(_listeners):
                    held.before_zero(parameters_of(self))
            except ComputationError as error:
                raise error.cause from None
            return original(self, *args, **kwargs)

        return zero_grad

    return make
