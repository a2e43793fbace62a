"""Runs a forward and a backward pass once, and looks at each module."""

import contextlib
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional

import torch
import torch.utils.checkpoint
from torch.utils._python_dispatch import TorchDispatchMode

from tensorwarden.adapters.pytorch.finite_values import floats_in
from tensorwarden.adapters.pytorch.replay.calls import Call, as_it_was
from tensorwarden.adapters.pytorch.replay.graph import Graph, with_lines, without_checkpoints
from tensorwarden.adapters.pytorch.replay.operators import OperatorWatch
from tensorwarden.adapters.pytorch.rerun.values import Values, sample_of, values_of

_LOW = (torch.float16, torch.bfloat16)


class Seen:
    """A call of a module."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind
        self.inputs: Optional[Values] = None
        self.outputs: Optional[Values] = None
        self.gradients: Optional[Values] = None  # Of the loss, with respect to the outputs.
        self.sample: List[torch.Tensor] = []


class Place(NamedTuple):
    """An operator that made something that is not finite."""

    name: str  # The path of the module; empty: the model itself.
    kind: str
    operator: str
    line: Optional[str]


class Outcome:
    """What a pass has shown."""

    def __init__(self) -> None:
        self.seen: List[Seen] = []  # In the order in which modules returned.
        self.inputs: Optional[Values] = None
        self.outputs: Optional[Values] = None
        self.loss: Optional[float] = None
        self.gradients: Dict[str, Optional[Values]] = {}  # Of parameters.
        self.forward_place: Optional[Place] = None
        self.backward_place: Optional[Place] = None
        self.error = ""  # What ended it early.


Loss = Callable[[Any], Optional[torch.Tensor]]


def run_once(
    call: Call, loss: Loss, scale: float, reference: Optional[torch.dtype] = None
) -> Outcome:
    """Runs a call of a model that belongs to nobody else, and backward from its loss, scaled.

    Eager, with the random numbers of the call; in its precision, or with `reference` with all
    numbers of that type, without mixed precision.
    """
    run = _Run(call, loss, scale)
    with as_it_was(call), with_lines(), without_checkpoints():
        if reference is None:
            run.run()
        else:
            with _without_autocast(), _Widened(reference):
                run.run()
    return run.outcome


class _Run:
    def __init__(self, call: Call, loss: Loss, scale: float) -> None:
        self._call = call
        self._loss = loss
        self._scale = scale
        self.outcome = Outcome()
        self._names = {module: name for name, module in call.model.named_modules()}
        self._running: List[Any] = []
        self._graph = Graph(__file__)

    def run(self) -> None:
        handles = []
        for module in self._names:
            handles.append(module.register_forward_pre_hook(self._before))
            handles.append(module.register_forward_hook(self._after))
        try:
            self._forward_and_backward()
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            self.outcome.error = text[:500]
        finally:
            for handle in handles:
                handle.remove()

    def _forward_and_backward(self) -> None:
        call, outcome = self._call, self.outcome
        outcome.inputs = values_of((call.args, call.kwargs))
        watch = OperatorWatch(lambda: self._running[-1] if self._running else call.model, __file__)
        with watch:
            outputs = call.model(*call.args, **call.kwargs)
        outcome.outputs = values_of(outputs)
        event = watch.origin()
        if event is not None:
            outcome.forward_place = self._place(event.module, event.operator, event.line)
        loss = self._loss(outputs)
        if loss is None:
            return
        outcome.loss = float(loss.detach())
        self._graph.watch()
        (loss * self._scale).backward()
        first = self._graph.first
        if first is not None:
            outcome.backward_place = self._place(first.module, first.operator, first.line)
        for name, parameter in call.model.named_parameters():
            if parameter.grad is not None:
                outcome.gradients[name] = values_of(parameter.grad)

    def _before(self, module: Any, inputs: Any) -> None:
        self._running.append(module)

    def _after(self, module: Any, inputs: Any, outputs: Any) -> None:
        # A module that raised has left its parts behind.
        while self._running and self._running.pop() is not module:
            continue
        seen = Seen(self._names[module], type(module).__name__)
        # Arguments by name are shown to nobody but the caller.
        is_model = module is self._call.model
        seen.inputs = self.outcome.inputs if is_model else values_of(inputs)
        seen.outputs = values_of(outputs)
        seen.sample = sample_of(outputs)
        self.outcome.seen.append(seen)
        self._graph.add(module, inputs, outputs)
        for tensor in floats_in(outputs):
            if tensor.requires_grad:
                tensor.register_hook(_noting(seen))

    def _place(self, module: Any, operator: str, line: Optional[str]) -> Place:
        return Place(self._names.get(module, ""), type(module).__name__, operator, line)


def _noting(seen: Seen) -> Callable[[torch.Tensor], None]:
    def note(gradient: torch.Tensor) -> None:
        seen.gradients = values_of(gradient)

    return note


class _Widened(TorchDispatchMode):
    """Makes tensors of half precision in the reference type, wherever code asks for them."""

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()
        self._dtype = dtype

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if kwargs.get("dtype") in _LOW:
            kwargs = {**kwargs, "dtype": self._dtype}
        return func(*args, **kwargs)


@contextlib.contextmanager
def _without_autocast() -> Iterator[None]:
    """Returns a context in which mixed precision stays off, also where a model turns it on."""
    kind: Any = torch.autocast
    original = kind.__enter__

    def enter(self: Any) -> Any:
        self._enabled = False
        return original(self)

    kind.__enter__ = enter
    try:
        with torch.autocast("cpu", enabled=False):
            if torch.cuda.is_available():
                with torch.autocast("cuda", enabled=False):
                    yield
            else:
                yield
    finally:
        kind.__enter__ = original
