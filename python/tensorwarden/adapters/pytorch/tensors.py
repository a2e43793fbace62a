"""How tensors of PyTorch reach the core: without a copy where they lie in host memory."""

from typing import Any, Dict, Iterator, List, Optional, Tuple

import torch

from tensorwarden.troubles import say_once

# Of the C++ side of PyTorch, as the Python side asks more questions.
_pack = torch._C._to_dlpack
_PLAIN = (torch.Tensor, torch.nn.Parameter)
# Enough numbered inputs and outputs to see whether a pattern is meant for them.
PROBES = range(16)


def to_dlpack(tensor: torch.Tensor) -> Any:
    """What the core takes from us; None if the tensor must be prepared first. That a tensor is to
    be negated or conjugated when it is read, DLPack cannot say."""
    if type(tensor) not in _PLAIN or tensor.is_neg() or tensor.is_conj():
        return None
    try:
        return _pack(tensor)
    except (RuntimeError, BufferError):  # A type or layout that DLPack has not.
        return None


def named_tensors(
    values: Any, prefix: str, counts: Dict[str, int]
) -> Iterator[Tuple[str, torch.Tensor]]:
    """The tensors in nested lists and tuples by name: the prefix, and how many it had before.

    As in the original only plain tensors count, not parameters. What is in a dictionary, which it
    passes over, is named after its keys."""
    if type(values).__name__ == "Tensor":
        number = counts.get(prefix, 0)
        counts[prefix] = number + 1
        yield f"{prefix}{number}", values
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from named_tensors(value, prefix, counts)
    elif isinstance(values, dict):
        for key, value in values.items():
            yield from named_tensors(value, f"{prefix}{key}_", counts)


def has_more_names(values: Any) -> bool:
    """Whether dictionaries, or more tensors than PROBES, lead to names that are not foreseen."""
    if isinstance(values, dict):
        return True
    if isinstance(values, (list, tuple)):
        return len(values) > len(PROBES) or any(has_more_names(value) for value in values)
    return False


def prepared(tensor: torch.Tensor) -> Optional[Tuple[Any, bool]]:
    """The tensor as (something the core reads, whether its bytes are truth values): dense, in C
    order, in host memory. None if there is nothing to read."""
    with torch.no_grad():
        to_local = getattr(tensor, "to_local", None)
        if to_local is not None:  # Of a tensor spread over processes, this one's part.
            tensor = to_local()
        tensor = tensor.detach()
        if tensor.device.type == "meta":
            return None
        if tensor.is_quantized:
            tensor = tensor.dequantize()
        if tensor.layout != torch.strided:
            tensor = tensor.to_dense()
        tensor = tensor.resolve_conj().resolve_neg().cpu().contiguous()
        if tensor.dtype == torch.bool:
            return _pack(tensor.view(torch.uint8)), True
        try:
            return _pack(tensor), False
        except (RuntimeError, BufferError) as error:
            say_once(f"tensors of type {tensor.dtype} cannot be saved: {error}")
            return None


def same_device(tensors: List[torch.Tensor]) -> bool:
    """Whether all lie on one device."""
    return len({tensor.device for tensor in tensors}) <= 1
