"""Computes the loss of a step again."""

from typing import Any, List, Optional

import torch

from tensorwarden.adapters.pytorch.dumps.links import Link
from tensorwarden.adapters.pytorch.dumps.recorder import Loss
from tensorwarden.adapters.pytorch.replay.calls import autocast_as


def loss_again(
    outputs: Any,
    own: Optional[Link],
    losses: List[Loss],
    value: Optional[torch.Tensor],
    reference: Optional[torch.dtype],
) -> Optional[torch.Tensor]:
    """Returns what ran backward, made of the outputs of the model; None if it is not known.

    `own`: which of the outputs is the loss, else `losses` are added. `value`: of what ran
    backward during the training, which may be a multiple of the loss.
    """
    total: Optional[torch.Tensor] = None
    before: Optional[torch.Tensor] = None
    if own is not None:
        total = own.follow(outputs)
    for loss in losses if own is None else []:
        one = _compute(loss, outputs, reference)
        total = one if total is None else total + one
        before = loss.value if before is None else before + loss.value
    if total is None or not total.requires_grad:
        return None
    made = before if before is not None else total.detach()
    return total * _factor(value, made)


def _factor(value: Optional[torch.Tensor], made: torch.Tensor) -> float:
    """Returns by what the script has multiplied a loss, often one over the number of
    micro-batches."""
    if value is None or not bool(made):
        return 1.0
    factor = float(value) / float(made)
    close = abs(factor - 1) < 1e-2  # Rounding.
    return 1.0 if close or not 0 < abs(factor) < float("inf") else factor


def _compute(loss: Loss, outputs: Any, reference: Optional[torch.dtype]) -> torch.Tensor:
    function: Any = loss.module
    if function is None:
        function = getattr(torch.nn.functional, loss.name)
    elif reference is not None:
        function = function.to(reference)
    args = [_resolved(argument, outputs, reference) for argument in loss.args]
    kwargs = {key: _resolved(v, outputs, reference) for key, v in loss.kwargs.items()}
    with autocast_as(loss.autocast if reference is None else {}):
        result: torch.Tensor = function(*args, **kwargs)
    return result


def _resolved(argument: Any, outputs: Any, reference: Optional[torch.dtype]) -> Any:
    if isinstance(argument, Link):
        value = argument.follow(outputs)
        return value.to(argument.dtype) if reference is None else value
    if reference is not None and isinstance(argument, torch.Tensor):
        return argument.to(reference) if argument.is_floating_point() else argument
    return argument
