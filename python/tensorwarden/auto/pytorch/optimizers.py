"""Detects optimizers, which show that a process trains and which parameters it trains."""

from typing import Any

import torch

from tensorwarden.auto.pytorch.capture import Capture
from tensorwarden.base.patching import Patches


def watch(capture: Capture) -> None:
    """Reports each new optimizer to the capture."""

    def make(original: Any) -> Any:
        def init(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            capture.note_optimizer(self)

        return init

    Patches().put(torch.optim.Optimizer, "__init__", make)
