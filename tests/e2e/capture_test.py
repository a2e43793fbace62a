"""Scripts that know nothing of us, under `warden run`: what is captured, and that nothing else
changes."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

WARDEN = str(Path(os.environ.get("WARDEN", "build/bin/warden")).absolute())
SYSTEM_PYTHON = "/usr/bin/python3"

# What every script begins with; `step` is left to it.
HEAD = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randint(0, 3, (16,))
"""
LOOP = """
for i in range(10):
    optimizer.zero_grad()
    loss = step()
    loss.backward()
    optimizer.step()
    print(loss.item().hex())
"""
NN_LOSS = HEAD + "criterion = nn.CrossEntropyLoss()\nstep = lambda: criterion(model(x), y)\n" + LOOP
WEIGHTS = {"Sequential_0.weight", "Sequential_0.bias", "Sequential_2.weight", "Sequential_2.bias"}
TENSORS = WEIGHTS | {f"gradient/{name}" for name in WEIGHTS}


class Run:
    """A script that was run plainly and then under warden, with the same output."""

    def __init__(self, folder: Path, script: str, options=(), before=(sys.executable,), **env):
        (folder / "train.py").write_text(script)
        environment = {**os.environ, **env}
        environment.pop("SMDEBUG_CONFIG_FILE_PATH", None)
        command = [*before, "train.py"]
        settings = {"cwd": folder, "env": environment, "capture_output": True, "timeout": 120}
        plain = subprocess.run(command, **settings)
        self.folder = folder / "run"
        command = [WARDEN, "run", "--out", "run", *options, "--", *command]
        self.done = subprocess.run(command, **settings)
        self.errors = self.done.stderr.decode()
        self.plain_errors = plain.stderr.decode()
        assert self.done.returncode == plain.returncode, self.errors
        assert self.done.stdout == plain.stdout

    def tensors(self) -> dict:
        """The saved tensors by name, with their steps by mode."""
        command = [WARDEN, "trial", "tensors", str(self.folder), "--json"]
        listed = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        return {tensor["name"]: tensor for tensor in listed}

    def steps(self, name: str) -> dict:
        return {mode: len(steps) for mode, steps in self.tensors()[name]["steps"].items()}

    def values(self, name: str) -> list[str]:
        """A loss at all its steps, as the scripts print it."""
        out = self.folder.parent / "values.jsonl"
        command = [WARDEN, "trial", "export", str(self.folder), "--tensor", name]
        command += ["--format", "csv", "--out", str(out)]
        subprocess.run(command, check=True, capture_output=True)
        rows = [line.split(",") for line in out.read_text().splitlines()]
        return [float(np.float32(row[-1])).hex() for row in rows[1:]]

    def losses(self) -> set:
        return set(self.tensors()) - TENSORS


@pytest.fixture
def captured(tmp_path):
    def run(script: str, **settings) -> Run:
        run = Run(tmp_path, script, **settings)
        assert run.errors == run.plain_errors
        return run

    return run


def test_a_loss_module(captured):
    run = captured(NN_LOSS)
    assert set(run.tensors()) == TENSORS | {"CrossEntropyLoss_output_0"}
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 10}
    assert run.steps("gradient/Sequential_0.weight") == {"TRAIN": 1}
    assert run.values("CrossEntropyLoss_output_0") == run.done.stdout.decode().split()
    assert (run.folder / "training_job_end.ts").exists()


def test_flags_decide_what_is_saved(captured):
    options = ["--save-interval", "5", "--collections", "gradients", "--reductions", "none"]
    run = captured(NN_LOSS, options=[*options, "--include-regex", "CrossEntropyLoss_input"])
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
            "lambda: F.mse_loss(model(x), torch.ones(16, 3), reduction='none').sum()",
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
def test_losses_of_all_kinds(captured, step, name):
    run = captured(HEAD + f"step = {step}\n" + LOOP)
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
def test_what_is_made_of_losses_is_no_further_one(captured, step, names):
    assert captured(HEAD + f"step = {step}\n" + LOOP).losses() == names


def test_a_loss_class_of_ones_own(captured):
    script = (
        "class Focal(nn.modules.loss._Loss):\n"
        "    def forward(self, out, y):\n"
        "        return F.cross_entropy(out, y) ** 2\n"
        "step = lambda f=Focal(): f(model(x), y)\n"
    )
    run = captured(HEAD + script + LOOP)
    assert run.losses() == {"Focal_output_0"}


def test_a_model_that_computes_its_loss_itself(captured):
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
    run = captured(HEAD + script + LOOP)
    assert "Net_body.0.weight" in run.tensors()
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 10}
    assert run.values("CrossEntropyLoss_output_0") == run.done.stdout.decode().split()


def test_training_and_evaluation(captured):
    script = (
        "criterion = nn.CrossEntropyLoss()\n"
        "def step():\n"
        "    model.eval()\n"
        "    with torch.no_grad():\n"
        "        criterion(model(x), y)\n"
        "    model.train()\n"
        "    return criterion(model(x), y)\n"
    )
    run = captured(HEAD + script + LOOP)
    # The first evaluation comes before the model is known to be trained.
    assert run.steps("CrossEntropyLoss_output_0") == {"EVAL": 9, "TRAIN": 10}
    assert run.steps("gradient/Sequential_0.weight") == {"TRAIN": 1}


def test_workers_of_a_data_loader_write_nothing(captured):
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
    run = captured(HEAD + script + LOOP)
    assert run.steps("cross_entropy_output_0") == {"TRAIN": 10}
    assert len(list(run.folder.glob("collections/*/*"))) == 1


def test_a_training_that_is_forked(captured):
    script = (
        "import torch, torch.multiprocessing as mp\n"
        "def train():\n" + "".join(f"    {line}\n" for line in NN_LOSS.splitlines()) + "\n"
        "if __name__ == '__main__':\n"
        "    process = mp.get_context('METHOD').Process(target=train)\n"
        "    process.start(); process.join(); raise SystemExit(process.exitcode)\n"
    )
    run = captured(script.replace("METHOD", "spawn"))
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 10}
    shutil.rmtree(run.folder)
    run = captured(script.replace("METHOD", "fork"))
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 10}


def test_no_optimizer(captured):
    script = HEAD.replace("optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n", "") + (
        "for i in range(10):\n"
        "    loss = F.cross_entropy(model(x), y)\n"
        "    loss.backward()\n"
        "    with torch.no_grad():\n"
        "        for p in model.parameters(): p -= 0.1 * p.grad; p.grad = None\n"
        "    print(loss.item().hex())\n"
    )
    run = captured(script)
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
    assert run.errors.count("each forward of a model counts as a step") == 1
    assert run.steps("loss_output_0") == {"TRAIN": 10}


def test_nothing_is_written_where_nothing_is_trained(captured):
    run = captured(
        HEAD + "model.eval()\nprint(model(x).sum().item())\nF.cross_entropy(model(x), y)\n"
    )
    assert [path.name for path in run.folder.iterdir()] == ["warden"]


def test_a_script_with_a_hook_of_its_own(captured):
    script = NN_LOSS.replace(
        "step =",
        "from tensorwarden.adapters.pytorch import Hook\n"
        "import shutil; shutil.rmtree('own', ignore_errors=True)\n"
        "hook = Hook(out_dir='own')\n"
        "hook.register_module(model)\n"
        "hook.register_loss(criterion)\n"
        "step =",
    )
    run = captured(script)
    assert [path.name for path in run.folder.iterdir()] == ["warden"]
    assert (run.folder.parent / "own/events").exists()


def test_torchscript_compiles_what_it_compiled_before(captured):
    script = (
        "class Net(nn.Module):\n"
        "    def forward(self, a):\n"
        "        return F.mse_loss(a, a * 2)\n"
        "print(torch.jit.script(Net())(x).item().hex())\n"
        "@torch.jit.script\n"
        "def function(a):\n"
        "    return F.l1_loss(a, a * 2)\n"
        "criterion = torch.jit.script(nn.CrossEntropyLoss())\n"
        "step = lambda: criterion(model(x), y) + function(x)\n"
    )
    after = "print(torch.jit.script(model)(x).sum().item().hex())\n"
    run = captured(HEAD + script + LOOP + after)
    assert run.steps("loss_output_0") == {"TRAIN": 10}


def test_a_model_that_torchscript_runs_is_passed_over(tmp_path):
    script = HEAD + "net = torch.jit.script(model)\nstep = lambda: F.cross_entropy(net(x), y)\n"
    run = Run(tmp_path, script + LOOP)
    assert run.errors.count("\n") == 1 and "Sequential is not captured" in run.errors


@pytest.mark.skipif(not hasattr(torch, "compile"), reason="needs PyTorch 2")
@pytest.mark.parametrize(
    ("compiled", "steps"),
    [
        ("net = torch.compile(model, backend='aot_eager', fullgraph=True)", {"TRAIN": 10}),
        ("net = model; model.compile(backend='aot_eager', fullgraph=True)", None),
    ],
)
def test_a_model_that_is_compiled(tmp_path, compiled, steps):
    script = HEAD + compiled + "\nstep = lambda: F.cross_entropy(net(x), y)\n"
    run = Run(tmp_path, script + LOOP)
    if steps is None:
        assert run.errors.count("\n") == 1 and "Sequential is not captured" in run.errors
    else:
        assert run.steps("cross_entropy_output_0") == steps
        assert TENSORS <= set(run.tensors())


@pytest.mark.skipif(not hasattr(torch, "compile"), reason="needs PyTorch 2")
def test_a_compiled_step_is_compiled_as_before(tmp_path):
    script = (
        "@torch.compile(backend='aot_eager', fullgraph=True)\n"
        "def compiled(x, y): return F.cross_entropy(model(x), y) + nn.MSELoss()(x, x * 2)\n"
        "step = lambda: compiled(x, y)\n"
    )
    assert "no model was seen" in Run(tmp_path, HEAD + script + LOOP, options=["-v"]).errors


@pytest.mark.parametrize(
    "line", ["model(y)", "F.cross_entropy(x, x[:1])", "nn.MSELoss()(x, 1)", "x.backward()"]
)
def test_tracebacks_show_nothing_of_ours(tmp_path, line):
    run = Run(tmp_path, HEAD + f"F.cross_entropy(model(x), y).backward()\n{line}\n")

    def frames(text: str) -> str:
        # PyTorch calls a module by another way where it has hooks.
        return re.sub(r'  File ".*/nn/modules/module.py", .*\n.*\n( +[~^]+\n)?', "", text)

    assert "Error" in run.errors and "tensorwarden" not in run.errors
    assert frames(run.errors) == frames(run.plain_errors)


def test_the_other_way_to_start(tmp_path):
    """`python -m tensorwarden`: the same run, and the same failures as with plain python."""
    (tmp_path / "train.py").write_text(NN_LOSS + "import sys; print(sys.argv, sys.path[0])\n1/0\n")
    plain = subprocess.run([sys.executable, "train.py", "-v"], cwd=tmp_path, capture_output=True)
    own = [sys.executable, "-m", "tensorwarden", "--out", "run", "--save-interval=5"]
    done = subprocess.run([*own, "train.py", "-v"], cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, plain.stdout, plain.stderr)
    assert (tmp_path / "run/training_job_end.ts").exists()
    (tmp_path / "ends.py").write_text("import sys; print(__name__, sys.argv[1:]); sys.exit(7)")
    done = subprocess.run(
        [sys.executable, "-m", "tensorwarden", "-m", "ends", "x"], cwd=tmp_path, capture_output=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, b"__main__ ['x']\n", b"")
    done = subprocess.run([*own[:3], "--save-interval", "0", "ends.py"], capture_output=True)
    assert done.returncode == 2 and b"--save-interval" in done.stderr


def test_two_processes(tmp_path):
    script = NN_LOSS.replace("from torch import nn", "from torch import nn\nimport os").replace(
        "criterion =",
        "torch.distributed.init_process_group('gloo')\n"
        "model = nn.parallel.DistributedDataParallel(model)\n"
        "criterion =",
    )
    # As torchrun does, which the PyTorch of some distributions has not working.
    (tmp_path / "launch.py").write_text(
        "import os, subprocess, sys\n"
        "shared = {'WORLD_SIZE': '2', 'MASTER_ADDR': '127.0.0.1', 'MASTER_PORT': '29511'}\n"
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


@pytest.mark.skipif(not Path(SYSTEM_PYTHON).exists(), reason="no other Python")
def test_an_interpreter_without_our_package(tmp_path):
    script = NN_LOSS + "import sys; print('numpy' in sys.modules, len(sys.path))"
    run = Run(tmp_path, script, before=[SYSTEM_PYTHON])
    import tensorwarden

    version = f"cpython-{sys.version_info[0]}{sys.version_info[1]}"
    package = Path(tensorwarden.__file__).parent
    assert any(version in path.name for path in package.glob("_core.*.so"))
    if "pip install" not in run.errors:  # The same version as ours.
        assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 10}
        shutil.rmtree(run.folder)
    # A version that we have no core for.
    copy = tmp_path / "packages/tensorwarden"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("_core*"))
    packages = str(copy.parent)
    run = Run(tmp_path, script, before=[SYSTEM_PYTHON], TENSORWARDEN_PYTHON=packages)
    assert run.errors.count("\n") == 1
    assert f"pip install tensorwarden into {SYSTEM_PYTHON}" in run.errors
