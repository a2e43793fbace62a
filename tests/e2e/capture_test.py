"""Scripts that know nothing of us, under `warden run`: what is captured of them."""

import shutil
import subprocess
import sys

import pytest
from launched import HEAD, LOOP, NN_LOSS, TENSORS, WARDEN, WEIGHTS, Run, captured

from support.ports import free_port

pytest.importorskip("torch")


def test_a_loss_module(tmp_path):
    run = captured(tmp_path, NN_LOSS)
    assert set(run.tensors()) == TENSORS | {"CrossEntropyLoss_output_0"}
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 10}
    assert run.steps("gradient/Sequential_0.weight")["TRAIN"] >= 3
    assert run.values("CrossEntropyLoss_output_0") == run.done.stdout.decode().split()
    assert (run.folder / "training_job_end.ts").exists()
    verified = subprocess.run([WARDEN, "trial", "verify", str(run.folder)], capture_output=True)
    assert verified.returncode == 0 and b"note" not in verified.stdout


def test_flags_decide_what_is_saved(tmp_path):
    options = ["--save-interval", "5", "--collections", "gradients", "--reductions", "none"]
    run = captured(
        tmp_path, NN_LOSS, options=[*options, "--include-regex", "CrossEntropyLoss_input"]
    )
    tensors = run.tensors()
    assert run.steps("gradient/Sequential_0.weight") == {"TRAIN": 2}
    assert tensors["gradient/Sequential_0.weight"]["shape"] == [8, 4]
    assert tensors["CrossEntropyLoss_input_0"]["shape"] == [16, 3]
    assert not WEIGHTS & set(tensors)


@pytest.mark.parametrize(
    ("step", "name"),
    [
        ("lambda: F.cross_entropy(model(x), y)", "cross_entropy_output_0"),
        ("lambda: F.mse_loss(model(x), torch.ones(16, 3))", "mse_loss_output_0"),
        ("lambda: ((model(x) - 1) ** 2).mean()", "loss_output_0"),
        (
            "lambda: F.mse_loss(model(x), torch.ones(16, 3), reduction='none').mean()",
            "loss_output_0",
        ),
        (
            "lambda: nn.MSELoss(reduction='none')(model(x), torch.ones(16, 3)).mean()",
            "loss_output_0",
        ),
        # A new module for each step.
        ("lambda: nn.CrossEntropyLoss()(model(x), y)", "CrossEntropyLoss_output_0"),
    ],
)
def test_losses_of_all_kinds(tmp_path, step, name):
    run = captured(tmp_path, HEAD + f"step = {step}\n" + LOOP)
    assert run.losses() == {name}
    assert run.values(name) == run.done.stdout.decode().split()


@pytest.mark.parametrize(
    ("step", "names"),
    [
        ("lambda: F.cross_entropy(model(x), y) / 4", {"cross_entropy_output_0"}),
        (
            "lambda: (lambda out: F.cross_entropy(out, y) + 0.1 * F.l1_loss(out, -out))(model(x))",
            {"cross_entropy_output_0", "l1_loss_output_0"},
        ),
    ],
)
def test_what_is_made_of_losses_is_no_further_one(tmp_path, step, names):
    assert captured(tmp_path, HEAD + f"step = {step}\n" + LOOP).losses() == names


def test_a_loss_class_of_ones_own(tmp_path):
    script = (
        "class Focal(nn.modules.loss._Loss):\n"
        "    def forward(self, out, y):\n"
        "        return F.cross_entropy(out, y) ** 2\n"
        "step = lambda f=Focal(): f(model(x), y)\n"
    )
    run = captured(tmp_path, HEAD + script + LOOP)
    assert run.losses() == {"Focal_output_0"}


def test_a_model_that_computes_its_loss_itself(tmp_path):
    script = (
        "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.body = model\n"
        "    def forward(self, x, y):\n"
        "        return {'loss': nn.CrossEntropyLoss()(self.body(x), y)}\n"
        "net = Net()\n"
        "step = lambda: net(x, y)['loss']\n"
    )
    run = captured(tmp_path, HEAD + script + LOOP)
    assert "Net_body.0.weight" in run.tensors()
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 10}
    assert run.values("CrossEntropyLoss_output_0") == run.done.stdout.decode().split()


def test_training_and_evaluation(tmp_path):
    script = (
        "criterion = nn.CrossEntropyLoss()\n"
        "def step():\n"
        "    model.eval()\n"
        "    with torch.no_grad():\n"
        "        criterion(model(x), y)\n"
        "    model.train()\n"
        "    return criterion(model(x), y)\n"
    )
    run = captured(tmp_path, HEAD + script + LOOP)
    # The first evaluation comes before the model is known to be trained.
    assert run.steps("CrossEntropyLoss_output_0") == {"EVAL": 9, "TRAIN": 10}
    assert run.steps("gradient/Sequential_0.weight")["TRAIN"] >= 3


def test_workers_of_a_data_loader_write_nothing(tmp_path):
    script = (
        "from torch.utils.data import DataLoader, TensorDataset\n"
        "class Data(TensorDataset):\n"
        "    def __getitem__(self, i):\n"
        "        with torch.no_grad(): model(x)\n"
        "        return super().__getitem__(i)\n"
        "def batches():\n"
        "    while True: yield from DataLoader(Data(x, y), batch_size=8, num_workers=2)\n"
        "batch = batches()\n"
        "def step():\n"
        "    a, b = next(batch)\n"
        "    return F.cross_entropy(model(a), b)\n"
    )
    # Too few steps for SlowDataLoader: on a busy machine, it would be right about these workers.
    run = captured(tmp_path, HEAD + script + LOOP.replace("10", "7"))
    assert run.steps("cross_entropy_output_0") == {"TRAIN": 7}
    assert len(list(run.folder.glob("collections/*/*"))) == 1


def test_a_training_that_is_forked(tmp_path):
    script = (
        "import torch, torch.multiprocessing as mp\n"
        "def train():\n" + "".join(f"    {line}\n" for line in NN_LOSS.splitlines()) + "\n"
        "if __name__ == '__main__':\n"
        "    process = mp.get_context('METHOD').Process(target=train)\n"
        "    process.start(); process.join(); raise SystemExit(process.exitcode)\n"
    )
    run = captured(tmp_path, script.replace("METHOD", "spawn"))
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 10}
    shutil.rmtree(run.folder)
    run = captured(tmp_path, script.replace("METHOD", "fork"))
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 10}


def test_no_optimizer(tmp_path):
    script = HEAD.replace("optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n", "") + (
        "for i in range(10):\n"
        "    loss = F.cross_entropy(model(x), y)\n"
        "    loss.backward()\n"
        "    with torch.no_grad():\n"
        "        for p in model.parameters(): p -= 0.1 * p.grad; p.grad = None\n"
        "    print(loss.item().hex())\n"
    )
    run = captured(tmp_path, script)
    # That it trains is known after the first step.
    assert run.values("cross_entropy_output_0") == run.done.stdout.decode().split()[1:]


def test_two_models(tmp_path):
    script = HEAD + (
        "other = nn.Linear(3, 1)\n"
        "second = torch.optim.SGD(other.parameters(), lr=0.1)\n"
        "for i in range(5):\n"
        "    other(model(x).detach()).mean().backward()\n"
        "    second.step()\n"
        "    model(x).mean().backward()\n"
        "    optimizer.step()\n"
    )
    run = Run(tmp_path, script, options=["-v", "--save-interval", "2"])
    assert {"Linear_weight", "Sequential_0.weight"} <= set(run.tensors())
    assert run.errors.count("each forward pass of a model counts as a step") == 1
    assert run.steps("loss_output_0") == {"TRAIN": 10}


def test_models_one_after_the_other(tmp_path):
    script = "def fold():\n" + "".join(f"    {line}\n" for line in NN_LOSS.splitlines())
    loop = script.replace("range(10)", "range(60)")
    run = captured(tmp_path, loop + "fold()\nfold()\n", options=["--save-interval", "20"])
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 120}
    assert run.steps("gradient/Sequential_0.weight") == {"TRAIN": 6}


def test_two_processes(tmp_path):
    script = NN_LOSS.replace("from torch import nn", "from torch import nn\nimport os").replace(
        "criterion =",
        "torch.distributed.init_process_group('gloo')\n"
        "model = nn.parallel.DistributedDataParallel(model)\n"
        "criterion =",
    )
    port = free_port()
    # As torchrun does, which the PyTorch of some distributions has not working.
    (tmp_path / "launch.py").write_text(
        "import os, subprocess, sys\n"
        f"shared = {{'WORLD_SIZE': '2', 'MASTER_ADDR': '127.0.0.1', 'MASTER_PORT': '{port}'}}\n"
        "def worker(rank):\n"
        "    env = {**os.environ, **shared, 'RANK': str(rank)}\n"
        "    out = subprocess.DEVNULL if rank else None\n"
        "    return subprocess.Popen([sys.executable, *sys.argv[1:]], env=env, stdout=out)\n"
        "workers = [worker(0), worker(1)]\n"
        "sys.exit(max(worker.wait() for worker in workers))\n"
    )
    before = [sys.executable, "launch.py"]
    run = Run(tmp_path, script, options=["--workers", "all"], before=before)
    assert run.done.returncode == 0, run.errors
    tensor = run.tensors()["gradient/Sequential_0.weight"]
    assert tensor["workers"] == ["worker_0", "worker_1"]
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 10}


def test_libraries_that_ask_first_whether_torch_is_installed(tmp_path):
    asks = "import importlib.util\nassert importlib.util.find_spec('torch') is not None\n"
    run = captured(tmp_path, asks + NN_LOSS)
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 10}
