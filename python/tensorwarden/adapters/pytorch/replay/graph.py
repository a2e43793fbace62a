"""Follows a backward pass through the graph that a forward pass has left."""

import contextlib
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

import torch

from tensorwarden.adapters.pytorch.finite_values import floats_in, look_at
from tensorwarden.base.lines import is_of_script

_MOST_NODES = 200_000


class NodeEvent(NamedTuple):
    """A backward function with finite inputs whose result is not finite."""

    operator: str
    line: Optional[str]
    module: Any


class Graph:
    """Which module each backward function belongs to."""

    def __init__(self, caller: str) -> None:
        """`caller`: the file that runs the model, for lines of the script inside of it."""
        self._caller = caller
        self._modules: Dict[Any, Any] = {}
        self.first: Optional[NodeEvent] = None

    def add(self, module: Any, inputs: Any, outputs: Any) -> None:
        """A module has returned. What its parts have not claimed is its own."""
        stops = {tensor.grad_fn for tensor in floats_in(inputs) if tensor.grad_fn is not None}
        waiting = [t.grad_fn for t in floats_in(outputs) if t.grad_fn is not None]
        seen = set(stops)
        while waiting and len(seen) < _MOST_NODES:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            self._modules.setdefault(node, module)
            waiting += [before for before, _ in node.next_functions if before is not None]

    def watch(self) -> None:
        """Looks at what each of the functions returns from now on."""
        for node in self._modules:
            node.register_hook(self._look(node))

    def _look(self, node: Any) -> Any:
        def look(results: Any, gradients: Any) -> None:
            if self.first is None and any(look_at(results)) and not any(look_at(gradients)):
                operator = node.name().split("::")[-1].replace("Backward0", "")
                self.first = NodeEvent(operator, _line(node, self._caller), self._modules[node])

        return look


@contextlib.contextmanager
def with_lines() -> Iterator[None]:
    """Returns a context in which backward functions know the line that made them."""
    try:
        anomaly = torch.autograd.set_detect_anomaly(True, check_nan=False)
    except TypeError:  # Older versions always check, which would end the pass too early.
        yield
        return
    with anomaly:
        yield


@contextlib.contextmanager
def without_checkpoints() -> Iterator[None]:
    """Returns a context in which checkpointed blocks keep their graphs."""
    kind: Any = getattr(torch.utils.checkpoint, "CheckpointFunction", None)
    own = None if kind is None else kind.__dict__.get("apply")
    if kind is not None:
        kind.apply = staticmethod(lambda function, _, *args: function(*args))
    try:
        yield
    finally:
        if kind is not None:
            if own is None:
                del kind.apply
            else:
                kind.apply = own


def _line(node: Any, caller: str) -> Optional[str]:
    """Returns "train.py:42", the innermost line of the script that made the function."""
    lines: List[str] = node.metadata.get("traceback_", [])
    for text in reversed(lines):
        words = text.strip().split("\n", 1)[0].split('"')
        if len(words) > 2 and words[1] == caller:
            return None
        if len(words) > 2 and is_of_script(words[1]):
            return f"{words[1].rpartition('/')[2]}:{words[2].split('line ')[1].split(',')[0]}"
    return None
