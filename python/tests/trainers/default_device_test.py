"""Scripts that choose another device for all new tensors: ours must not land there."""

import pytest
import torch
from torch import nn

import smdebug.pytorch as smd
from smdebug.trials import create_trial


@pytest.fixture(autouse=True)
def default_device():
    torch.set_default_device("meta")  # Tensors on it have no values: any of ours would be missed.
    yield
    torch.set_default_device("cpu")


def test_everything_is_saved(tmp_path):
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)).to_empty(device="cpu")
    for parameter in model.parameters():
        nn.init.uniform_(parameter, -0.5, 0.5)
    hook = smd.Hook(
        str(tmp_path / "run"), save_all=True, save_config=smd.SaveConfig(save_interval=1)
    )
    hook.register_module(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    random = torch.Generator("cpu").manual_seed(1)
    for _ in range(3):
        x = torch.randn(16, 4, generator=random, device="cpu")
        loss = nn.functional.mse_loss(model(x), x.sum(-1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert hook.step_is_safe(optimizer)
    hook.close()
    trial = create_trial(str(tmp_path / "run"))
    assert trial.steps() == [0, 1, 2]
    assert trial.tensor("gradient/Sequential_0.weight").value(2).shape == (8, 4)
