"""Steps, modes and gradients in the ways that people train."""

import copy

import numpy as np
import pytest
import torch
import torch.utils.checkpoint
from torch import nn
from training import batches, make_model, read, step, train, values

import smdebug.pytorch as smd
from smdebug import modes

WEIGHT = "Sequential_0.weight"


def test_every_backward_of_an_accumulated_gradient_is_saved_by_itself(make_hook):
    hook = make_hook(include_collections=["gradients"])
    model = make_model()
    hook.register_module(model)
    alone = []
    for features, _ in batches(4):
        before = 0 if model[0].weight.grad is None else model[0].weight.grad.clone()
        model(features).sum().backward()  # The gradients are not set to zero in between.
        alone.append((model[0].weight.grad - before).numpy())
    saved = values(read(hook), f"gradient/{WEIGHT}")
    assert list(saved) == [0, 1, 2, 3]
    for number, gradient in saved.items():
        np.testing.assert_allclose(gradient, alone[number], rtol=1e-5, atol=1e-6)


def test_of_two_backwards_in_a_step_the_last_gradient_is_read(make_hook):
    hook = make_hook(include_collections=["gradients"])
    model = make_model()
    hook.register_module(model)
    features, _ = batches(1)[0]
    outputs = model(features)
    outputs.sum().backward(retain_graph=True)
    first = model[0].weight.grad.clone()
    (3 * outputs.sum()).backward()
    trial = read(hook)
    np.testing.assert_allclose(
        trial.tensor(f"gradient/{WEIGHT}").value(0), 3 * first.numpy(), rtol=1e-6
    )


def test_two_forwards_in_an_iteration_are_two_steps(make_hook):
    hook = make_hook(include_collections=["weights"])
    model = make_model()
    hook.register_module(model)
    for features, _ in batches(3):
        (model(features) + model(-features)).sum().backward()
    assert hook.step == 5
    assert read(hook).steps() == list(range(6))


def test_modes_count_for_themselves(make_hook):
    hook = make_hook(include_collections=["weights", "gradients"])
    model = make_model()
    hook.register_module(model)
    for mode, count in ((modes.TRAIN, 3), (modes.EVAL, 2), (modes.TRAIN, 1), (modes.PREDICT, 1)):
        hook.set_mode(mode)
        model.train(mode == modes.TRAIN)
        for features, _ in batches(count):
            if mode == modes.TRAIN:
                model(features).sum().backward()
            else:
                with torch.no_grad():
                    model(features)
    assert hook.mode == modes.PREDICT and hook.step == 6
    assert hook.mode_steps == {
        modes.TRAIN: 3,
        modes.EVAL: 1,
        modes.PREDICT: 0,
        modes.GLOBAL: 6,
    }
    trial = read(hook)
    assert trial.steps(modes.TRAIN) == [0, 1, 2, 3]
    assert trial.steps(modes.EVAL) == [0, 1]
    assert trial.steps(modes.PREDICT) == [0]
    assert trial.mode_modestep(5) == (modes.TRAIN, 3)
    assert trial.tensor(f"gradient/{WEIGHT}").steps() == [0, 1, 2, 5]
    assert trial.tensor(WEIGHT).steps(modes.EVAL) == [0, 1]


def test_gradients_are_not_saved_in_evaluation(make_hook):
    hook = make_hook(include_collections=["weights", "gradients"])
    model = make_model()
    hook.register_module(model)
    hook.set_mode(modes.EVAL)
    step(model, torch.ones(1, 8))
    trial = read(hook)
    assert trial.has_tensor(WEIGHT) and not trial.has_tensor(f"gradient/{WEIGHT}")


def test_frozen_layers_have_no_gradient_until_they_are_unfrozen(make_hook):
    hook = make_hook(include_collections=["gradients"])
    model = make_model()
    model[0].requires_grad_(False)
    hook.register_module(model)
    step(model, torch.ones(1, 8))
    step(model, torch.ones(1, 8))
    model[0].requires_grad_(True)
    model[2].requires_grad_(False)
    step(model, torch.ones(1, 8))
    trial = read(hook)
    assert trial.tensor(f"gradient/{WEIGHT}").steps() == [2]
    assert trial.tensor("gradient/Sequential_2.weight").steps() == [0, 1]


def test_a_model_that_is_frozen_whole_can_be_unfrozen(make_hook):
    hook = make_hook(include_collections=["gradients"])
    model = make_model().requires_grad_(False)
    hook.register_module(model)
    model(torch.ones(1, 8))
    model.requires_grad_(True)
    step(model, torch.ones(1, 8))
    assert read(hook).tensor(f"gradient/{WEIGHT}").steps() == [1]


def test_parameters_may_come_later_go_and_be_replaced(make_hook):
    class Growing(nn.Module):
        def __init__(self):
            super().__init__()
            self.base = nn.Linear(2, 2)

        def forward(self, x):
            return self.base(x) * getattr(self, "gain", 1.0)

    hook = make_hook(include_regex=["Growing_"])
    model = Growing()
    hook.register_module(model)
    step(model, torch.ones(1, 2))
    model.gain = nn.Parameter(torch.full((2,), 3.0))
    step(model, torch.ones(1, 2))
    model.gain = nn.Parameter(torch.full((2,), 5.0))
    step(model, torch.ones(1, 2))
    del model.gain
    step(model, torch.ones(1, 2))
    trial = read(hook)
    assert {k: v.tolist() for k, v in values(trial, "Growing_gain").items()} == {
        1: [3.0, 3.0],
        2: [5.0, 5.0],
    }
    assert trial.tensor("gradient/Growing_gain").steps() == [1, 2]


def test_parameters_without_a_shape_are_saved_when_they_have_one(make_hook):
    hook = make_hook(include_collections=["weights", "gradients"])
    model = nn.Sequential(nn.LazyLinear(3), nn.LazyLinear(2))
    hook.register_module(model)
    for _ in range(3):
        step(model, torch.ones(1, 5))
    assert not hook.disabled
    trial = read(hook)
    assert trial.tensor("Sequential_1.weight").steps() == [1, 2]
    assert trial.tensor("Sequential_0.weight").value(2).shape == (3, 5)
    assert trial.tensor("gradient/Sequential_0.weight").steps() == [1, 2]


def test_gradients_of_two_registered_models_are_saved(make_hook):
    """As when one model is trained through another."""
    hook = make_hook(include_collections=["weights", "gradients"])
    first = make_model()
    second = nn.ModuleDict({"head": nn.Linear(3, 1)})
    second.forward = lambda x: second["head"](x)
    hook.register_module(first)
    hook.register_module(second)
    for features, _ in batches(2):
        second(first(features)).sum().backward()
    assert hook.step == 3
    trial = read(hook)
    assert trial.tensor(WEIGHT).steps() == [0, 2]
    assert trial.tensor("ModuleDict_head.weight").steps() == [1, 3]
    # Saved at the step in which they are computed.
    assert trial.tensor(f"gradient/{WEIGHT}").steps() == [1, 3]
    assert trial.tensor("gradient/ModuleDict_head.weight").steps() == [1, 3]


def test_models_that_are_frozen_in_turn(make_hook):
    """As when two models are trained against each other."""
    hook = make_hook(include_collections=["gradients"], save_config=smd.SaveConfig(save_interval=4))
    first = make_model()
    second = nn.ModuleDict({"head": nn.Linear(3, 1)})
    second.forward = lambda x: second["head"](x)
    hook.register_module(first)
    hook.register_module(second)
    for number, (features, _) in enumerate(batches(8)):
        trained, frozen = (second, first) if number % 4 < 2 else (first, second)
        trained.requires_grad_(True)
        frozen.requires_grad_(False)
        second(first(features)).sum().backward()
    assert not hook.disabled
    assert hook.step == 15


def test_steps_that_are_not_due_save_nothing(make_hook):
    hook = make_hook(save_config=smd.SaveConfig(save_interval=3), save_all=True)
    train(hook, steps=8)
    assert read(hook).steps() == [0, 3, 6]


def test_a_copy_of_the_model_is_not_captured(make_hook):
    hook = make_hook(save_all=True)
    model = make_model()
    hook.register_module(model)
    step(model, torch.ones(1, 8))
    average = copy.deepcopy(model)
    for _ in range(3):
        step(average, torch.ones(1, 8))
        step(model, torch.ones(1, 8))
    assert hook.step == 3
    trial = read(hook)
    assert trial.steps() == [0, 1, 2, 3]
    assert not trial.has_tensor("0_output_1")


class Wide(nn.Module):
    """Layers whose outputs are given up and computed again in the backward pass."""

    def __init__(self, **settings):
        super().__init__()
        torch.manual_seed(0)
        self.first = nn.Linear(8, 8)
        self.block = nn.Sequential(nn.Linear(8, 8), nn.Tanh())
        self.settings = settings

    def forward(self, x):
        x = self.first(x)
        return torch.utils.checkpoint.checkpoint(self.block, x, **self.settings)


@pytest.mark.parametrize("reentrant", [True, False])
@pytest.mark.parametrize("regex", [".*", "block.0_output"])
def test_a_module_that_is_run_again_to_save_memory_is_saved_once(make_hook, reentrant, regex):
    plain = Wide(use_reentrant=reentrant)
    expected = [step(plain, torch.full((2, 8), float(k))).tolist() for k in range(3)]
    hook = make_hook(include_regex=regex)
    model = Wide(use_reentrant=reentrant)
    hook.register_module(model)
    outputs = [step(model, torch.full((2, 8), float(k))).tolist() for k in range(3)]
    assert outputs == expected
    assert hook.step == 2
    trial = read(hook)
    assert trial.tensor("block.0_output_0").steps() == [0, 1, 2]
    assert not trial.has_tensor("block.0_output_1")
    if regex == ".*":
        assert trial.tensor("gradient/Wide_block.0.weight").steps() == [0, 1, 2]


@pytest.mark.parametrize("reentrant", [True, False])
def test_a_whole_model_that_is_run_again_counts_one_step(make_hook, reentrant):
    hook = make_hook(save_all=True)
    model = make_model()
    hook.register_module(model)
    for features, _ in batches(2):
        features.requires_grad_()
        outputs = torch.utils.checkpoint.checkpoint(model, features, use_reentrant=reentrant)
        outputs.sum().backward()
    assert hook.step == 1
    trial = read(hook)
    assert trial.tensor("gradient/Sequential_0.weight").steps() == [0, 1]
    assert not trial.has_tensor("0_output_1")


def test_a_backward_that_raises_does_not_hide_what_follows(make_hook):
    hook = make_hook(save_all=True)
    model = make_model()
    hook.register_module(model)
    outputs = model(torch.ones(1, 8)).sum()
    outputs.backward()
    with pytest.raises(RuntimeError):
        outputs.backward()
    step(model, torch.ones(1, 8))
    assert read(hook).tensor("0_output_0").steps() == [0, 1]
