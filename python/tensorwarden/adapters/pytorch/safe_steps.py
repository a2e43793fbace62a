"""Whether an optimizer may use the gradients that it has."""

from typing import Any, Iterable, Iterator, List, Optional, Tuple

import torch

from tensorwarden.adapters.pytorch.finite_values import bad_among
from tensorwarden.base.troubles import say_once


class SafeSteps:
    """A part of the hook."""

    _models: List[Any]

    def step_is_safe(self, optimizer: Optional[Any] = None) -> bool:
        """Returns whether all gradients are finite. Names the first one that is not, in a warning.

        ```python
        loss.backward()
        if hook.step_is_safe():
            optimizer.step()
        ```

        Looks at the parameters of `optimizer`, or at those of all registered models. With a
        `GradScaler`, call it after `scaler.unscale_(optimizer)`. On a GPU, waits for the gradients.
        If they cannot be looked at, returns True.
        """
        try:
            bad = first_bad_gradient(self._models, optimizer)
        except Exception as error:
            say_once(f"step_is_safe cannot look at gradients: {type(error).__name__}: {error}")
            return True
        if bad is not None:
            say_once(f"the step is not safe: {bad} is NaN or infinite")
        return bad is None


def first_bad_gradient(models: Iterable[Any], optimizer: Optional[Any] = None) -> Optional[str]:
    """Returns the name of the first gradient in backward order that is not finite; None if all are.

    If parameters are shared out among processes, all of them get an answer, and must ask.
    """
    named = list(_named(models))
    if optimizer is not None:
        held = [p for group in optimizer.param_groups for p in group["params"]]
        names = {id(p): name for name, p in named}
        named = [(names.get(id(p), "of a parameter"), p) for p in held]
    named = [(name, p) for name, p in named if p.grad is not None]
    gradients = [_local(p.grad) for _, p in named]
    bad = bad_among([gradient for gradient in gradients if gradient.numel()])
    anywhere = bool(bad)
    if any(hasattr(p.grad, "to_local") for _, p in named):
        anywhere = _anywhere(anywhere, gradients[0].device)
    if not anywhere:
        return None
    kept = [name for (name, _), gradient in zip(named, gradients) if gradient.numel()]
    return f"gradient/{kept[bad[-1]]}" if bad else "a gradient of another worker"


def _named(models: Iterable[Any]) -> Iterator[Tuple[str, torch.Tensor]]:
    for model in models:
        for name, parameter in model.named.named_parameters():
            yield f"{model.name}_{name}", parameter


def _local(gradient: Any) -> torch.Tensor:
    local = gradient.to_local() if hasattr(gradient, "to_local") else gradient
    return local.coalesce().values() if local.is_sparse else local


def _anywhere(found: bool, device: torch.device) -> bool:
    """Returns whether any process has found something. Otherwise some would step and some not."""
    flag = torch.tensor([float(found)], device=device)
    torch.distributed.all_reduce(flag, op=torch.distributed.ReduceOp.MAX)
    return bool(flag.item())
