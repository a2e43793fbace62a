"""What is not finite in tensors."""

import math
from typing import Any, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np
import torch

from tensorwarden.adapters.pytorch.tensors import array_of, tensors_in


class Badness(NamedTuple):
    """What a group of tensors holds that is not finite."""

    nan: bool = False
    high: bool = False  # +inf.
    low: bool = False  # -inf.

    @property
    def inf(self) -> bool:
        """Whether there are infinities."""
        return self.high or self.low


def floats_in(values: Any) -> Iterator[torch.Tensor]:
    """Yields the tensors whose values may be not finite."""
    if not isinstance(values, (torch.Tensor, list, tuple, dict)) and hasattr(values, "__dict__"):
        values = vars(values)  # A dataclass, as models return them.
    for tensor in tensors_in(values):
        # Whoever shards a tensor or has no values must be asked by other means.
        plain = not hasattr(tensor, "to_local") and tensor.device.type != "meta"
        if plain and tensor.is_floating_point() and tensor.numel() and not tensor.is_sparse:
            yield tensor


def look_at(values: Any) -> Badness:
    """Returns what is not finite in nested tensors."""
    nan = high = low = False
    with torch.no_grad():
        for tensor in floats_in(values):
            value = tensor.detach()
            if value.element_size() == 1:  # 8 bits: few operators exist for them.
                value = value.float()
            if bool(torch.isfinite(value).all()):
                continue
            nan = nan or bool(torch.isnan(value).any())
            high = high or bool(torch.isposinf(value).any())
            low = low or bool(torch.isneginf(value).any())
    return Badness(nan, high, low)


def is_bad(value: torch.Tensor) -> bool:
    """Returns whether a tensor holds anything that is not finite."""
    return any(look_at(value))


def all_finite(tensors: List[torch.Tensor]) -> bool:
    """Returns whether small tensors hold only finite values, in the shortest time. Huge values may
    look infinite."""
    total = 0.0
    for tensor in tensors:
        array = array_of(tensor)
        if array is None:
            return not bad_among(tensors)
        total += float(np.add.reduce(array, axis=None))
    return math.isfinite(total)


def bad_among(tensors: List[torch.Tensor]) -> List[int]:
    """Returns the positions of tensors that hold what is not finite; one pass over all."""
    if not tensors:
        return []
    plain = all(t.layout is torch.strided and t.dtype == tensors[0].dtype for t in tensors)
    norms: Any = getattr(torch, "_foreach_norm", None)
    with torch.no_grad():
        if norms is not None and plain and len({t.device for t in tensors}) == 1:
            # In half precision the norm itself may overflow: then each one is looked at.
            total = torch.stack(norms([t.detach() for t in tensors])).sum()
            if bool(torch.isfinite(total)):
                return []
        return [number for number, tensor in enumerate(tensors) if is_bad(tensor)]


def range_of(values: Any) -> Optional[Tuple[float, float]]:
    """Returns the least and the largest finite value; None if there is none."""
    low, high = float("inf"), float("-inf")
    with torch.no_grad():
        for tensor in floats_in(values):
            value = tensor.detach().float()
            finite = value[torch.isfinite(value)]
            if finite.numel():
                low, high = min(low, float(finite.min())), max(high, float(finite.max()))
    return None if low > high else (low, high)
