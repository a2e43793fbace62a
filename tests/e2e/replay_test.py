"""`warden run --guard dump` and `warden replay`: what is dumped, what cannot be, and what is found.

tests/planted/replay_test.py has real trainers, with a current PyTorch.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARDEN = str((ROOT / os.environ.get("WARDEN", "build/bin/warden")).absolute())

# In bfloat16 the values of a row are equal at step 5, and so their variance is zero.
NET = """
from __future__ import annotations

import sys

import torch
from torch import nn

EPS = 0.0
CASE = sys.argv[1] if len(sys.argv) > 1 else ""


def spread(x):
    return x.var(-1, keepdim=True) + EPS


class Standardize(nn.Module):
    def forward(self, x):
        return (x - x.mean(-1, keepdim=True)) / spread(x).sqrt()


class Net(nn.Module):
    def __init__(self, refuses: bool = False):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.drop = nn.Dropout(0.5)
        self.norm = Standardize()
        self.last = nn.Linear(8, 5)
        self.register_buffer("calls", torch.zeros(1))
        nn.init.constant_(self.first.bias, 300.0)
        if refuses:
            self.function = lambda x: x

    def forward(self, x, extra=None):
        self.calls += 1
        return {"logits": self.last(self.drop(self.norm(self.first(x))))}


def build():
    return Net()
"""
# The last part runs when the script is imported.
LOOP = """
class Refuses:
    def __reduce__(self):
        raise TypeError("not for files")


torch.manual_seed(0)
model = Net(refuses=CASE == "model")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(8):
    if CASE == "disk" and step == 5:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    x = torch.randn(6, 4) * (0.05 if step >= 5 else 50)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(x, Refuses() if CASE == "batch" else None)["logits"]
        loss = nn.functional.cross_entropy(logits.float(), torch.arange(6) % 5) / 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("trained to the end", all(bool(p.isfinite().all()) for p in model.parameters()))
"""


def warden(folder: Path, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [WARDEN, *words],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )


def train(folder: Path, case: str = "", *options: str) -> subprocess.CompletedProcess:
    (folder / "train.py").write_text(NET + LOOP)
    (folder / "net.py").write_text(NET)
    words = [*options, "--", sys.executable, "train.py", *case.split()]
    done = warden(folder, "run", "--out", "run", *words)
    assert "trained to the end" in done.stdout, done.stderr
    return done


@pytest.fixture(scope="module")
def dumped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dumped")
    done = train(folder, "", "--guard", "skip,dump")
    assert "trained to the end True" in done.stdout
    assert re.search(r"step 5 is dumped to \S+/run/dumps/000000000005_worker_0 \(", done.stderr)
    return folder


def test_the_index_says_what_a_dump_holds(dumped: Path) -> None:
    folder = dumped / "run/dumps/000000000005_worker_0"
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]  # One at most.
    index = json.loads((folder / "index.json").read_text())
    assert index["format"] == 1 and index["step"] == 5 and index["worker"] == "worker_0"
    assert index["models"] == [{"class": "Net", "module": "__main__"}]
    assert index["optimizers"] == ["AdamW"] and index["scale"] is None
    assert index["passes"][0]["inputs"] == [{"name": "0", "shape": [6, 4], "type": "float32"}]
    assert index["passes"][0]["autocast"]["cpu"] == "bfloat16"
    assert index["passes"][0]["loss"] == ["cross_entropy"]
    assert index["found"]["tensor"] == "norm_output_0"
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert index["files"] == {n: s for n, s in sizes.items() if n != "index.json"}
    import torch

    state = torch.load(folder / "state.pt")[0]
    assert float(state["buffers"]["calls"]) == 5  # Before the forward pass of this step.
    assert float(torch.load(folder / "optimizers.pt")[0]["state"]["state"][0]["step"]) == 5


def test_a_step_is_run_again(dumped: Path) -> None:
    done = warden(dumped, "replay", "run", "5", "--json")
    assert done.returncode == 0, done.stderr
    assert "Replay only runs that you trust" in done.stderr
    found = json.loads(done.stdout)
    one = found["passes"][0]
    assert (one["first"]["phase"], one["first"]["module"]) == ("forward", "norm")
    assert one["first"]["operator"] == "div" and one["first"]["line"].startswith("train.py:")
    assert one["first"]["only_in_original_precision"]
    assert one["loss"] == "nan" and 0 < one["reference_loss"] < 10
    assert [row["module"] for row in one["modules"]] == ["first", "norm", "drop", "last", ""]
    first = one["modules"][0]
    assert first["original"]["gradients"]["nan"] == 48
    assert first["reference"]["gradients"]["nan"] == 0
    assert 0 < first["relative_difference"] < 0.01


def test_the_text_names_the_module(dumped: Path) -> None:
    done = warden(dumped, "replay", "run", "5")
    assert (
        "First value that is not finite: output of norm (Standardize) in the forward pass, div at "
        "train.py:" in done.stdout
    ), done.stdout
    assert "In float32 it is finite, from " in done.stdout
    assert "trained to the end" not in done.stdout  # The script did not run.
    assert "MODULE" in done.stdout and "GRADIENTS float32" in done.stdout


def test_a_changed_script_and_unknown_steps_are_reported(dumped: Path) -> None:
    script = dumped / "train.py"
    text = script.read_text()
    script.write_text(text + "\n# Changed.\n")
    done = warden(dumped, "replay", "run", "5", "--reference", "float64")
    script.write_text(text)
    assert "train.py has changed since the dump was written" in done.stdout
    done = warden(dumped, "replay", "run", "6")
    assert done.returncode == 1
    assert "has no dump of step 6; expected one of: 5 (worker_0)" in done.stderr
    done = warden(dumped, "replay", "run", "x")
    assert done.returncode == 2 and "STEP is 'x'; expected a number of at least 0" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_dump_of_another_user_is_refused(dumped: Path) -> None:
    model = dumped / "run/dumps/000000000005_worker_0/model_0.pkl"
    os.chown(model, 12345, -1)
    try:
        done = warden(dumped, "replay", "run", "5")
        assert done.returncode == 1 and "belongs to user 12345, not to you" in done.stderr
        assert "MODULE" not in done.stdout
        assert warden(dumped, "replay", "run", "5", "--trust").returncode == 0
    finally:
        os.chown(model, os.geteuid(), -1)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_dump_of_another_user_does_not_choose_what_is_run(tmp_path: Path) -> None:
    program, ran = tmp_path / "program", tmp_path / "ran"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    dump = tmp_path / "run/dumps/000000000005_worker_0"
    dump.mkdir(parents=True)
    index = dump / "index.json"
    index.write_text(json.dumps({"program": str(program)}))
    for others in (dump, index):
        os.chown(others, 12345, -1)
        done = warden(tmp_path, "replay", "run", "5")
        assert done.returncode == 1 and not ran.exists()
        assert f"{dump.name} belongs to user 12345, not to you" in done.stderr
        assert f"wants {program} to be run" in done.stderr and "--trust" in done.stderr
        os.chown(others, os.geteuid(), -1)
    assert warden(tmp_path, "replay", "run", "5").returncode == 0 and ran.exists()
    ran.unlink()
    os.chown(index, 12345, -1)
    assert warden(tmp_path, "replay", "run", "5", "--trust").returncode == 0 and ran.exists()


def test_a_model_that_cannot_be_pickled_is_built(tmp_path: Path) -> None:
    assert "step 5 is dumped" in train(tmp_path, "model", "--guard", "dump").stderr
    done = warden(tmp_path, "replay", "run", "5")
    assert done.returncode == 1
    assert "Net was not saved, because it cannot be pickled" in done.stderr
    assert "--model MODULE:FUNCTION" in done.stderr
    done = warden(tmp_path, "replay", "run", "5", "--model", "net:build")
    assert "output of norm (Standardize) in the forward pass, div" in done.stdout, done.stderr
    done = warden(tmp_path, "replay", "run", "5", "--model", "net:missing")
    assert done.returncode == 1 and "--model net:missing: AttributeError" in done.stderr


@pytest.mark.parametrize(
    ("case", "options", "message"),
    [
        (
            "batch",
            "",
            "step 5 is not dumped: the batch cannot be pickled: TypeError: not for files",
        ),
        ("disk", "", "step 5 is not dumped: OSError: [Errno 27] File too large"),
        ("", "--max-dump-size 0.000001", "more than --max-dump-size 1 kB"),
    ],
)
def test_training_survives_what_cannot_be_dumped(
    tmp_path: Path, case: str, options: str, message: str
) -> None:
    done = train(tmp_path, case, "--guard", "dump", *options.split())
    assert done.returncode == 0, done.stderr
    assert message in done.stderr, done.stderr
    assert "Training continues." in done.stderr and "Guard disabled" not in done.stderr
    assert not list((tmp_path / "run").glob("dumps/*"))
    refused = warden(tmp_path, "replay", "run", "5")
    assert refused.returncode == 1 and "has no dumps; make them with" in refused.stderr


def test_as_many_steps_are_dumped_as_asked_for(tmp_path: Path) -> None:
    done = train(tmp_path, "", "--guard", "skip,dump", "--max-dumps", "2")
    names = sorted(path.name for path in (tmp_path / "run/dumps").iterdir())
    assert names == ["000000000005_worker_0", "000000000006_worker_0"], done.stderr
    assert not list((tmp_path / "run/dumps").glob("*.tmp"))


def test_nothing_is_dumped_without_the_flag(tmp_path: Path) -> None:
    train(tmp_path, "", "--guard", "skip")
    assert not (tmp_path / "run/dumps").exists()
    done = warden(tmp_path, "run", "--guard", "skip", "--max-dumps", "2", "--", "true")
    assert done.returncode == 2 and "need --guard dump" in done.stderr
