"""Several processes that train together, each under its own name in one run."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from gluon_training import HERE, batches, make_net, read
from mxnet import nd

import smdebug.mxnet as smd
from tensorwarden.adapters.mxnet.workers import Place, find_place

WORKER = """
import os, sys
import mxnet as mx
from mxnet import autograd, gluon
import gluon_training as training
store = mx.kv.create("dist_sync")
net = training.make_net()
net(training.batches(1)[0][0])
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, kvstore=store)
hook = training.smd.Hook(sys.argv[1], include_workers="all", save_all=True,
                         save_config=training.EVERY_STEP)
hook.register_block(net)
for features, label in training.batches(4)[store.rank::2]:
    with autograd.record():
        loss = gluon.loss.SoftmaxCrossEntropyLoss()(net(features), label)
    loss.backward()
    trainer.step(8)
store._barrier()
hook.close()
os._exit(0)  # Now and then MXNet does not come to an end after a distributed training.
"""


def test_a_distributed_store(tmp_path):
    shared = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        # Below those that the system gives to others.
        "DMLC_PS_ROOT_PORT": str(10_000 + os.getpid() % 20_000),
        "DMLC_NUM_SERVER": "1",
        "DMLC_NUM_WORKER": "2",
        "DMLC_NODE_HOST": "127.0.0.1",
    }
    others = [("scheduler", "import mxnet"), ("server", "import mxnet")]
    programs = [*others, ("worker", WORKER), ("worker", WORKER)]
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "run")],
            env={**shared, "DMLC_ROLE": role},
            stderr=subprocess.PIPE,
            text=True,
        )
        for role, code in programs
    ]
    try:
        for process in started[2:]:
            _, said = process.communicate(timeout=300)
            assert process.returncode == 0, said
    finally:
        for process in started:
            process.kill()
            process.communicate()
    trial = smd.create_trial(str(tmp_path / "run"))
    assert trial.workers() == ["worker_0", "worker_1"]
    assert trial.loaded_all_steps
    given = batches(4)
    for rank in (0, 1):
        for step in (0, 1):
            value = trial.tensor("net_input_0").value(step, worker=f"worker_{rank}")
            assert (value == given[rank + 2 * step][0].asnumpy()).all()
    weights = [trial.tensor("net_dense0_weight").value(1, worker=f"worker_{r}") for r in (0, 1)]
    assert (weights[0] == weights[1]).all()


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({}, (0, 1)),
        ({"DMLC_NUM_WORKER": "4", "DMLC_WORKER_ID": "2"}, (2, 4)),
        ({"DMLC_NUM_WORKER": "4", "DMLC_RANK": "3"}, (3, 4)),
        ({"DMLC_NUM_WORKER": "1"}, (0, 1)),
        ({"DMLC_NUM_WORKER": "four", "DMLC_WORKER_ID": "2"}, (0, 1)),
        ({"DMLC_NUM_WORKER": "4", "DMLC_WORKER_ID": "4"}, (0, 1)),
        ({"DMLC_NUM_WORKER": "4", "DMLC_WORKER_ID": "-1"}, (0, 1)),
    ],
)
def test_what_the_launcher_says(monkeypatch, settings, place):
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert find_place() == Place(*place)


@pytest.mark.parametrize(("initialised", "place"), [(True, (3, 8)), (False, (0, 1))])
def test_horovod(monkeypatch, initialised, place):
    """As the library answers: it raises until it is initialised."""

    def answer(number):
        if not initialised:
            raise ValueError("Horovod has not been initialized; use hvd.init().")
        return number

    library = SimpleNamespace(rank=lambda: answer(3), size=lambda: answer(8))
    monkeypatch.setitem(sys.modules, "horovod.mxnet", library)
    assert find_place() == Place(*place)


def test_a_worker_that_does_not_know_which_it_is(make_hook, monkeypatch, told):
    monkeypatch.setenv("DMLC_NUM_WORKER", "2")
    hook = make_hook()
    net = make_net()
    hook.register_block(net)
    net(nd.ones((1, 8)))
    assert hook.worker == "worker_0"
    (message,) = told()
    assert "there are 2 workers" in message
    assert read(hook).num_workers == 1


def test_only_the_first_worker_saves(make_hook, monkeypatch):
    monkeypatch.setenv("DMLC_NUM_WORKER", "2")
    monkeypatch.setenv("DMLC_WORKER_ID", "1")
    hook = make_hook(save_all=True)
    net = make_net()
    hook.register_block(net)
    net(nd.ones((1, 8)))
    assert hook.worker == "worker_1"
    assert hook.counters()["saved_tensors"] == 0
