"""Whether the backward pass is under way."""

import sys

import torch
import torch.utils.checkpoint

# -1 outside of a backward pass; older versions do not tell.
_graph_task = getattr(torch._C, "_current_graph_task_id", None)
_BACKWARD = set()
if _graph_task is None:
    _BACKWARD = {
        torch.autograd.backward.__code__,
        torch.autograd.grad.__code__,
        torch.utils.checkpoint.CheckpointFunction.backward.__code__,
    }


_CALLS_LOOKED_AT = 100


class RecallCheck:
    """in_backward() for calls of one model.

    Where PyTorch does not tell, looking costs as much as a small layer: Python has to make up its
    whole stack. A model that was not called in a backward pass in all its first calls is then
    trusted not to be in steps that save nothing."""

    def __init__(self) -> None:
        self._trusted_after = _CALLS_LOOKED_AT

    def is_recall(self, quiet: bool) -> bool:
        """Whether this call is one of the backward pass. quiet: nothing is saved in this step."""
        if _graph_task is None:
            if quiet and self._trusted_after == 0:
                return False
            recall = in_backward()
            if recall:
                self._trusted_after = -1  # Never.
            elif self._trusted_after > 0:
                self._trusted_after -= 1
            return recall
        return _graph_task() != -1


def in_backward() -> bool:
    """Whether this thread is inside a backward pass, which runs modules again that gave up their
    outputs to save memory."""
    if _graph_task is not None:
        return _graph_task() != -1
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code in _BACKWARD:
            return True
        frame = frame.f_back
    return False
