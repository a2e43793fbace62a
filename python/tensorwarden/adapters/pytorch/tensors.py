"""Passes PyTorch tensors to the core, without a copy if they are in host memory."""

import ctypes
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np
import torch

# The C++ function, because the Python function does more checks.
_pack = torch._C._to_dlpack
_PLAIN = (torch.Tensor, torch.nn.Parameter)
# Types that the core does not have, with one that has all their values.
_WIDER = {
    getattr(torch, narrow): wide
    for narrow, wide in (
        ("complex32", torch.complex64),
        ("float8_e4m3fn", torch.float32),
        ("float8_e4m3fnuz", torch.float32),
        ("float8_e5m2", torch.float32),
        ("float8_e5m2fnuz", torch.float32),
        ("float8_e8m0fnu", torch.float32),
    )
    if hasattr(torch, narrow)
}
_NUMBERS: Dict[Any, Any] = {torch.float32: ctypes.c_float, torch.float64: ctypes.c_double}
# Enough numbered inputs and outputs to check whether a pattern matches them.
PROBES = range(16)


def to_dlpack(tensor: torch.Tensor) -> Any:
    """Returns a DLPack capsule for the core; None if the tensor must be prepared first.

    DLPack cannot represent lazy negation and conjugation.
    """
    if type(tensor) not in _PLAIN or tensor.is_neg() or tensor.is_conj():
        return None
    try:
        return _pack(tensor)
    except (RuntimeError, BufferError):  # A type or layout that DLPack does not support.
        return None


def array_of(tensor: torch.Tensor) -> Optional["np.ndarray[Any, Any]"]:
    """Returns the values of a tensor in host memory, without a copy; None if NumPy cannot hold
    them. Of small tensors NumPy computes in a fraction of the time, for its calls are shorter."""
    if type(tensor) not in _PLAIN or tensor.device.type != "cpu":
        return None
    try:
        return tensor.numpy()
    except (TypeError, RuntimeError):
        return None


def single_number(tensor: Any) -> Optional[float]:
    """Returns the value of a tensor without dimensions in host memory, None of others.

    Reads it where it lies: item() goes through PyTorch's dispatcher, nothing of which is in the
    cache in the middle of a training.
    """
    if type(tensor) is not torch.Tensor or tensor.dim() > 0:
        return None
    number = _NUMBERS.get(tensor.dtype)
    if number is None or not tensor.is_cpu or tensor.is_neg():
        return None
    try:
        address = tensor.data_ptr()
    except RuntimeError:  # It is being transformed, by torch.func.
        return None
    return float(number.from_address(address).value) if address else None


def named_tensors(
    values: Any, prefix: str, counts: Dict[str, int]
) -> Iterator[Tuple[str, torch.Tensor]]:
    """Yields the tensors in nested lists and tuples by name: the prefix and a count.

    As in smdebug, only plain tensors count, not parameters. Tensors in a dictionary, which smdebug
    skips, are named after its keys.
    """
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


def tensors_in(values: Any) -> Iterator[torch.Tensor]:
    """Yields the tensors in nested lists, tuples and dictionaries."""
    if isinstance(values, torch.Tensor):
        yield values
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from tensors_in(value)
    elif isinstance(values, dict):
        for value in values.values():
            yield from tensors_in(value)


def has_more_names(values: Any) -> bool:
    """Returns whether dictionaries, or more tensors than PROBES, lead to unforeseen names."""
    if isinstance(values, dict):
        return True
    if isinstance(values, (list, tuple)):
        return len(values) > len(PROBES) or any(has_more_names(value) for value in values)
    return False


def prepared(tensor: torch.Tensor) -> Tuple[Any, bool]:
    """Returns (what the core reads, whether its bytes are bool): dense, C order, in host memory.

    Raises TypeError if there is nothing to read, or of no type that the core knows.
    """
    with torch.no_grad():
        to_local = getattr(tensor, "to_local", None)
        if to_local is not None:  # The part of this process of a distributed tensor.
            tensor = to_local()
        tensor = tensor.detach()
        if tensor.device.type == "meta":
            raise TypeError("it is on the meta device, which has no values")
        if tensor.is_quantized:
            tensor = tensor.dequantize()
        if tensor.layout != torch.strided:
            tensor = tensor.to_dense()
        tensor = tensor.to(_WIDER.get(tensor.dtype, tensor.dtype))
        tensor = tensor.resolve_conj().resolve_neg().cpu().contiguous()
        if tensor.dtype == torch.bool:
            return _pack(tensor.view(torch.uint8)), True
        try:
            return _pack(tensor), False
        except (RuntimeError, BufferError) as error:
            raise TypeError(f"unsupported type {tensor.dtype}: {error}") from None


def same_device(tensors: List[torch.Tensor]) -> bool:
    """Returns whether all tensors are on one device."""
    return len({tensor.device for tensor in tensors}) <= 1
