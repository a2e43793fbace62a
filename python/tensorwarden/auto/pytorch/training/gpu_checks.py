"""Values of a step on a GPU that tell whether it is finite, read before or after its end.

Losses are there when the host is about to start the optimizer: the GPU is busy with the backward
pass then, and reading them takes nothing from it. Gradients are read one step later.
"""

import time
from typing import Any, List, Optional

import torch

from tensorwarden.adapters.pytorch.gpu_time import GpuTime

_MOST_LOSSES = 64  # Of one step of an optimizer; micro-batches have one each.
_SHARE = 0.002  # Of the time, for the norms of all gradients, and again for those of small ones.
_AHEAD = 0.1  # Seconds that may be spent ahead of that: the first thousand of short steps.
_EARLY = 8  # Looks that are not counted, in which kernels are loaded.
_SMALL = 1 << 14  # Values of a gradient that costs the GPU next to nothing.


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
    """Knows which gradients of the last step were not finite, without making it wait.

    Looks at all gradients as often as their share of the time allows, else at the small ones: what
    goes wrong on the way back reaches the biases of all layers before it.
    """

    def __init__(self) -> None:
        self._all = _Norms()
        self._small = _Norms()
        self._used: Optional[_Norms] = None  # At the last step of an optimizer.

    def look(self, parameters: List[torch.Tensor]) -> float:
        """An optimizer is about to use the gradients of parameters. Returns the seconds that a GPU
        was busy with earlier looks."""
        self._used = None
        busy = self._all.take_busy() + self._small.take_busy()
        if torch.cuda.is_current_stream_capturing():
            return busy
        if self._all.can_afford():
            self._used = self._all if self._all.compute(parameters) else None
        elif self._small.can_afford():
            small = [p for p in parameters if p.numel() <= _SMALL]
            self._used = self._small if self._small.compute(small) else None
        return busy

    def bad(self) -> List[torch.Tensor]:
        """Returns the parameters whose gradients are known to have been NaN or infinite at the last
        step of an optimizer."""
        return [] if self._used is None else self._used.bad()

    @property
    def knows_all(self) -> bool:
        """Whether all gradients of that step were looked at."""
        return self._used is self._all


class _Norms:
    """Computes norms of gradients within a share of the time."""

    def __init__(self) -> None:
        self._parameters: List[torch.Tensor] = []
        self._norms: Optional[torch.Tensor] = None
        self._arrived: Optional[torch.cuda.Event] = None
        self._time = GpuTime()
        self._looks = 0
        self._spent = 0.0
        self._begin = time.perf_counter()

    def take_busy(self) -> float:
        """Returns the seconds that the GPU was busy, as far as known and not returned before."""
        busy = self._time.take()
        self._spent += busy
        return busy

    def can_afford(self) -> bool:
        if self._looks == _EARLY:
            self._begin, self._spent = time.perf_counter(), 0.0
        allowed = _AHEAD + _SHARE * (time.perf_counter() - self._begin)
        return self._looks < _EARLY or self._spent < allowed

    def compute(self, parameters: List[torch.Tensor]) -> bool:
        """Returns whether it can; the norms arrive later."""
        gradients: List[Any] = [p.grad for p in parameters]
        if not gradients or not all(_is_like(g, gradients[0]) for g in gradients):
            return False
        begin = time.perf_counter()
        with torch.no_grad(), self._time.section():
            # The largest magnitude: unlike a sum of squares, it cannot overflow.
            norms = torch._foreach_norm(gradients, float("inf"))
            self._norms = torch.empty(len(norms), device="cpu", pin_memory=True)
            self._norms.copy_(torch.stack(norms), non_blocking=True)
        self._arrived = torch.cuda.Event()
        self._arrived.record(torch.cuda.current_stream(gradients[0].device))
        self._parameters = parameters
        self._looks += 1
        self._spent += time.perf_counter() - begin
        return True

    def bad(self) -> List[torch.Tensor]:
        """Returns the parameters whose gradients were not finite."""
        if self._norms is None or self._arrived is None:
            return []
        self._arrived.synchronize()
        finite = torch.isfinite(self._norms).tolist()
        return [p for p, is_finite in zip(self._parameters, finite) if not is_finite]


def _is_like(gradient: Any, first: Any) -> bool:
    """Returns whether norms of both can be computed together; not if they are shared out."""
    same = gradient.dtype == first.dtype and gradient.device == first.device
    return same and gradient.layout is torch.strided and not hasattr(gradient, "to_local")
