"""Values of a step on a GPU that tell whether it is finite, read before or after its end.

Losses are there when the host is about to start the optimizer: the GPU is busy with the backward
pass then, and reading them takes nothing from it. Gradients are read one step later.
"""

import time
from typing import Any, List, Optional

import torch

from tensorwarden.adapters.pytorch.gpu_time import GpuTime

_MOST_LOSSES = 64  # Of one step of an optimizer; micro-batches have one each.
_SHARE = 0.002  # Of the time, for the norms of all gradients.
_EARLY = 8  # Steps at which all gradients are looked at.


class GpuLosses:
    """Brings the losses of a step to the host."""

    def __init__(self) -> None:
        self._memory: Optional[torch.Tensor] = None
        self._arrived: Optional[torch.cuda.Event] = None
        self._count = 0

    def add(self, value: torch.Tensor) -> None:
        """A loss is about to run backward."""
        if self._count == _MOST_LOSSES or torch.cuda.is_current_stream_capturing():
            return
        if self._memory is None or self._arrived is None:
            self._memory = torch.empty(_MOST_LOSSES, device="cpu", pin_memory=True)
            self._arrived = torch.cuda.Event(blocking=True)
        self._memory[self._count].copy_(value.detach().reshape(()), non_blocking=True)
        self._count += 1
        self._arrived.record(torch.cuda.current_stream(value.device))

    def take(self) -> List[float]:
        """Returns the losses since the last call. Waits until the GPU has computed them."""
        if self._memory is None or self._arrived is None or self._count == 0:
            return []
        self._arrived.synchronize()
        numbers: List[float] = self._memory[: self._count].tolist()
        self._count = 0
        return numbers

    @property
    def has_any(self) -> bool:
        """Whether there are losses to take."""
        return self._count > 0

    def forget(self) -> None:
        """Forgets losses that have not been taken."""
        self._count = 0


class GpuGradients:
    """Knows which gradients of the last step were not finite, without making it wait."""

    def __init__(self) -> None:
        self._parameters: List[torch.Tensor] = []
        self._norms: Optional[torch.Tensor] = None
        self._arrived: Optional[torch.cuda.Event] = None
        self._time = GpuTime()
        self._steps = 0
        self._spent = 0.0
        self._begin = time.perf_counter()

    def look(self, parameters: List[torch.Tensor]) -> None:
        """An optimizer is about to use the gradients of parameters."""
        self._norms = None
        self._steps += 1
        self._spent += self._time.take()
        if not self._can_afford() or torch.cuda.is_current_stream_capturing():
            return
        gradients: List[Any] = [p.grad for p in parameters]
        if not gradients or not all(_is_like(g, gradients[0]) for g in gradients):
            return
        begin = time.perf_counter()
        with torch.no_grad(), self._time.section():
            # The largest magnitude: unlike a sum of squares, it cannot overflow.
            norms = torch._foreach_norm(gradients, float("inf"))
            self._norms = torch.empty(len(norms), device="cpu", pin_memory=True)
            self._norms.copy_(torch.stack(norms), non_blocking=True)
        self._arrived = torch.cuda.Event()
        self._arrived.record(torch.cuda.current_stream(gradients[0].device))
        self._parameters = parameters
        self._spent += time.perf_counter() - begin

    def bad(self) -> Optional[List[torch.Tensor]]:
        """Returns the parameters whose gradients were not finite at the last step of an optimizer;
        None if they were not looked at."""
        if self._norms is None or self._arrived is None:
            return None
        self._arrived.synchronize()
        finite = torch.isfinite(self._norms).tolist()
        return [p for p, is_finite in zip(self._parameters, finite) if not is_finite]

    def _can_afford(self) -> bool:
        if self._steps == _EARLY:
            self._begin, self._spent = time.perf_counter(), 0.0
        return self._steps < _EARLY or self._spent < _SHARE * (time.perf_counter() - self._begin)


def _is_like(gradient: Any, first: Any) -> bool:
    """Returns whether norms of both can be computed together; not if they are shared out."""
    same = gradient.dtype == first.dtype and gradient.device == first.device
    return same and gradient.layout is torch.strided and not hasattr(gradient, "to_local")
