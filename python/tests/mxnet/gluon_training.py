"""Small trainings for the tests of the MXNet hook, and how to look at what came of them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

import smdebug.mxnet as smd
from tensorwarden.trials import create_trial

HERE = Path(__file__).resolve().parent
EVERY_STEP = smd.SaveConfig(save_interval=1)


def make_net(prefix: str = "net_", hybrid: bool = False) -> Any:
    """Two layers, the same whenever it is made."""
    mx.random.seed(0)
    net = nn.HybridSequential(prefix=prefix) if hybrid else nn.Sequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(16, activation="relu"), nn.Dense(3))
    net.initialize(mx.init.Xavier())
    return net


def batches(steps: int, width: int = 8, classes: int = 3) -> List[Any]:
    """Data for train()."""
    made = np.random.RandomState(1)
    return [
        (
            nd.array(made.randn(4, width).astype(np.float32)),
            nd.array(made.randint(classes, size=4)),
        )
        for _ in range(steps)
    ]


def train(
    hook: Optional[smd.Hook] = None,
    net: Any = None,
    steps: int = 6,
    data: Optional[Iterable[Any]] = None,
    register: bool = True,
) -> List[str]:
    """Trains, with or without a hook, on the same data each time; the losses to the last bit."""
    net = make_net() if net is None else net
    criterion = gluon.loss.SoftmaxCrossEntropyLoss(prefix="loss0_")
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9}, kvstore=None
    )
    if hook is not None and register:
        hook.register_block(net)
        hook.register_block(criterion)
    losses = []
    for features, label in batches(steps) if data is None else data:
        with autograd.record():
            loss = criterion(net(features), label)
        loss.backward()
        trainer.step(4)
        losses.append(float(loss.mean().asscalar()).hex())
    return losses


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
) -> subprocess.CompletedProcess:
    """Runs a program in a process of its own, which must succeed. It may import this module."""
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **(environment or {})},
        timeout=timeout,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done
