"""Detects whether a backward pass is running."""

import sys
from types import FrameType
from typing import Optional

import torch
import torch.utils.checkpoint

# The number of the running backward pass, -1 outside of one; None in older versions.
graph_task = getattr(torch._C, "_current_graph_task_id", None)
_BACKWARD = set()
if graph_task is None:
    _BACKWARD = {
        torch.autograd.backward.__code__,
        torch.autograd.grad.__code__,
        torch.utils.checkpoint.CheckpointFunction.backward.__code__,
    }


_CALLS_LOOKED_AT = 100


class RecallCheck:
    """Calls in_backward() for one model, cheaply.

    In older versions of PyTorch, checking costs as much as a small layer, because Python must
    materialize its whole stack. A model whose first calls were all outside of a backward pass is
    trusted in steps that save nothing.
    """

    def __init__(self) -> None:
        self._trusted_after = _CALLS_LOOKED_AT

    def is_recall(self, quiet: bool) -> bool:
        """Returns whether this call belongs to a backward pass. `quiet`: nothing is saved in this
        step."""
        if graph_task is None:
            if quiet and self._trusted_after == 0:
                return False
            recall = in_backward()
            if recall:
                self._trusted_after = -1  # Never.
            elif self._trusted_after > 0:
                self._trusted_after -= 1
            return recall
        return graph_task() != -1


def in_backward() -> bool:
    """Returns whether this thread is inside a backward pass.

    A backward pass calls modules again whose outputs were dropped to save memory.
    """
    if graph_task is not None:
        return graph_task() != -1
    frame: Optional[FrameType] = sys._getframe()
    while frame is not None:
        if frame.f_code in _BACKWARD:
            return True
        frame = frame.f_back
    return False
