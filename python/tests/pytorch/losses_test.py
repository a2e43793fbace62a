"""What counts as a loss, and how it is given to the hook."""

import numpy as np
import pytest
import torch
from torch import nn
from training import batches, make_model, read, train, values

import smdebug.pytorch as smd
from smdebug import modes
from smdebug.exceptions import SMDebugError


def test_several_loss_modules(make_hook):
    hook = make_hook()
    model = make_model()
    hook.register_module(model)
    first, second, again = nn.CrossEntropyLoss(), nn.MSELoss(), nn.MSELoss()
    for loss in (first, second, again):
        hook.register_loss(loss)
    expected = {name: [] for name in ("CrossEntropyLoss_output_0", "MSELoss_output_0")}
    twice = []
    for features, target in batches(3):
        outputs = model(features)
        expected["CrossEntropyLoss_output_0"].append(first(outputs, target).item())
        expected["MSELoss_output_0"].append(second(outputs, torch.zeros_like(outputs)).item())
        twice.append(again(outputs, torch.ones_like(outputs)).item())
    trial = read(hook)
    assert trial.collection("losses").tensor_names == {*expected, "MSELoss_output_1"}
    for name, numbers in expected.items():
        saved = values(trial, name)
        assert [float(saved[k]) for k in sorted(saved)] == pytest.approx(numbers)
    # Of two modules of a class the second goes on counting.
    assert [float(v) for v in values(trial, "MSELoss_output_1").values()] == pytest.approx(twice)
    # The losses are in collection "losses", what goes into them is in none.
    assert not trial.has_tensor("CrossEntropyLoss_input_0")


def test_losses_are_saved_by_default(tmp_path):
    hook = smd.Hook(str(tmp_path / "run"))
    train(hook, steps=502)
    trial = read(hook)
    assert trial.tensor_names() == ["CrossEntropyLoss_output_0"]
    assert trial.tensor("CrossEntropyLoss_output_0").steps() == [0, 500]


def test_a_loss_module_of_the_users_own(make_hook):
    class MyLoss(nn.modules.loss._Loss):
        def forward(self, output, target):
            return (output - target).abs().sum()

    class Penalty(MyLoss):
        """Its name does not match the pattern of collection "losses", as in the original."""

    hook = make_hook()
    model = make_model()
    hook.register_module(model)
    for loss in (MyLoss(), Penalty()):
        hook.register_loss(loss)
        loss(model(torch.ones(1, 8)), 0.0).backward()
    assert read(hook).tensor_names() == ["MyLoss_output_0"]


def test_a_functional_loss(make_hook):
    hook = make_hook()
    model = make_model()
    hook.register_module(model)
    losses = []
    for features, target in batches(3):
        loss = nn.functional.cross_entropy(model(features), target)
        hook.record_tensor_value(tensor_name="nll_loss", tensor_value=loss)
        losses.append(loss.item())
        loss.backward()
    trial = read(hook)
    assert trial.collection("losses").tensor_names == {"nll_loss_output_0"}
    assert [float(v) for v in values(trial, "nll_loss_output_0").values()] == losses


def test_a_value_that_is_no_loss_needs_a_collection(make_hook):
    hook = make_hook(include_regex="entropy")
    model = make_model()
    hook.register_module(model)
    model(torch.ones(1, 8))
    hook.record_tensor_value("entropy", torch.tensor([1.0, 2.0]))
    hook.record_tensor_value("unasked", torch.tensor([1.0, 2.0]))
    trial = read(hook)
    assert trial.tensor_names() == ["entropy_output_0"]
    assert trial.collection("default").tensor_names == {"entropy_output_0"}


def test_record_tensor_value_takes_tensors_only(make_hook):
    hook = make_hook()
    with pytest.raises(AssertionError):
        hook.record_tensor_value("loss", 0.5)


def test_a_loss_made_by_hand(make_hook):
    """Whatever it is called, it is a loss."""
    hook = make_hook(save_config=smd.SaveConfig(save_interval=2))
    model = make_model()
    hook.register_module(model)
    hook.set_mode(modes.TRAIN)
    recorded = []
    for features, _ in batches(4):
        penalty = model(features).square().mean()
        hook.record_loss("penalty", penalty)
        hook.record_loss("penalty", penalty * 2)
        recorded.append(penalty.item())
        penalty.backward()
    trial = read(hook)
    assert trial.collection("losses").tensor_names == {"penalty_output_0", "penalty_output_1"}
    assert trial.tensor("penalty_output_0").steps(modes.TRAIN) == [0, 2]
    assert float(trial.tensor("penalty_output_1").value(2)) == np.float32(recorded[2]) * 2
    assert trial.tensor_names(collection="losses") == ["penalty_output_0", "penalty_output_1"]


def test_losses_before_the_first_step_belong_to_none(make_hook):
    hook = make_hook()
    hook.record_loss("early", torch.tensor(1.0))
    hook.record_tensor_value("early_loss", torch.tensor(1.0))
    train(hook, steps=2)
    assert read(hook).tensor_names() == ["CrossEntropyLoss_output_0"]


@pytest.mark.parametrize("wrong", [nn.Linear(2, 2), "loss", None, nn.functional.mse_loss])
def test_only_loss_modules_are_registered_as_losses(make_hook, wrong):
    hook = make_hook()
    with pytest.raises(AssertionError):
        hook.register_loss(wrong)
    assert not hook.disabled and not hook.has_registered_loss_module


@pytest.mark.parametrize("wrong", [None, "model", nn.Linear, lambda x: x])
def test_only_modules_are_registered(make_hook, wrong):
    hook = make_hook()
    with pytest.raises(SMDebugError):
        hook.register_module(wrong)
    assert not hook.disabled and not hook.has_registered_module


def test_nothing_is_registered_twice(make_hook):
    hook = make_hook()
    model = make_model()
    hook.register_module(model)
    for again in (model, model[0], nn.Sequential(model)):
        with pytest.raises(AssertionError):
            hook.register_module(again)
    with pytest.raises(AssertionError):
        hook.register_hook(model)
    assert hook.has_registered_module
    train(hook, model, steps=2, register=False)
    assert hook.step == 1


def test_register_hook_is_register_module(make_hook):
    hook = make_hook(include_collections=["weights"])
    model = make_model()
    hook.register_hook(model)
    model(torch.ones(1, 8))
    assert read(hook).has_tensor("Sequential_0.weight")
