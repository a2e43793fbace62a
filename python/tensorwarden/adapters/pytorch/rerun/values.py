"""Ranges of tensors, and differences between them."""

from typing import Any, Dict, List, NamedTuple, Optional

import torch

from tensorwarden.adapters.pytorch.dumps.layout import type_text
from tensorwarden.adapters.pytorch.finite_values import floats_in

_MOST_KEPT = 1 << 18  # Values of a module's outputs that are kept for comparison.


class Values(NamedTuple):
    """What a group of tensors holds."""

    dtype: str  # Of the first.
    low: Optional[float]  # The least and the largest finite value.
    high: Optional[float]
    nan: int = 0
    positive_infinity: int = 0
    negative_infinity: int = 0

    @property
    def is_finite(self) -> bool:
        """Whether everything is finite."""
        return not (self.nan or self.positive_infinity or self.negative_infinity)

    @property
    def largest(self) -> float:
        """The largest magnitude of a finite value."""
        return max(abs(self.low or 0.0), abs(self.high or 0.0))

    def as_json(self) -> Dict[str, Any]:
        """Returns it as a dictionary."""
        return self._asdict()


def values_of(nested: Any) -> Optional[Values]:
    """Returns what nested tensors hold; None if there are no numbers."""
    found: Optional[Values] = None
    with torch.no_grad():
        for tensor in floats_in(nested):
            one = _values_of_one(tensor.detach())
            found = one if found is None else _joined(found, one)
    return found


def _values_of_one(tensor: torch.Tensor) -> Values:
    dtype = type_text(tensor.dtype)
    tensor = tensor.float() if tensor.element_size() < 4 else tensor
    finite = tensor[torch.isfinite(tensor)]
    low, high = (float(finite.min()), float(finite.max())) if finite.numel() else (None, None)
    if finite.numel() == tensor.numel():
        return Values(dtype, low, high)
    counts = (torch.isnan(tensor), torch.isposinf(tensor), torch.isneginf(tensor))
    return Values(dtype, low, high, *(int(mask.sum()) for mask in counts))


def _joined(one: Values, other: Values) -> Values:
    lows = [value for value in (one.low, other.low) if value is not None]
    highs = [value for value in (one.high, other.high) if value is not None]
    return Values(
        one.dtype,
        min(lows, default=None),
        max(highs, default=None),
        one.nan + other.nan,
        one.positive_infinity + other.positive_infinity,
        one.negative_infinity + other.negative_infinity,
    )


def sample_of(nested: Any) -> List[torch.Tensor]:
    """Returns values of nested tensors for difference(), evenly spread if there are many."""
    kept = []
    with torch.no_grad():
        for tensor in floats_in(nested):
            flat = tensor.detach().flatten()
            kept.append(flat[:: 1 + flat.numel() // _MOST_KEPT].double().cpu())
    return kept


class Difference(NamedTuple):
    """How far two groups of tensors are apart, where both are finite."""

    absolute: float
    relative: float  # To the largest magnitude of the reference.


def difference(ours: List[torch.Tensor], reference: List[torch.Tensor]) -> Optional[Difference]:
    """Compares two samples; None if their shapes differ or nothing is finite in both."""
    if [s.shape for s in ours] != [s.shape for s in reference] or not ours:
        return None
    one, other = torch.cat(ours), torch.cat(reference)
    both = torch.isfinite(one) & torch.isfinite(other)
    if not bool(both.any()):
        return None
    absolute = float((one[both] - other[both]).abs().max())
    size = float(other[both].abs().max())
    return Difference(absolute, absolute / size if size else float(absolute > 0))
