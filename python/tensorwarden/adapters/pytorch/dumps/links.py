"""Where in the outputs of a model the inputs of a loss come from."""

from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import torch

Key = Tuple[Any, ...]
Source = Tuple[Any, int]  # A backward function and the number of its result.

# Backward functions of operators that keep all values, in the same order.
_RESHAPES = ("View", "UnsafeView", "Reshape", "ReshapeAlias", "Squeeze", "Unsqueeze", "ToCopy")
_COPIES = ("Clone", "Alias", "ToCopy")
# They multiply by a number.
_SCALES = ("Mul", "Div", "Neg")
_MOST_NODES = 16
_UNSIGNED = 1 << 64  # Some versions return negative dimensions without their sign.


class Link(NamedTuple):
    """Stands for a tensor that was made of an output of a model."""

    key: Key  # The way to the output: indices, keys and attributes.
    operators: Tuple[Tuple[str, Tuple[Any, ...]], ...]  # Applied to it, in this order.
    dtype: torch.dtype

    def follow(self, outputs: Any) -> torch.Tensor:
        """Returns the tensor made of these outputs."""
        value = outputs
        for part in self.key:
            value = getattr(value, part) if _is_attribute(value, part) else value[part]
        for name, arguments in self.operators:
            value = _APPLY[name](value, *arguments)
        tensor: torch.Tensor = value
        return tensor


def outputs_of(value: Any, key: Key = ()) -> Iterator[Tuple[Key, torch.Tensor]]:
    """Yields the tensors with a graph in the outputs of a model, and the ways to them."""
    if isinstance(value, torch.Tensor):
        if value.grad_fn is not None:
            yield key, value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from outputs_of(part, (*key, name))
    elif isinstance(value, (list, tuple)):
        for number, part in enumerate(value):
            yield from outputs_of(part, (*key, number))
    elif hasattr(value, "__dict__") and not isinstance(value, torch.nn.Module):
        for name, part in vars(value).items():  # A dataclass, as models return them.
            if isinstance(part, torch.Tensor):
                yield from outputs_of(part, (*key, name))


def source_of(tensor: torch.Tensor) -> Source:
    """Returns what made a tensor."""
    return tensor.grad_fn, tensor.output_nr


def trace(tensor: torch.Tensor, outputs: Dict[Source, Key], scaled: bool = False) -> Optional[Link]:
    """Returns how the tensor was made of one of the outputs, which are given by what made them;
    None if that is more than a change of shape and type, or with `scaled` a multiple."""
    node, number = source_of(tensor)
    operators: List[Tuple[str, Tuple[Any, ...]]] = []
    shape: Optional[Tuple[int, ...]] = tuple(tensor.shape)
    for _ in range(_MOST_NODES):
        if node is None:
            return None
        if (node, number) in outputs:
            return Link(outputs[node, number], tuple(reversed(operators)), tensor.dtype)
        operator = _operator(node, shape, scaled)
        before = [edge for edge in node.next_functions if edge[0] is not None]
        if operator is None or len(before) != 1:
            return None
        operators += operator
        node, number = before[0]
        metadata: Any = getattr(node, "_input_metadata", None)
        shape = tuple(metadata[number].shape) if metadata else None
    return None


def _operator(
    node: Any, shape: Optional[Tuple[int, ...]], scaled: bool
) -> Optional[List[Tuple[str, Tuple[Any, ...]]]]:
    name = node.name().split("Backward")[0].rpartition("::")[2]
    if name in _COPIES or (scaled and name in _SCALES):
        return []
    if name in _RESHAPES:
        return None if shape is None else [("reshape", (shape,))]
    if name in _SAVED:
        saved = [getattr(node, f"_saved_{argument}", None) for argument in _SAVED[name]]
        if None not in saved:
            return [(name, tuple(_signed(value) for value in saved))]
    return None


# By the name of a backward function: which arguments it has saved.
_SAVED = {
    "Slice": ("dim", "start", "end", "step"),
    "Select": ("dim", "index"),
    "Transpose": ("dim0", "dim1"),
    "Permute": ("dims",),
}
_APPLY: Dict[str, Any] = {
    "reshape": lambda value, shape: value.reshape(shape),
    "Slice": lambda value, *arguments: torch.ops.aten.slice(value, *arguments),
    "Select": lambda value, dim, index: value.select(dim, index),
    "Transpose": lambda value, first, second: value.transpose(first, second),
    "Permute": lambda value, dims: value.permute(dims),
}


def _signed(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple(_signed(part) for part in value)
    return value - _UNSIGNED if value >= _UNSIGNED // 2 else value


def _is_attribute(value: Any, part: Any) -> bool:
    return isinstance(part, str) and not isinstance(value, dict)
