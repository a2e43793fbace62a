"""Saved gradients are those that a hook on each parameter sees, however a script runs backward."""

from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from training import batches, make_model, read, values

Gradients = Dict[Tuple[str, int], np.ndarray]


class Seen:
    """Records the first gradient of each parameter in each step."""

    def __init__(self, hook: Any, model: nn.Module):
        self.gradients: Gradients = {}
        self._hook = hook
        for name, parameter in model.named_parameters():
            parameter.register_hook(self._recorder(f"gradient/{model._get_name()}_{name}"))

    def _recorder(self, name: str) -> Callable[[torch.Tensor], None]:
        def record(gradient: torch.Tensor) -> None:
            self.gradients.setdefault((name, self._hook.step), gradient.detach().numpy().copy())

        return record


def losses(model: nn.Module, steps: int = 6) -> Any:
    for features, target in batches(steps):
        yield nn.functional.cross_entropy(model(features), target)


def plain(model: nn.Module, optimizer: Any) -> None:
    for loss in losses(model):
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def cleared_before_backward(model: nn.Module, optimizer: Any) -> None:
    for loss in losses(model):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def cleared_to_zero(model: nn.Module, optimizer: Any) -> None:
    for loss in losses(model):
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)


def accumulated(model: nn.Module, optimizer: Any) -> None:
    for number, loss in enumerate(losses(model)):
        (loss / 2).backward()
        if number % 2:
            optimizer.step()
            optimizer.zero_grad()


def clipped(model: nn.Module, optimizer: Any) -> None:
    for loss in losses(model):
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.01)
        optimizer.step()


def partly_frozen(model: nn.Module, optimizer: Any) -> None:
    for number, loss in enumerate(losses(model)):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number == 2:
            model[0].weight.requires_grad_(False)


def with_a_graph(model: nn.Module, optimizer: Any) -> None:
    for loss in losses(model):
        optimizer.zero_grad()
        loss.backward(create_graph=True)
        optimizer.step()
        optimizer.zero_grad()


def after_a_penalty(model: nn.Module, optimizer: Any) -> None:
    """A first pass computes the gradient of the input, and leaves none in the parameters."""
    for features, target in batches(6):
        optimizer.zero_grad()
        features.requires_grad_()
        loss = nn.functional.cross_entropy(model(features), target)
        (slope,) = torch.autograd.grad(loss, features, create_graph=True)
        (loss + slope.pow(2).sum()).backward()
        optimizer.step()


WAYS = [
    plain,
    cleared_before_backward,
    cleared_to_zero,
    accumulated,
    clipped,
    partly_frozen,
    with_a_graph,
    after_a_penalty,
]


def check(hook: Any, seen: Seen) -> None:
    """Compares to the last bit."""
    trial = read(hook)
    saved: Gradients = {}
    for name in trial.tensor_names(regex="^gradient/"):
        saved.update({(name, step): value for step, value in values(trial, name).items()})
    assert saved.keys() == seen.gradients.keys()
    for key, value in saved.items():
        assert value.tobytes() == seen.gradients[key].tobytes(), key


@pytest.mark.parametrize("way", WAYS)
def test_gradients_are_those_of_the_pass(make_hook, way):
    hook = make_hook(include_collections=["gradients"])
    model = make_model()
    seen = Seen(hook, model)
    hook.register_module(model)
    way(model, torch.optim.SGD(model.parameters(), lr=0.1))
    assert not hook.disabled
    check(hook, seen)


class Result:
    """An output that shows no tensor."""

    def __init__(self, loss: torch.Tensor):
        self.loss = loss


class Opaque(nn.Module):
    """Returns its loss in an object."""

    def __init__(self) -> None:
        super().__init__()
        self.net = make_model()

    def forward(self, features: torch.Tensor, target: torch.Tensor) -> Result:
        return Result(nn.functional.cross_entropy(self.net(features), target))


def test_a_model_whose_outputs_show_no_tensor(make_hook):
    hook = make_hook(include_collections=["gradients"])
    model = Opaque()
    seen = Seen(hook, model)
    hook.register_module(model)
    for features, target in batches(3):
        model.zero_grad()
        model(features, target).loss.backward()
    assert seen.gradients
    check(hook, seen)


@pytest.mark.parametrize("reentrant", [True, False])
def test_a_checkpointed_model(make_hook, reentrant):
    class Saving(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = make_model()

        def forward(self, features: torch.Tensor) -> torch.Tensor:
            return checkpoint(self.net, features, use_reentrant=reentrant)

    hook = make_hook(include_collections=["gradients"])
    model = Saving()
    seen = Seen(hook, model)
    hook.register_module(model)
    for features, target in batches(3):
        model.zero_grad()
        nn.functional.cross_entropy(model(features.requires_grad_()), target).backward()
    assert seen.gradients
    check(hook, seen)


def test_a_pass_that_fails_leaves_no_hooks_behind(make_hook):
    hook = make_hook(include_collections=["gradients"])
    model = make_model()
    hook.register_module(model)
    features, target = batches(1)[0]
    nn.functional.cross_entropy(model(features), target).backward()

    def fail(_: torch.Tensor) -> None:
        raise ValueError("no gradient today")

    handle = model[0].weight.register_hook(fail)
    loss = nn.functional.cross_entropy(model(features), target)
    with pytest.raises(ValueError, match="no gradient today"):
        loss.backward()
    handle.remove()
    model.zero_grad()
    nn.functional.cross_entropy(model(features), target).backward()
    assert not hook.disabled
    hooks: List[Any] = [p._backward_hooks for p in model.parameters()]
    if hasattr(torch._C, "_current_graph_task_id"):  # Older versions have a hook on each.
        assert not any(hooks)
    assert read(hook).tensor("gradient/Sequential_2.weight").steps() == [0, 1, 2]
