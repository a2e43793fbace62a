"""Tensors on a GPU: saved as they were, without making the training wait."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import smdebug.pytorch as smd
from smdebug.trials import create_trial
from tensorwarden.adapters.pytorch import cuda, slots

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU")

OPERATIONS = ["min", "max", "mean", "std", "variance", "sum", "prod"]
NORMS = ["l1", "l2"]


def make_model(width: int = 64) -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 4)).cuda()


def train(hook=None, steps: int = 6, model=None, watch=None) -> list:
    """Losses of a small training; watch sees the model before each step."""
    model = make_model() if model is None else model
    criterion = nn.CrossEntropyLoss()
    if hook is not None:
        hook.register_module(model)
        hook.register_loss(criterion)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    random = torch.Generator().manual_seed(1)
    losses = []
    for _ in range(steps):
        x = torch.randn(16, 8, generator=random).cuda()
        y = torch.randint(0, 4, (16,), generator=random).cuda()
        if watch is not None:
            watch(model)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    if hook is not None:
        hook.close()
    return [float(loss).hex() for loss in losses]


def hook_into(folder: Path, **arguments) -> smd.Hook:
    arguments.setdefault("save_config", smd.SaveConfig(save_interval=1))
    return smd.Hook(out_dir=str(folder), **arguments)


def test_values_are_those_of_the_step(tmp_path):
    weights = []
    hook = hook_into(tmp_path / "run", save_all=True)
    watched = train(
        hook, watch=lambda m: weights.append({n: p.detach().cpu() for n, p in m.named_parameters()})
    )
    assert watched == train()
    trial = create_trial(str(tmp_path / "run"))
    assert trial.steps() == list(range(6))
    for step, parameters in enumerate(weights):
        for name, value in parameters.items():
            saved = trial.tensor(f"Sequential_{name}").value(step)
            np.testing.assert_array_equal(saved, value.numpy())
    losses = trial.tensor("CrossEntropyLoss_output_0")
    assert [float(losses.value(step)).hex() for step in losses.steps()] == watched
    assert trial.tensor("gradient/Sequential_0.weight").value(3).shape == (64, 8)
    assert trial.tensor("0_output_0").value(5).shape == (16, 64)


def test_reductions_are_computed_on_the_gpu(tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError("a tensor left the GPU")

    reductions = smd.ReductionConfig(OPERATIONS, OPERATIONS, NORMS, NORMS)
    hook = hook_into(
        tmp_path / "run",
        include_collections=["weights", "biases", "gradients"],
        reduction_config=reductions,
    )
    hook.get_collection("losses").save_config = smd.SaveConfig(save_interval=1000, start_step=1000)
    monkeypatch.setattr(cuda.DeviceSaver, "_copy", refuse)
    weights = []
    train(hook, watch=lambda m: weights.append(m[0].weight.detach().double().cpu()))
    trial = create_trial(str(tmp_path / "run"))
    tensor = trial.tensor("Sequential_0.weight")
    for step, value in enumerate(weights):
        absolute = value.abs()
        for values, is_absolute in ((value, False), (absolute, True)):
            expected = {
                "min": values.min(),
                "max": values.max(),
                "mean": values.mean(),
                "std": values.std(),
                "variance": values.var(),
                "sum": values.sum(),
                "prod": values.float().prod(),
                "l1": values.norm(1),
                "l2": values.norm(2),
            }
            for name, number in expected.items():
                saved = tensor.reduction_value(step, name, abs=is_absolute)
                np.testing.assert_allclose(saved, number, rtol=1e-4, atol=1e-6, err_msg=name)
    assert len(trial.tensor("gradient/Sequential_2.bias").reduction_values(2)) == 18


def test_nothing_waits_for_the_gpu(tmp_path):
    hook = hook_into(
        tmp_path / "run",
        include_collections=["weights", "gradients", "losses", "figures"],
    )
    figures = hook.get_collection("figures")
    figures.include("bias")
    figures.reduction_config = smd.ReductionConfig(reductions=["mean", "max"], norms=["l2"])
    model, criterion = make_model(), nn.CrossEntropyLoss()
    hook.register_module(model)
    hook.register_loss(criterion)
    x, y = torch.randn(16, 8).cuda(), torch.zeros(16, dtype=torch.int64).cuda()
    try:
        for step in range(6):
            if step == 3:  # Buffers and streams exist by now.
                torch.cuda.set_sync_debug_mode("error")
            model.zero_grad()
            criterion(model(x), y).backward()
            assert not hook.disabled
    finally:
        torch.cuda.set_sync_debug_mode("default")
    hook.close()
    trial = create_trial(str(tmp_path / "run"))
    assert trial.steps() == list(range(6))
    assert trial.tensor("gradient/Sequential_0.weight").steps() == list(range(6))


def test_memory_is_bounded_and_large_tensors_fit(tmp_path, monkeypatch):
    monkeypatch.setattr(slots, "SLOT_BYTES", 1 << 16)
    monkeypatch.setattr(cuda, "SLOT_BYTES", 1 << 16)
    monkeypatch.setattr(slots, "MOST_BYTES", 1 << 18)
    hook = hook_into(tmp_path / "run", include_collections=["weights", "gradients"])
    model = make_model(width=20000)  # Its first weight alone is larger than all of that.
    weights = []
    train(hook, steps=4, model=model, watch=lambda m: weights.append(m[0].weight.detach().cpu()))
    trial = create_trial(str(tmp_path / "run"))
    for step, value in enumerate(weights):
        saved = trial.tensor("Sequential_0.weight").value(step)
        np.testing.assert_array_equal(saved, value.numpy())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64, torch.int32])
def test_types(tmp_path, dtype):
    hook = hook_into(tmp_path / "run", include_collections=["weights", "default"])
    model = nn.Linear(4, 3).cuda()
    hook.register_module(model)
    model(torch.ones(1, 4).cuda())
    value = torch.arange(-3, 5, device="cuda").to(dtype).reshape(2, 4)
    hook.save_tensor("mine", value)
    hook.close()
    saved = create_trial(str(tmp_path / "run")).tensor("mine").value(0)
    np.testing.assert_array_equal(saved.astype(np.float64), value.double().cpu().numpy())


def test_mixed_precision_with_a_scaler(tmp_path):
    hook = hook_into(tmp_path / "run", include_collections=["weights", "gradients"])
    model, criterion = make_model(), nn.CrossEntropyLoss()
    hook.register_module(model)
    hook.register_loss(criterion)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = getattr(torch.amp, "GradScaler", torch.cuda.amp.GradScaler)()
    x, y = torch.randn(16, 8).cuda(), torch.zeros(16, dtype=torch.int64).cuda()
    for _ in range(3):
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    hook.close()
    assert create_trial(str(tmp_path / "run")).steps() == [0, 1, 2]
    assert hook.counters()["failed"] == 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("count", [1, 2, 255, 5000, 3_000_001])
def test_summaries_of_the_gpu_equal_those_of_the_host(tmp_path, dtype, count):
    torch.manual_seed(count)
    values = (torch.randn(count) * 3 + 100).to(dtype)
    if count > 4:
        values[1], values[3] = 0, -values[3]
    reductions = smd.ReductionConfig(OPERATIONS, OPERATIONS, NORMS, NORMS)
    found = []
    for device in ("cpu", "cuda"):
        folder = tmp_path / device
        hook = hook_into(folder, include_collections=["weights"], reduction_config=reductions)
        model = nn.Linear(1, 1).to(device)
        model.weight = nn.Parameter(values.to(device), requires_grad=False)
        model.forward = lambda x: x
        hook.register_module(model)
        model(torch.ones(1).to(device))
        hook.close()
        tensor = create_trial(str(folder)).tensor("Linear_weight")
        found.append(tensor.reduction_values(0))
    for key, number in found[0].items():
        np.testing.assert_allclose(
            found[1][key], number, rtol=2e-6, equal_nan=True, err_msg=str(key)
        )


def test_values_that_are_not_finite(tmp_path):
    values = torch.tensor([1.0, float("nan"), float("inf"), -2.0])
    reductions = smd.ReductionConfig(OPERATIONS, OPERATIONS, NORMS, NORMS)
    hook = hook_into(tmp_path / "run", include_collections=["weights"], reduction_config=reductions)
    model = nn.Linear(4, 1).cuda()
    with torch.no_grad():
        model.weight.copy_(values)
    hook.register_module(model)
    model(torch.ones(1, 4).cuda())
    hook.close()
    tensor = create_trial(str(tmp_path / "run")).tensor("Linear_weight")
    assert np.isnan(tensor.reduction_value(0, "mean"))
    assert np.isnan(tensor.reduction_value(0, "max"))
