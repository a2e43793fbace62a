"""Several processes that train together."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, List

import numpy as np
import pytest
import torch
from training import HERE, run_script

from tensorwarden.trials import create_trial

pytestmark = pytest.mark.skipif(
    not torch.distributed.is_available(), reason="this PyTorch has no torch.distributed"
)

WORKER = """
import sys, torch
import torch.distributed as dist
rank, size, folder, workers, order = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:6]
torch.set_num_threads(1)
sys.path.insert(0, sys.argv[6])
import training

def train(hook):
    model = training.make_model()
    if hook is not None and order == "before":
        hook.register_module(model)
    model = torch.nn.parallel.DistributedDataParallel(model)
    if hook is not None and order == "after":
        hook.register_module(model)
    criterion = torch.nn.CrossEntropyLoss()
    if hook is not None:
        hook.register_loss(criterion)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for features, target in training.batches(4):
        optimizer.zero_grad()
        loss = criterion(model(features + rank), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item().hex())
    return losses

dist.init_process_group("gloo", init_method=f"file://{folder}/rendezvous", rank=rank,
                        world_size=size)
plain = train(None)
hook = training.smd.Hook(f"{folder}/run", save_all=True, include_workers=workers,
                         save_config=training.smd.SaveConfig(save_interval=2))
assert hook.worker == f"worker_{rank}"
assert train(hook) == plain
assert not hook.disabled
dist.barrier()
hook.close()
print(" ".join(plain))
dist.destroy_process_group()
"""


def train_together(folder: Path, workers: str, order: str = "after") -> List[List[str]]:
    """Trains with two processes; the losses of each."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(rank), "2", str(folder), workers, order, str(HERE)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    losses = []
    for process in processes:
        try:
            output, errors = process.communicate(timeout=300)
        finally:
            process.kill()
        assert process.returncode == 0, errors
        losses.append(output.split())
    return losses


def numbers(trial: Any, name: str, worker: str) -> List[str]:
    tensor = trial.tensor(name)
    return [float(tensor.value(n, worker=worker)).hex() for n in tensor.steps()]


def roles_told_by(run: Path, worker: str) -> Any:
    (path,) = run.rglob(f"{worker}_collections.json")
    return json.loads(path.read_text())["_meta"]["roles"]


READ = """
import json, sys
from smdebug.trials import create_trial
trial = create_trial(sys.argv[1])
print("READ " + json.dumps({
    "workers": sorted(trial.workers()),
    "steps": trial.steps(),
    "values": {
        name: {
            f"{step} {worker}": trial.tensor(name).value(step, worker=worker).tolist()
            for step in trial.tensor(name).steps()
            for worker in trial.tensor(name).workers(step)
        }
        for name in trial.tensor_names()
    },
}))
"""


def test_all_workers(tmp_path, run_original):
    losses = train_together(tmp_path, "all")
    trial = create_trial(str(tmp_path / "run"))
    assert trial.workers() == ["worker_0", "worker_1"]
    assert trial.steps() == [0, 2]
    for rank in range(2):
        expected = [losses[rank][0], losses[rank][2]]
        assert numbers(trial, "CrossEntropyLoss_output_0", f"worker_{rank}") == expected
    weight = trial.tensor("DistributedDataParallel_module.0.weight")
    np.testing.assert_array_equal(
        weight.value(2, worker="worker_0"), weight.value(2, worker="worker_1")
    )
    for rank in range(2):
        roles = roles_told_by(tmp_path / "run", f"worker_{rank}")
        assert roles["first_input"] == ["DistributedDataParallel_input_0"]
        assert roles["relu_output"] == ["module.1_output_"]
        assert {"DistributedDataParallel_input_0", "module.1_output_0"} < set(trial.tensor_names())
    output = run_original(READ, str(tmp_path / "run"))
    seen = json.loads(output[output.index("READ ") + 5 :])
    assert seen["workers"] == trial.workers() and seen["steps"] == trial.steps()
    assert sorted(seen["values"]) == sorted(trial.tensor_names())
    for name, values in seen["values"].items():
        tensor = trial.tensor(name)
        assert len(values) == 4
        for key, value in values.items():
            number, worker = key.split()
            ours = tensor.value(int(number), worker=worker)
            np.testing.assert_array_equal(ours, np.asarray(value, ours.dtype), err_msg=name)


def test_one_worker(tmp_path):
    losses = train_together(tmp_path, "one", "before")
    trial = create_trial(str(tmp_path / "run"))
    assert trial.workers() == ["worker_0"]
    assert (tmp_path / "run" / "training_job_end.ts").exists()
    assert numbers(trial, "CrossEntropyLoss_output_0", "worker_0") == [losses[0][0], losses[0][2]]
    # Registered before it was wrapped, the model has its own names.
    assert trial.tensor("gradient/Sequential_0.weight").steps() == [0, 2]
    assert roles_told_by(tmp_path / "run", "worker_0")["relu_output"] == ["1_output_"]
    assert trial.tensor("1_output_0").steps() == [0, 2]


@pytest.mark.parametrize(
    ("variables", "worker"),
    [
        ({"RANK": "1", "WORLD_SIZE": "2"}, "worker_1"),
        ({"RANK": "2", "WORLD_SIZE": "2"}, "worker_0"),
        ({"RANK": "one", "WORLD_SIZE": "2"}, "worker_0"),
        ({}, "worker_0"),
    ],
)
def test_who_we_are_before_the_group_is_made(make_hook, monkeypatch, variables, worker):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert make_hook().worker == worker


SHARDED = """
import sys, torch
import torch.distributed as dist
import training

def wrap(model):
    if sys.argv[2] == "fsdp":
        from torch.distributed.fsdp import FullyShardedDataParallel
        if not torch.cuda.is_available():
            return FullyShardedDataParallel(model, device_id=torch.device("cpu"))
        return FullyShardedDataParallel(model)
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.device_mesh import init_device_mesh
    mesh = init_device_mesh("cpu", (1,))
    for layer in (model[0], model[2]):
        fully_shard(layer, mesh=mesh)
    return fully_shard(model, mesh=mesh)

dist.init_process_group("gloo", init_method=f"file://{sys.argv[1]}/rendezvous", rank=0,
                        world_size=1)
try:
    model = wrap(training.make_model())
    training.step(model, torch.ones(1, 8))
except Exception as error:
    print(f"SKIP {type(error).__name__}: {error}".splitlines()[0])
    sys.exit()
plain = training.train(None, wrap(training.make_model()))
hook = training.smd.Hook(f"{sys.argv[1]}/run", save_all=True, save_config=training.EVERY_STEP)
assert training.train(hook, wrap(training.make_model())) == plain
assert not hook.disabled
hook.close()
dist.destroy_process_group()
"""


@pytest.mark.parametrize("kind", ["fsdp", "fully_shard"])
def test_sharded_models(tmp_path, kind):
    done = run_script(SHARDED, tmp_path, kind, timeout=300)
    if "SKIP " in done.stdout:
        reason = done.stdout[done.stdout.index("SKIP ") + 5 :].strip()
        pytest.skip(f"this PyTorch cannot shard a model on the CPU by {kind}: {reason}")
    trial = create_trial(str(tmp_path / "run"))
    assert trial.steps() == list(range(6))
    assert trial.tensor("CrossEntropyLoss_output_0").steps() == list(range(6))
    assert any("weight" in name or "flat_param" in name for name in trial.tensor_names())
