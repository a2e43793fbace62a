"""A number that a GPU computes, and that is read when it has arrived."""

from typing import Optional

import torch


class LateNumber:
    """Brings one number at a time to the host, without waiting for it."""

    def __init__(self) -> None:
        self._number: Optional[torch.Tensor] = None
        self._arrived: Optional[torch.cuda.Event] = None

    def send(self, value: torch.Tensor) -> None:
        """Sends a number of a GPU, unless another one is still under way."""
        if self._arrived is not None:
            return
        self._number = torch.empty((), dtype=torch.float32, device="cpu", pin_memory=True)
        self._number.copy_(value.detach(), non_blocking=True)
        self._arrived = torch.cuda.Event()
        self._arrived.record(torch.cuda.current_stream(value.device))

    def take(self) -> Optional[float]:
        """Returns the number that was sent, once; None if none has arrived."""
        if self._arrived is None or self._number is None or not self._arrived.query():
            return None
        number = float(self._number)
        self._arrived = self._number = None
        return number
