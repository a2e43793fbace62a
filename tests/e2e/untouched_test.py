"""Scripts under `warden run`: what they do, and what others do to them, stays as it was."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from launched import HEAD, LOOP, NN_LOSS, Run, captured

torch = pytest.importorskip("torch")

SYSTEM_PYTHON = "/usr/bin/python3"


def saved(run):
    """What is in the run's folder beside the profile, which every program has."""
    names = {path.name for path in run.folder.iterdir()}
    return names - {"warden", "profiler-output", "rule-output"}


def test_nothing_is_written_where_nothing_is_trained(tmp_path):
    run = captured(
        tmp_path,
        HEAD + "model.eval()\nprint(model(x).sum().item())\nF.cross_entropy(model(x), y)\n",
    )
    assert not saved(run)


def test_a_script_with_a_hook_of_its_own(tmp_path):
    script = NN_LOSS.replace(
        "step =",
        "from tensorwarden.adapters.pytorch import Hook\n"
        "import shutil; shutil.rmtree('own', ignore_errors=True)\n"
        "hook = Hook(out_dir='own')\n"
        "hook.register_module(model)\n"
        "hook.register_loss(criterion)\n"
        "step =",
    )
    run = captured(tmp_path, script)
    assert not saved(run)
    assert (run.folder.parent / "own/events").exists()


def test_a_failure_of_ours_is_one_line(tmp_path):
    script = "import os; os.path.exists('run') and os.remove('run/warden/hook.json')\n"
    run = Run(tmp_path, NN_LOSS.replace("criterion =", script + "criterion =", 1))
    assert run.errors.startswith("tensorwarden: Capture disabled: ")
    assert run.errors.count("\n") == 1


def test_a_hook_that_the_script_makes_later(tmp_path):
    late = (
        "    if i == 3:\n"
        "        from tensorwarden.adapters.pytorch import Hook\n"
        "        import shutil; shutil.rmtree('own', ignore_errors=True)\n"
        "        hook = Hook(out_dir='own'); hook.register_module(model)\n"
        "        hook.register_loss(criterion)\n"
    )
    run = captured(tmp_path, NN_LOSS + late)
    assert run.steps("CrossEntropyLoss_output_0") == {"TRAIN": 4}
    assert (run.folder.parent / "own/events").exists()


def test_torchscript_compiles_what_it_compiled_before(tmp_path):
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
    run = captured(tmp_path, HEAD + script + LOOP + after)
    assert run.steps("loss_output_0") == {"TRAIN": 10}


def test_a_model_that_torchscript_runs_is_passed_over(tmp_path):
    script = HEAD + "net = torch.jit.script(model)\nstep = lambda: F.cross_entropy(net(x), y)\n"
    run = Run(tmp_path, script + LOOP)
    assert run.errors.count("\n") == 1 and "Sequential is not captured" in run.errors


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
    assert f"Install tensorwarden into {SYSTEM_PYTHON}" in run.errors
