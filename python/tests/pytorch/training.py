"""Small trainings for the tests of the PyTorch hook, and how to look at what came of them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional

import numpy as np
import torch
from torch import nn
from warm_start import run_warm

import smdebug.pytorch as smd
from tensorwarden.trials import create_trial

torch.set_num_threads(1)  # The order of sums must not depend on what else the machine does.

HERE = Path(__file__).resolve().parent
EVERY_STEP = smd.SaveConfig(save_interval=1)


def make_model() -> nn.Module:
    """Two layers, the same whenever it is made."""
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))


def train(
    hook: Optional[smd.Hook] = None,
    model: Optional[nn.Module] = None,
    steps: int = 6,
    data: Optional[Iterable[Any]] = None,
    register: bool = True,
) -> List[str]:
    """Trains, with or without a hook, on the same data each time; the losses to the last bit."""
    model = make_model() if model is None else model
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    if hook is not None and register:
        hook.register_module(model)
        hook.register_loss(criterion)
    losses = []
    for features, target in batches(steps) if data is None else data:
        optimizer.zero_grad()
        loss = criterion(model(features), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item().hex())
    return losses


def batches(steps: int, width: int = 8, classes: int = 3) -> List[Any]:
    """Data for train()."""
    generator = torch.Generator().manual_seed(1)
    return [
        (
            torch.randn(4, width, generator=generator),
            torch.randint(classes, (4,), generator=generator),
        )
        for _ in range(steps)
    ]


def step(model: nn.Module, *inputs: Any) -> Any:
    """One forward and one backward; what the model gave."""
    outputs = model(*inputs)
    total = sum(t.sum() for t in tensors_in(outputs) if t.requires_grad)
    if isinstance(total, torch.Tensor):
        total.backward()
    return outputs


def tensors_in(values: Any) -> List[torch.Tensor]:
    """All tensors in nested lists, tuples and dictionaries."""
    if isinstance(values, torch.Tensor):
        return [values]
    if isinstance(values, dict):
        values = list(values.values())
    if isinstance(values, (list, tuple)):
        return [tensor for value in values for tensor in tensors_in(value)]
    return []


def read(hook: smd.Hook) -> Any:
    """Closes the hook; its run."""
    hook.close()
    return create_trial(hook.out_dir)


def values(trial: Any, name: str) -> Dict[int, np.ndarray]:
    """The values of a tensor by global step."""
    tensor = trial.tensor(name)
    return {number: tensor.value(number) for number in tensor.steps()}


def run_script(
    code: str,
    *arguments: Any,
    timeout: float = 300,
    environment: Optional[Dict[str, str]] = None,
    succeeds: bool = True,
    warm: bool = True,
) -> subprocess.CompletedProcess:
    """Runs a program in a process of its own. It may import this module. Unless `warm` is False, it
    has PyTorch imported when it starts."""
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    words = list(map(str, arguments))
    chosen = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **(environment or {})}
    if warm:
        done = run_warm(code, ["-c", *words], chosen, timeout, paths=[str(HERE)])
    else:
        command = [sys.executable, "-c", code, *words]
        done = subprocess.run(command, env=chosen, timeout=timeout, capture_output=True, text=True)
    assert not succeeds or done.returncode == 0, done.stderr
    return done
