"""Saves the gradients of parameters when a backward pass ends, all at once.

Until then they are where PyTorch puts them, and a backward pass is not slowed down by a call for
each of them. They are the same values that a hook of each parameter would see, as long as the
pass does not add to gradients of an earlier one; parameters with such gradients get a hook for this
pass.
"""

from typing import Any, Callable, Iterable, List, NamedTuple, Optional, Sequence, Set

import torch

from tensorwarden.adapters.pytorch.backward import graph_task
from tensorwarden.adapters.pytorch.compiling import compiling
from tensorwarden.adapters.pytorch.model import Watched
from tensorwarden.adapters.pytorch.tensors import tensors_in


def seen_at_the_end(
    root: torch.nn.Module, parameters: Sequence[torch.Tensor], workers: int
) -> bool:
    """Returns whether the gradients of a pass are still unchanged when it ends.

    Not in a distributed training, which exchanges plain gradients meanwhile; sharded ones are ready
    only then.
    """
    if graph_task is None or isinstance(root, torch.jit.ScriptModule):
        return False
    for parameter in parameters:
        if getattr(parameter, "_post_accumulate_grad_hooks", None):
            return False  # It may be updated, and its gradient freed, within the pass.
        if workers > 1 and not hasattr(parameter, "to_local"):
            return False
    return True


class Pass(NamedTuple):
    """A backward pass that is running."""

    task: int
    watched: List[Watched]
    early: Set[int]  # Identities of parameters that had gradients before.
    handles: List[Any]


class PassWatch:
    """Waits for the ends of backward passes.

    Args:
        due: Returns the parameters whose gradients are saved in this step.
        save: Saves the gradients of parameters: their numbers, the parameters, the gradients.
        save_one: Saves one gradient with this number.
        guard: Calls a function; a failure does not reach the training.
    """

    def __init__(
        self,
        due: Callable[[], Iterable[Watched]],
        save: Callable[[List[int], List[torch.Tensor], List[Optional[torch.Tensor]]], None],
        save_one: Callable[[int, torch.Tensor], None],
        guard: Callable[..., None],
    ):
        self._due = due
        self._save = save
        self._save_one = save_one
        self._guard = guard
        self._running: List[Pass] = []
        # Whether a pass left no gradient, for example because torch.autograd.grad() returned them.
        self.misses = False

    def follow(self, outputs: Any) -> bool:
        """Notices when a backward pass reaches the outputs of a model. Returns whether it can."""
        for failed in self._running:
            _remove(failed.handles)
        self._running.clear()
        found = False
        for tensor in tensors_in(outputs):
            if tensor.requires_grad:
                tensor.register_hook(self._begins)
                found = True
        return found

    def _begins(self, _: torch.Tensor) -> None:
        if not compiling():
            self._guard(self._begin)

    def _begin(self) -> None:
        task = graph_task()  # type: ignore[misc]  # Never None here.
        if any(known.task == task for known in self._running):
            return
        running = Pass(task, list(self._due()), set(), [])
        for watched in running.watched:
            for parameter, number in zip(watched.trained, watched.gradient_numbers):
                if parameter.grad is not None:
                    running.early.add(id(parameter))
                    running.handles.append(parameter.register_hook(self._added(number)))
        self._running.append(running)
        engine: Any = torch.autograd.Variable._execution_engine
        engine.queue_callback(lambda: self._guard(self._end, running))

    def _added(self, number: int) -> Any:
        return lambda gradient: self._guard(self._save_one, number, gradient)

    def _end(self, ended: Pass) -> None:
        self._running = [known for known in self._running if known is not ended]
        _remove(ended.handles)
        early, found = ended.early, bool(ended.early)
        for watched in ended.watched:
            gradients = [parameter.grad for parameter in watched.trained]
            if early:
                gradients = [
                    None if id(parameter) in early else gradient
                    for parameter, gradient in zip(watched.trained, gradients)
                ]
            if any(gradient is not None for gradient in gradients):
                found = True
                self._save(watched.gradient_numbers, watched.trained, gradients)
        if ended.watched and not found:
            self.misses = True


def _remove(handles: List[Any]) -> None:
    for handle in handles:
        handle.remove()
