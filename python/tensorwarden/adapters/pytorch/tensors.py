"""How tensors of PyTorch reach the core: without a copy where they lie in host memory."""

from typing import Any, Iterator, List, Optional, Tuple

import torch

from tensorwarden.troubles import say_once

# What the core takes from us; of the C++ side of PyTorch, as the Python side asks more questions.
to_dlpack = torch._C._to_dlpack


def named_tensors(values: Any, prefix: str, start: int) -> Iterator[Tuple[str, torch.Tensor, int]]:
    """The tensors in nested lists and tuples as (name, tensor, count so far), numbered from start.

    As in the original only plain tensors count, not parameters. What is in a dictionary, which it
    passes over, is named after its keys."""
    if type(values).__name__ == "Tensor":
        yield f"{prefix}{start}", values, start + 1
    elif isinstance(values, (list, tuple)):
        count = start
        for value in values:
            for name, tensor, count in named_tensors(value, prefix, count):
                yield name, tensor, count
    elif isinstance(values, dict):
        for key, value in values.items():
            for name, tensor, _ in named_tensors(value, f"{prefix}{key}_", 0):
                yield name, tensor, start


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
            return to_dlpack(tensor.view(torch.uint8)), True
        try:
            return to_dlpack(tensor), False
        except (RuntimeError, BufferError) as error:
            say_once(f"tensors of type {tensor.dtype} cannot be saved: {error}")
            return None


def same_device(tensors: List[torch.Tensor]) -> bool:
    """Whether all lie on one device."""
    return len({tensor.device for tensor in tensors}) <= 1
