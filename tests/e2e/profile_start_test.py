"""`warden profile` of trainings that run: operators of the next steps, as often as one asks."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARDEN = ROOT / "build" / "bin" / "warden"
PATIENCE_S = 120

TRAINING = """
import pathlib, time, torch
from torch import nn
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x, y = torch.randn(16, 8), torch.randint(0, 4, (16,))
while not pathlib.Path("enough").exists():
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
    time.sleep(0.02)
"""


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"waited {PATIENCE_S} s for {what}"
        time.sleep(0.1)


class Training:
    """A training that runs until the test ends it."""

    def __init__(self, folder: Path, *flags: str):
        self.folder = folder
        runtime = folder / "runtime"
        runtime.mkdir(mode=0o700)
        ours = {k: v for k, v in os.environ.items() if not k.startswith(("SM", "WARDEN_"))}
        # Nobody's service.
        self.environment = {**ours, "XDG_RUNTIME_DIR": str(runtime), "HOME": str(folder)}
        (folder / "train.py").write_text(TRAINING)
        words = [WARDEN, "run", "--out", "run", *flags, "--", sys.executable, "train.py"]
        self.process = subprocess.Popen(
            words, cwd=folder, env=self.environment, stderr=subprocess.PIPE, text=True
        )
        wait_until(lambda: list((folder / "run").glob("index/*/*")), "the first step")

    def profile(self, *words: str) -> subprocess.CompletedProcess:
        command = [WARDEN, "profile", *map(str, words)]
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True
        )

    def detailed_steps(self) -> set:
        """The steps whose operators are on the timeline."""
        steps = set()
        for file in (self.folder / "run/profiler-output").rglob("*_pythontimeline.json*"):
            for line in file.read_text().splitlines():
                if '"aten::addmm"' in line:
                    event = json.loads(line.strip().rstrip(","))
                    steps.add(int(event["args"]["step_num"]))
        return steps

    def end(self) -> None:
        (self.folder / "enough").touch()
        _, said = self.process.communicate(timeout=PATIENCE_S)
        assert self.process.returncode == 0, said


@pytest.fixture
def training(tmp_path):
    made = []

    def start(*flags):
        made.append(Training(tmp_path, *flags))
        return made[-1]

    yield start
    for one in made:
        (one.folder / "enough").touch()
        one.process.communicate(timeout=PATIENCE_S)


def test_operators_of_the_next_steps_as_often_as_asked(training):
    one = training()
    assert one.detailed_steps() == set()
    done = one.profile("start", "run", "--steps", "3")
    assert done.returncode == 0, done.stderr
    run = one.folder / "run"
    assert done.stdout == (
        f"Recording operators and kernels for the next 3 steps of run {run}.\n"
        f"Then: warden timeline summary {run} --by operator, or the dashboard's Profiler page.\n"
    )
    wait_until(lambda: len(one.detailed_steps()) == 3, "3 steps")
    first = one.detailed_steps()
    assert max(first) - min(first) == 2
    # By the name of the run, as JSON; the same once more.
    done = one.profile("start", "run", "--steps", "3", "--json")
    assert json.loads(done.stdout) == {
        "run": str(run),
        "steps": 3,
        "python": False,
        "kernels": False,
    }
    wait_until(lambda: len(one.detailed_steps()) == 6, "3 more steps")
    # Of a process, for a time, until it is stopped.
    pid = subprocess.run(
        ["pgrep", "-P", str(one.process.pid), "python"], capture_output=True, text=True
    ).stdout.split()[0]
    done = one.profile("start", pid, "--seconds", "600", "--python")
    assert done.stdout == (
        "Recording operators and kernels, and Python functions, for the next 600 seconds of "
        f"process {pid}.\n"
    )
    assert one.profile("stop", "run/").returncode == 0
    one.end()
    summary = subprocess.run(
        [WARDEN, "timeline", "summary", run, "--by", "operator", "--json"],
        capture_output=True,
        text=True,
    )
    assert "aten::addmm" in summary.stdout


def test_a_timeline_that_was_off_is_switched_on(training):
    one = training("--profile", "system")
    assert one.profile("start", "run", "--steps", "2").returncode == 0
    wait_until(lambda: len(one.detailed_steps()) == 2, "2 steps")
    one.end()


def test_what_cannot_be_profiled_is_told(training, tmp_path):
    one = training("--profile", "off")
    wrong = {
        ("start", "run"): "was started without profiling",
        ("start", "run", "--steps", "0"): "--steps is '0'; expected a number from 1 to 1000",
        ("start", "run", "--seconds", "nan"): "--seconds is 'nan'; expected a number above 0",
        ("start", "999999999"): "there is no process 999999999",
        ("stop", "nobody"): "no training 'nobody' runs on this machine, and there is no service",
    }
    for words, message in wrong.items():
        done = one.profile(*words)
        assert done.returncode != 0, words
        assert message in done.stderr, (words, done.stderr)
    one.end()
    done = one.profile("start", "run")
    assert done.returncode == 1
    assert "run is not running on this machine, or was not started by 'warden run'" in done.stderr
