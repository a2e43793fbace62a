"""Runs a script plainly and under `warden run`; scripts to run so."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

WARDEN = str(Path(os.environ.get("WARDEN", "build/bin/warden")).absolute())

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


# Of PyTorch 2 without a GPU, with the time and the process in it.
TRITON = re.compile(r"^W\d{4} .* triton not found; .*\n", re.MULTILINE)


def said(errors: str) -> str:
    """What is the same each time of what a program wrote to its standard error."""
    return TRITON.sub("", errors)


def shown(ended: subprocess.CompletedProcess) -> str:
    return f"exit code {ended.returncode}\n{ended.stdout.decode()}\n{ended.stderr.decode()}"


class Run:
    """A script that was run plainly and then under warden, with the same output."""

    def __init__(self, folder: Path, script: str, options=(), before=(sys.executable,), **env):
        (folder / "train.py").write_text(script)
        environment = {**os.environ, **env}
        environment.pop("SMDEBUG_CONFIG_FILE_PATH", None)
        command = [*before, "train.py"]
        settings = {"cwd": folder, "env": environment, "capture_output": True, "timeout": 300}
        plain = subprocess.run(command, **settings)
        self.folder = folder / "run"
        command = [WARDEN, "run", "--out", "run", *options, "--", *command]
        self.done = subprocess.run(command, **settings)
        self.errors = said(self.done.stderr.decode())
        self.plain_errors = said(plain.stderr.decode())
        same = self.done.returncode == plain.returncode and self.done.stdout == plain.stdout
        assert same, f"plainly:\n{shown(plain)}\n\nunder warden run:\n{shown(self.done)}"

    def tensors(self) -> dict:
        """The saved tensors of the model by name, with their steps by mode."""
        command = [WARDEN, "trial", "tensors", str(self.folder), "--json"]
        listed = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        return {
            tensor["name"]: tensor
            for tensor in listed
            if not tensor["name"].startswith("training/")
        }

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


def captured(folder: Path, script: str, **settings) -> Run:
    """A run in which nothing of ours is said either."""
    run = Run(folder, script, **settings)
    same = run.errors == run.plain_errors
    assert same, f"plainly:\n{run.plain_errors}\n\nunder warden run:\n{run.errors}"
    return run
