"""hook.step_is_safe: whether an optimizer may use the gradients that it has."""

import pytest
import torch
from torch import nn

from tensorwarden.adapters.pytorch.safe_steps import first_bad_gradient


@pytest.fixture
def model() -> nn.Module:
    net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
    net(torch.ones(2, 4)).sum().backward()
    return net


def test_finite_gradients_are_safe(make_hook, model):
    hook = make_hook()
    hook.register_module(model)
    assert hook.step_is_safe()
    assert hook.step_is_safe(torch.optim.SGD(model.parameters(), lr=0.1))
    model.zero_grad(set_to_none=True)
    assert hook.step_is_safe()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_the_first_in_backward_order_is_named(make_hook, model, value):
    hook = make_hook()
    hook.register_module(model)
    model[0].weight.grad[1, 2] = value
    model[0].bias.grad[0] = value
    assert not hook.step_is_safe()
    assert first_bad_gradient(hook._models) == "gradient/Sequential_0.bias"
    # Another optimizer has none of them.
    assert hook.step_is_safe(torch.optim.SGD(model[1].parameters(), lr=0.1))
    assert not hook.step_is_safe(torch.optim.SGD(model[0].parameters(), lr=0.1))


def test_large_gradients_in_half_precision_are_safe(make_hook):
    net = nn.Linear(64, 64).half()
    net.weight.grad = torch.full_like(net.weight, 60000.0)  # Its norm is not a half.
    hook = make_hook()
    hook.register_module(net)
    assert hook.step_is_safe()


def test_a_failure_does_not_reach_the_training(make_hook, model):
    hook = make_hook()
    hook.register_module(model)
    assert hook.step_is_safe(object())
