"""A job that has a file for TensorBoard: TensorBoard loads what each framework's hook writes there.

Scripts know nothing of it: they make their hook from the job's configuration file."""

import json
import os
import subprocess
from pathlib import Path
from typing import Dict, List, NamedTuple

import numpy as np
import pytest
from tensorboard.backend.event_processing import event_accumulator, plugin_event_multiplexer

from tensorwarden.trials import create_trial

ROOT = Path(__file__).resolve().parents[2]

PYTORCH = """
import torch
from torch import nn
import smdebug.pytorch as smd
torch.manual_seed(0)
model, criterion = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2)), nn.CrossEntropyLoss()
hook = smd.get_hook(create_if_not_exists=True)
hook.register_module(model)
hook.register_loss(criterion)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for mode, steps in ((smd.modes.TRAIN, 4), (smd.modes.EVAL, 2)):
    hook.set_mode(mode)
    for step in range(steps):
        loss = criterion(model(torch.randn(8, 4)), torch.randint(2, (8,)))
        loss.backward()
        optimizer.step()
        hook.save_scalar("lr", 0.5)
"""

MXNET = """
import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
import smdebug.mxnet as smd
mx.random.seed(0)
net, criterion = nn.HybridSequential(prefix="net_"), gluon.loss.SoftmaxCrossEntropyLoss()
with net.name_scope():
    net.add(nn.Dense(3, activation="relu"), nn.Dense(2))
net.initialize()
hook = smd.get_hook()
hook.register_block(net)
hook.register_block(criterion)
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
for mode, steps in ((smd.modes.TRAIN, 4), (smd.modes.EVAL, 2)):
    hook.set_mode(mode)
    for step in range(steps):
        with autograd.record():
            loss = criterion(net(nd.random.normal(shape=(8, 4))), nd.array([0, 1] * 4))
        loss.backward()
        trainer.step(8)
        hook.save_scalar("lr", 0.5)
        hook.save_scalar("loss", loss.mean())
"""

XGBOOST = """
import numpy, xgboost
import smdebug.xgboost as smd
made = numpy.random.RandomState(0)
data = xgboost.DMatrix(made.rand(50, 3), label=made.randint(2, size=50))
hook = smd.get_hook()
hook.set_mode(smd.modes.TRAIN)
class Rate(xgboost.callback.TrainingCallback):
    def after_iteration(self, model, epoch, evals_log):
        hook.save_scalar("lr", 0.5)
        return False
parameters = {"objective": "binary:logistic", "eval_metric": "logloss"}
xgboost.train(parameters, data, 4, evals=[(data, "train")], callbacks=[hook, Rate()],
              verbose_eval=False)
"""

KERAS = """
import keras
import smdebug.tensorflow as smd
keras.utils.set_random_seed(0)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2, name="dense")])
model.compile("sgd", "mse")
hook = smd.get_hook(hook_type="keras", create_if_not_exists=True)
class Rate(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        hook.save_scalar("lr", 0.5)
    on_test_batch_end = on_train_batch_end
x, y = keras.random.normal((32, 4)), keras.random.normal((32, 2))
model.fit(x, y, batch_size=8, callbacks=[hook, Rate()], verbose=0)
model.evaluate(x[:16], y[:16], batch_size=8, callbacks=[hook, Rate()], verbose=0)
"""


class Case(NamedTuple):
    """A framework's script, and what TensorBoard has to show of it."""

    environment: str
    script: str
    modes: Dict[str, List[int]]  # With their global steps.
    curve: str
    histogram: str
    collection: str  # That the histogram is of.


CASES = {
    "pytorch": Case(
        "venv",
        PYTORCH,
        {"TRAIN": [0, 1, 2, 3], "EVAL": [4, 5]},
        "CrossEntropyLoss_output_0",
        "weights/Sequential_0.weight",
        "weights",
    ),
    "mxnet": Case(
        "venv-mxnet",
        MXNET,
        {"TRAIN": [0, 1, 2, 3], "EVAL": [4, 5]},
        # A loss of Gluon has a number for each sample, which make no curve.
        "scalar/loss",
        "weights/net_dense0_weight",
        "weights",
    ),
    "keras": Case(
        "venv-tensorflow",
        KERAS,
        {"TRAIN": [0, 1, 2, 3], "EVAL": [4, 5]},
        "loss",
        "weights/dense/weights/dense/kernel_0",
        "weights",
    ),
    "xgboost": Case(
        "venv",
        XGBOOST,
        {"TRAIN": [0, 1, 2, 3]},
        "train-logloss",
        "trees/trees/Gain",
        "trees",
    ),
}


def run_job(folder, framework, tensorboard):
    """Runs the framework's script as a job; tensorboard is the text of its file, or None."""
    case = CASES[framework]
    config = {
        "LocalPath": str(folder / "run"),
        # A job does not look at these.
        "HookParameters": {"save_interval": 1, "tensorboard_dir": str(folder / "ignored")},
        "CollectionConfigurations": [
            {"CollectionName": case.collection, "CollectionParameters": {"save_interval": 1}}
        ],
    }
    (folder / "hook.json").write_text(json.dumps(config))
    if tensorboard is not None:
        (folder / "tensorboard.json").write_text(tensorboard)
    done = subprocess.run(
        [ROOT / "build" / case.environment / "bin" / "python", "-c", case.script],
        env={
            **os.environ,
            "TRAINING_JOB_NAME": "job",
            "SMDEBUG_CONFIG_FILE_PATH": str(folder / "hook.json"),
            "TENSORBOARD_CONFIG_FILE_PATH": str(folder / "tensorboard.json"),
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert not (folder / "ignored").exists()


def load(folder):
    """The events by mode, none left out."""
    everything = {event_accumulator.SCALARS: 0, event_accumulator.HISTOGRAMS: 0}
    found = {}
    for path in sorted(folder.iterdir()):
        found[path.name] = event_accumulator.EventAccumulator(str(path), everything)
        found[path.name].Reload()
    return found


@pytest.fixture(scope="module", params=CASES)
def job(request, tmp_path_factory):
    """The framework and the folder of its job."""
    folder = tmp_path_factory.mktemp(request.param)
    # As the service writes it.
    config = {"LocalPath": str(folder / "board"), "S3OutputPath": "s3://bucket/tensorboard-output"}
    run_job(folder, request.param, json.dumps(config))
    return request.param, folder


def test_modes_and_steps(job):
    framework, folder = job
    modes = CASES[framework].modes
    board = load(folder / "board")
    assert board.keys() == modes.keys()
    for mode, steps in modes.items():
        rates = [(event.step, event.value) for event in board[mode].Scalars("scalar/lr")]
        assert rates == [(step, 0.5) for step in steps]


def test_curves_are_those_of_the_run(job):
    framework, folder = job
    case = CASES[framework]
    tensor = create_trial(str(folder / "run")).tensor(case.curve)
    for mode, steps in case.modes.items():
        events = load(folder / "board")[mode].Scalars(case.curve)
        assert [event.step for event in events] == steps
        for event in events:
            assert event.value == np.float32(tensor.value(event.step).item())


def test_histograms_are_those_of_the_run(job):
    framework, folder = job
    case = CASES[framework]
    trial = create_trial(str(folder / "run"))
    # TensorBoard has no colons in names.
    names = {name.replace(":", "_"): name for name in trial.tensor_names()}
    tensor = trial.tensor(names[case.histogram.partition("/")[2]])
    for mode, steps in case.modes.items():
        events = load(folder / "board")[mode].Histograms(case.histogram)
        assert [event.step for event in events] == steps
        for event in events:
            value = tensor.value(event.step).astype(np.float64)
            drawn = event.histogram_value
            assert (drawn.num, drawn.min, drawn.max) == (value.size, value.min(), value.max())
            assert sum(drawn.bucket) == np.isfinite(value).sum()


def test_the_server_finds_all_of_it(job):
    """By the part of TensorBoard that looks through a folder for runs."""
    framework, folder = job
    case = CASES[framework]
    multiplexer = plugin_event_multiplexer.EventMultiplexer()
    multiplexer.AddRunsFromDirectory(str(folder / "board"))
    multiplexer.Reload()
    assert multiplexer.Runs().keys() == case.modes.keys()
    for mode in case.modes:
        scalars = multiplexer.PluginRunToTagToContent("scalars")[mode]
        histograms = multiplexer.PluginRunToTagToContent("histograms")[mode]
        assert {case.curve, "scalar/lr"} <= scalars.keys()
        assert case.histogram in histograms


def test_a_job_without_the_file_writes_nothing_for_it(tmp_path):
    run_job(tmp_path, "xgboost", None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hook.json", "run"]
    assert not list((tmp_path / "run").rglob("*tensorboard*"))
