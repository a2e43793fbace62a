"""Steps in which nothing is due are only counted: what is asked in between must not notice."""

import pytest
import torch
import torch.utils.checkpoint
from training import batches, make_model, read

import smdebug.pytorch as smd
from smdebug import modes


@pytest.fixture
def hook(make_hook):
    return make_hook(include_collections=["weights"], save_config=smd.SaveConfig(save_interval=7))


@pytest.fixture
def model(hook):
    model = make_model()
    hook.register_module(model)
    return model


def forward(model, count):
    for features, _ in batches(count):
        model(features).sum().backward()


def test_every_seventh_step_is_saved(hook, model):
    forward(model, 30)
    assert hook.step == 29
    assert read(hook).steps() == [0, 7, 14, 21, 28]


def test_the_step_is_right_whenever_it_is_asked_for(hook, model):
    for number in range(20):
        forward(model, 1)
        if number % 3 == 0:
            assert hook.step == number
    assert read(hook).steps() == [0, 7, 14]


def test_a_change_of_mode_counts_from_where_it_was(hook, model):
    hook.set_mode(modes.TRAIN)
    forward(model, 10)
    hook.set_mode(modes.EVAL)
    forward(model, 10)
    hook.set_mode(modes.TRAIN)
    forward(model, 10)
    trial = read(hook)
    assert trial.steps(mode=modes.TRAIN) == [0, 7, 14]
    assert trial.steps(mode=modes.EVAL) == [0, 7]
    assert trial.steps() == [0, 7, 10, 17, 24]


def test_a_scalar_goes_to_the_step_at_hand(hook, model):
    forward(model, 5)
    hook.save_scalar("accuracy", 0.5)
    forward(model, 5)
    trial = read(hook)
    assert trial.tensor("scalar/accuracy").steps() == [4]


def test_a_model_that_is_called_again_in_the_backward_pass_counts_once(hook, model):
    for features, _ in batches(120):
        features.requires_grad_()
        torch.utils.checkpoint.checkpoint(model, features, use_reentrant=True).sum().backward()
    assert hook.step == 119
