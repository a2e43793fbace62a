"""Finds where a training step stopped being finite, by running its forward pass again.

The weights must still be those of the pass. It runs on a copy of the model, uncompiled, with the
same random numbers and precision; the model of the training is not touched.
"""

import copy
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.utils.checkpoint

from tensorwarden.adapters.pytorch.finite_values import floats_in, is_bad, look_at, range_of
from tensorwarden.adapters.pytorch.replay.calls import Call, as_it_was
from tensorwarden.adapters.pytorch.replay.graph import Graph, with_lines, without_checkpoints
from tensorwarden.adapters.pytorch.replay.operators import OperatorWatch

_MOST_BYTES = 4 << 30  # Of a model that is copied.


class Origin(NamedTuple):
    """Where values stopped being finite."""

    phase: str  # "input", "weights", "forward" or "backward".
    model: str
    name: str  # The module's path in the model, or a parameter's.
    kind: str  # The class of the module.
    operator: str = ""
    line: Optional[str] = None
    range: Optional[Tuple[float, float]] = None  # Of what went in.


class Search:
    """Runs a call again. `Search(call).find()` returns None if everything stays finite."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._model: Any = None  # The copy.
        self._names: Dict[Any, str] = {}
        self._running: List[Any] = []
        self._graph = Graph(__file__)
        self.outputs: Any = None
        self.bad_gradient = ""  # The first parameter in backward order with a bad gradient.
        self.output_range: Optional[Tuple[float, float]] = None

    def find(self, backward: bool) -> Optional[Origin]:
        """Returns the origin in the forward pass, else with `backward` in the backward pass."""
        call = self._call
        before = self._before_forward()
        if before is not None:
            return before
        model = self._model = self._copy()
        with as_it_was(call), torch.set_grad_enabled(backward), with_lines(), without_checkpoints():
            watch = OperatorWatch(lambda: self._running[-1] if self._running else model, __file__)
            with watch:
                self.outputs = _eagerly(model)(*call.args, **call.kwargs)
        self.output_range = range_of(self.outputs)
        event = watch.origin()
        made = look_at(self.outputs)
        if event is not None and (made.nan or made.high or (made.low and event.made.low)):
            return self._origin("forward", event.module, event.operator, event.line, event.range)
        if not backward:
            return None
        return self._find_in_backward()

    def _before_forward(self) -> Optional[Origin]:
        call = self._call
        for name, parameter in [*call.model.named_parameters(), *call.model.named_buffers()]:
            found = look_at(parameter)
            if found.nan or found.high:  # A mask among the buffers may be -inf.
                return Origin("weights", call.name, name, "")
        named = [*enumerate(call.args), *call.kwargs.items()]
        for key, value in named:
            found = look_at(value)
            if found.nan or found.high:
                return Origin("input", call.name, str(key), "", range=range_of(value))
        return None

    def _copy(self) -> Any:
        model = self._call.model
        size = sum(p.numel() * p.element_size() for p in model.parameters())
        if size > _MOST_BYTES:
            raise ValueError(f"the model has {size / 2**30:.3g} GiB of weights")
        copied = copy.deepcopy(model)
        copied.zero_grad(set_to_none=True)
        for name, module in copied.named_modules():
            self._names[module] = name
            module.register_forward_pre_hook(lambda entered, _: self._running.append(entered))
            module.register_forward_hook(self._after)
        return copied

    def _after(self, module: Any, inputs: Any, outputs: Any) -> None:
        # A module that raised has left its parts behind.
        while self._running and self._running.pop() is not module:
            continue
        self._graph.add(module, inputs, outputs)

    def _find_in_backward(self) -> Optional[Origin]:
        outputs = [t for t in floats_in(self.outputs) if t.requires_grad]
        # A model that returns its loss runs backward from there alone.
        outputs = [t for t in outputs if t.numel() == 1][:1] or outputs
        if not outputs:
            return None
        self._graph.watch()
        torch.autograd.backward(outputs, [torch.ones_like(t) / t.numel() for t in outputs])
        first = self._graph.first
        if first is None:
            return None
        for name, parameter in self._model.named_parameters():
            if parameter.grad is not None and is_bad(parameter.grad):
                self.bad_gradient = name
        return self._origin("backward", first.module, first.operator, first.line, None)

    def _origin(
        self,
        phase: str,
        module: Any,
        operator: str,
        line: Optional[str],
        values: Optional[Tuple[float, float]],
    ) -> Origin:
        name = self._names.get(module, "")
        kind = type(module).__name__
        return Origin(phase, self._call.name, name, kind, operator, line, values)


def _eagerly(model: Any) -> Callable[..., Any]:
    """Returns a call of the model in which nothing is compiled."""
    dynamo: Any = getattr(torch, "_dynamo", None)
    call = model._call_impl
    return call if dynamo is None else dynamo.disable(call)


def why_loss(value: torch.Tensor) -> str:
    """Returns what made a loss of finite predictions NaN or infinite, "log of zero", as far as its
    graph shows; empty if it does not."""
    waiting = [value.grad_fn]
    for node in waiting:
        if node is None or len(waiting) > _MOST_LOSS_NODES:
            continue
        for operator, saved, what, test in _PITFALLS:
            if node.name().startswith(operator) and test(getattr(node, saved, None)):
                return what
        waiting += [before for before, _ in node.next_functions]
    return ""


_MOST_LOSS_NODES = 64


def _has(test: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        plain = isinstance(value, torch.Tensor) and not is_bad(value)
        return plain and bool(test(value.detach()).any())

    return check


_ZERO, _NEGATIVE = _has(lambda v: v == 0), _has(lambda v: v < 0)
# The name of a backward function, what it keeps, what is wrong if that fits the test.
_PITFALLS = (
    ("LogBackward", "_saved_self", "log of zero", _ZERO),
    ("LogBackward", "_saved_self", "log of a negative value", _NEGATIVE),
    ("Log2Backward", "_saved_self", "log2 of zero", _ZERO),
    ("DivBackward", "_saved_other", "division by zero", _ZERO),
    ("ExpBackward", "_saved_result", "overflow of exp", lambda v: v is not None and is_bad(v)),
)
