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
