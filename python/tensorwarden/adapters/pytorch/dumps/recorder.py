"""Remembers what the forward passes of a step start from, and what their losses are made of."""

import random
import sys
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch

from tensorwarden.adapters.pytorch.dumps.links import (
    Key,
    Link,
    Source,
    outputs_of,
    source_of,
    trace,
)
from tensorwarden.adapters.pytorch.replay.calls import Call, autocast_settings, call_now
from tensorwarden.adapters.pytorch.tensors import tensors_in

_MOST = 64  # Forward passes between two steps of an optimizer.


class Loss(NamedTuple):
    """A call of a loss function."""

    name: str
    module: Any  # None: a function of torch.nn.functional.
    args: Tuple[Any, ...]  # With a Link for what the model has made.
    kwargs: Dict[str, Any]
    value: torch.Tensor
    autocast: Dict[str, Tuple[bool, Any]]


class ForwardPass:
    """A forward pass that was begun, and what followed from it."""

    def __init__(self, call: Call, buffers: Dict[str, torch.Tensor]) -> None:
        self.call = call
        self.buffers = buffers  # As they were before.
        self.python_random = random.getstate()
        numpy: Any = sys.modules.get("numpy")
        self.numpy_random = None if numpy is None else numpy.random.get_state()
        self.outputs: Dict[Source, Key] = {}
        self.losses: List[Loss] = []
        self.own_loss: Optional[Link] = None  # The model itself has returned it.
        self.value: Optional[torch.Tensor] = None  # Of what ran backward.
        self.scaler: Any = None
        self._versions = [_version(tensor) for tensor in self._inputs()]

    def _inputs(self) -> List[torch.Tensor]:
        return list(tensors_in((self.call.args, self.call.kwargs)))

    def inputs_have_changed(self) -> bool:
        """Returns whether inputs were written to since: they are not those of the pass."""
        return [_version(tensor) for tensor in self._inputs()] != self._versions


class Recorder:
    """Holds the forward passes since the last step of an optimizer."""

    def __init__(self) -> None:
        self.passes: List[ForwardPass] = []
        self.left_out = 0
        self._running: Optional[ForwardPass] = None
        self._buffers: Dict[int, Dict[str, Tuple[Any, int, torch.Tensor]]] = {}

    def forward(self, model: Any, name: str, step: int, args: Any, kwargs: Dict[str, Any]) -> None:
        """A model is about to be called."""
        self._running = ForwardPass(
            call_now(model, name, step, args, kwargs), self._buffers_of(model)
        )
        self.passes.append(self._running)
        if len(self.passes) > _MOST:
            del self.passes[0]
            self.left_out += 1

    def output(self, outputs: Any) -> None:
        """The model has returned."""
        if self._running is not None:
            self._running.outputs = {source_of(tensor): key for key, tensor in outputs_of(outputs)}
        self._running = None

    def loss(
        self, name: str, module: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any], value: Any
    ) -> None:
        """A loss was computed. What a model computes inside of itself is a part of it."""
        if self._running is not None or not isinstance(value, torch.Tensor):
            return
        if value.numel() != 1 or not value.requires_grad:
            return
        for made in reversed(self.passes):
            new = [_linked(argument, made.outputs) for argument in args]
            named = {key: _linked(argument, made.outputs) for key, argument in kwargs.items()}
            if any(isinstance(argument, Link) for argument in [*new, *named.values()]):
                settings = autocast_settings()
                made.losses.append(Loss(name, module, tuple(new), named, value.detach(), settings))
                return

    def backward(self, value: Any, scaler: Any = None) -> None:
        """A loss is about to run backward, or to be scaled for it."""
        if not isinstance(value, torch.Tensor) or value.numel() != 1 or not self.passes:
            return
        newest = self.passes[-1]
        if newest.scaler is not None and scaler is None:
            return  # It is the scaled value of the one before.
        for made in reversed(self.passes):
            link = trace(value, made.outputs, scaled=True)
            if link is not None:
                made.own_loss, newest = link, made
                break
        newest.scaler = scaler
        newest.value = value.detach()
        newest.outputs = {}  # They would keep the graph alive.

    def clear(self) -> None:
        """The models are about to change, or have changed."""
        self.passes.clear()
        self.left_out = 0
        self._running = None

    def _buffers_of(self, model: Any) -> Dict[str, torch.Tensor]:
        """Returns copies of the buffers, which a forward pass may change. Those that do not change
        are copied once."""
        known = self._buffers.get(id(model), {})
        copies = {}
        for name, buffer in model.named_buffers():
            version = _version(buffer)
            before = known.get(name)
            if before is None or before[0] is not buffer or before[1] != version:
                before = (buffer, version, buffer.detach().clone())
            copies[name] = before
        self._buffers[id(model)] = copies
        return {name: copy for name, (_, _, copy) in copies.items()}


def _version(tensor: torch.Tensor) -> int:
    try:
        return tensor._version
    except RuntimeError:  # Inference tensors have none.
        return -1


def _linked(argument: Any, outputs: Dict[Source, Key]) -> Any:
    """Returns the argument of a loss, a Link if it comes from the outputs."""
    if not isinstance(argument, torch.Tensor):
        return argument
    link = trace(argument, outputs) if argument.grad_fn is not None else None
    return argument.detach() if link is None else link
