"""Models that are wrapped, scripted, traced or compiled."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.utils import parametrize
from training import batches, make_model, read, step, train, values

import smdebug.pytorch as smd

PLAIN = train()


@pytest.mark.skipif(
    torch.cuda.is_available(), reason="DataParallel takes the GPU where there is one"
)
def test_data_parallel_on_the_cpu(make_hook):
    hook = make_hook(save_all=True)
    assert train(hook, nn.DataParallel(make_model())) == PLAIN
    trial = read(hook)
    assert trial.steps() == list(range(6))
    for name in ("DataParallel_module.0.weight", "gradient/DataParallel_module.2.bias"):
        assert trial.tensor(name).steps() == list(range(6))
    assert trial.has_tensor("module.0_output_0") and trial.has_tensor("DataParallel_output_0")


def test_a_model_that_is_scripted_after_registration(make_hook):
    hook = make_hook(save_all=True)
    model = make_model()
    hook.register_module(model)
    features, _ = batches(1)[0]
    expected = step(model, features)
    scripted = torch.jit.script(model)
    assert torch.equal(scripted(features), expected)
    assert hook.step == 0
    step(model, features)
    assert read(hook).tensor("0_output_0").steps() == [0, 1]


def test_a_model_that_is_scripted_before_registration(make_hook, told):
    hook = make_hook(save_all=True)
    scripted = torch.jit.script(make_model())
    assert train(hook, scripted) == PLAIN
    assert not hook.disabled
    trial = read(hook)
    root = scripted._get_name()
    assert trial.tensor(f"{root}_0.weight").steps() == list(range(6))
    assert trial.tensor(f"gradient/{root}_0.weight").steps() == list(range(6))
    assert trial.tensor(f"{root}_output_0").steps() == list(range(6))
    (message,) = told()
    assert "TorchScript" in message


def test_a_model_with_a_scripted_part(make_hook):
    hook = make_hook(save_all=True)
    model = make_model()
    model[2] = torch.jit.script(model[2])
    assert train(hook, model) == PLAIN
    assert not hook.disabled
    trial = read(hook)
    for name in ("0_output_0", "2_output_0", "gradient/Sequential_2.weight"):
        assert trial.tensor(name).steps() == list(range(6))


def test_tracing_is_no_step(make_hook):
    hook = make_hook(save_all=True)
    model = make_model()
    hook.register_module(model)
    features, _ = batches(1)[0]
    expected = step(model, features)
    traced = torch.jit.trace(model, features, check_trace=False)
    assert hook.step == 0
    assert torch.equal(traced(features), expected)
    step(model, features)
    trial = read(hook)
    assert trial.tensor("0_output_0").steps() == [0, 1]
    assert not trial.has_tensor("0_output_1")


def test_a_traced_model(make_hook):
    hook = make_hook(save_all=True)
    model = make_model()
    traced = torch.jit.trace(model, torch.ones(4, 8))
    assert train(hook, traced) == PLAIN
    assert not hook.disabled
    assert read(hook).tensor(f"{traced._get_name()}_0.weight").steps() == list(range(6))


def compiled(model: nn.Module) -> nn.Module:
    if not hasattr(torch, "compile"):
        pytest.skip("this PyTorch has no torch.compile")
    try:
        fast = torch.compile(model, backend="aot_eager")
        fast(torch.ones(1, 8))
    except Exception as error:
        pytest.skip(f"torch.compile does not work here: {error}")
    return fast


def forget_compiled() -> None:
    """torch.compile takes what it made of a model without hooks for one with hooks too."""
    torch._dynamo.reset()


def test_a_compiled_model(make_hook):
    plain = train(None, compiled(make_model()))
    hook = make_hook(save_all=True)
    model = compiled(make_model())
    assert train(hook, model) == plain
    assert not hook.disabled
    trial = read(hook)
    assert trial.tensor("Sequential_0.weight").steps() == list(range(6))
    assert trial.tensor("gradient/Sequential_0.weight").steps() == list(range(6))
    assert trial.tensor("CrossEntropyLoss_output_0").steps() == list(range(6))
    saved = [float.hex(float(v)) for v in values(trial, "CrossEntropyLoss_output_0").values()]
    assert saved == plain


def test_a_model_that_is_compiled_after_registration(make_hook):
    plain = train(None, compiled(make_model()))
    forget_compiled()
    hook = make_hook(save_all=True)
    model = make_model()
    hook.register_module(model)
    assert train(hook, compiled(model), register=False) == plain
    assert not hook.disabled
    trial = read(hook)
    assert trial.tensor("Sequential_0.weight").steps()


def test_a_module_that_compiles_itself(make_hook):
    if not hasattr(nn.Module, "compile"):
        pytest.skip("this PyTorch has no nn.Module.compile")
    plain = make_model()
    plain.compile(backend="aot_eager")
    expected = train(None, plain)
    forget_compiled()
    hook = make_hook(save_all=True)
    model = make_model()
    model.compile(backend="aot_eager")
    assert train(hook, model) == expected
    assert not hook.disabled
    assert read(hook).tensor("Sequential_0.weight").steps()


def test_a_model_that_changes_its_device(make_hook):
    """model.to() may give each parameter new storage, or be another object."""
    hook = make_hook(include_collections=["weights"])
    model = make_model()
    hook.register_module(model)
    step(model, torch.ones(1, 8))
    model.double()
    step(model, torch.ones(1, 8, dtype=torch.float64))
    saved = values(read(hook), "Sequential_0.weight")
    assert [saved[k].dtype for k in (0, 1)] == [np.float32, np.float64]


def test_weight_norm_and_other_parametrizations(make_hook):
    def parametrized():
        model = make_model()
        parametrize.register_parametrization(model[0], "weight", nn.Identity())
        return model

    hook = make_hook(save_all=True)
    assert train(hook, parametrized()) == train(None, parametrized())
    assert not hook.disabled
    trial = read(hook)
    assert trial.has_tensor("Sequential_0.parametrizations.weight.original")


def test_hooks_of_others_stay_in_place(make_hook):
    seen = []
    hook = make_hook(save_all=True)
    model = make_model()
    model[0].register_forward_hook(lambda *_: seen.append("forward"))
    model[0].register_forward_pre_hook(lambda *_: seen.append("before"))
    model[0].weight.register_hook(lambda gradient: gradient * 0.5)
    expected_model = make_model()
    expected_model[0].weight.register_hook(lambda gradient: gradient * 0.5)
    assert train(hook, model) == train(None, expected_model)
    assert seen == ["before", "forward"] * 6
    # Ours comes after those that were there before.
    assert not hook.disabled
    assert smd.create_trial(hook.out_dir) is not None
