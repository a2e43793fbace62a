"""Computes reductions on a device with PyTorch operations, for devices and types without a kernel
in the core."""

from typing import Any, Dict, List, Tuple

import torch

# Numbers of the reductions; absolute ones are nine higher.
_PLAIN, _ABSOLUTE = 0, 9
_MIN, _MAX, _MEAN, _STD, _VARIANCE, _SUM, _PROD, _L1, _L2 = range(9)

# Statistics computed from a tensor in one pass each; the reductions are derived from them.
_EXTREMES, _MOMENTS, _PRODUCT, _NORM1, _NORM2, _ABS_MIN, _ABS_MOMENT = range(7)
_NEEDS = {
    _PLAIN + _MIN: (_EXTREMES,),
    _PLAIN + _MAX: (_EXTREMES,),
    _PLAIN + _MEAN: (_MOMENTS,),
    _PLAIN + _STD: (_MOMENTS,),
    _PLAIN + _VARIANCE: (_MOMENTS,),
    _PLAIN + _SUM: (_MOMENTS,),
    _PLAIN + _PROD: (_PRODUCT,),
    _PLAIN + _L1: (_NORM1,),
    _PLAIN + _L2: (_NORM2,),
    _ABSOLUTE + _MIN: (_ABS_MIN,),
    _ABSOLUTE + _MAX: (_EXTREMES,),
    _ABSOLUTE + _MEAN: (_NORM1,),
    _ABSOLUTE + _STD: (_ABS_MOMENT,),
    _ABSOLUTE + _VARIANCE: (_ABS_MOMENT,),
    _ABSOLUTE + _SUM: (_NORM1,),
    _ABSOLUTE + _PROD: (_PRODUCT,),
    _ABSOLUTE + _L1: (_NORM1,),
    _ABSOLUTE + _L2: (_NORM2,),
}


def _needed(reductions: Tuple[int, ...]) -> List[int]:
    return sorted({need for reduction in reductions for need in _NEEDS[reduction]})


def statistics_of(tensor: torch.Tensor, reductions: Tuple[int, ...]) -> List[torch.Tensor]:
    """Returns the statistics that the reductions need, in the order of _needed."""
    if tensor.dtype in (torch.float16, torch.bfloat16):
        tensor = tensor.float()
    elif not tensor.is_floating_point():
        tensor = tensor.double()
    statistics: List[torch.Tensor] = []
    absolute: Any = None
    for need in _needed(reductions):
        if need in (_ABS_MIN, _ABS_MOMENT) and absolute is None:
            absolute = tensor.abs()
        if need == _EXTREMES:
            statistics.extend(torch.aminmax(tensor))
        elif need == _MOMENTS:
            statistics.extend(reversed(torch.var_mean(tensor, unbiased=True)))
        elif need == _PRODUCT:
            statistics.append(tensor.prod())
        elif need == _NORM1:
            statistics.append(torch.linalg.vector_norm(tensor, 1))
        elif need == _NORM2:
            statistics.append(torch.linalg.vector_norm(tensor, 2))
        elif need == _ABS_MIN:
            statistics.append(absolute.min())
        else:
            statistics.append(absolute.var(unbiased=True))
    return statistics


def derive(table: torch.Tensor, counts: torch.Tensor, reductions: Tuple[int, ...]) -> torch.Tensor:
    """Returns the reductions of all rows from the columns of statistics_of."""
    column: Dict[Tuple[int, int], torch.Tensor] = {}
    place = 0
    for need in _needed(reductions):
        for part in range(2 if need in (_EXTREMES, _MOMENTS) else 1):
            column[need, part] = table[:, place]
            place += 1

    def of(reduction: int) -> torch.Tensor:
        (need,) = _NEEDS[reduction]
        first = column[need, 0]
        operation = reduction % 9
        if need == _EXTREMES:
            if reduction >= _ABSOLUTE:
                return torch.maximum(first.abs(), column[need, 1].abs())
            return first if operation == _MIN else column[need, 1]
        if need == _MOMENTS:
            if operation == _MEAN:
                return first
            if operation == _SUM:
                return first * counts
            variance = column[need, 1]
            return variance.sqrt() if operation == _STD else variance
        if need == _ABS_MOMENT:
            return first.sqrt() if operation == _STD else first
        if need == _PRODUCT:
            return first.abs() if reduction >= _ABSOLUTE else first
        return first / counts if operation == _MEAN else first

    return torch.stack([of(reduction) for reduction in reductions], dim=1).contiguous()
