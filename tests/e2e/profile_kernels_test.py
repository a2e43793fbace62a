"""GPU activity of some steps, recorded with a library that stands in for NVIDIA's.

The library, tests/support/cupti_stand_in.cc, gives out 40 kernels and 4 copies for each recording.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARDEN = ROOT / "build" / "bin" / "warden"
STAND_IN = ROOT / "build" / "bin" / "libcupti_stand_in.so"
PATIENCE_S = 120

# What is asked of PyTorch is whether it uses a GPU, and to wait for it.
TRAINING = """
import pathlib, sys, time, types, torch
from torch import nn
from tensorwarden.adapters.pytorch import profiling_kernels
if "--gpu" in sys.argv:
    cuda = dict(is_available=lambda: True, is_initialized=lambda: True, synchronize=lambda: None)
    profiling_kernels.torch = types.SimpleNamespace(
        cuda=types.SimpleNamespace(**cuda), version=types.SimpleNamespace(hip=None)
    )
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x, y = torch.randn(16, 8), torch.randint(0, 4, (16,))

def step():
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()

if "--until" in sys.argv:
    while not pathlib.Path("enough").exists():
        step()
        time.sleep(0.02)
else:
    for i in range(40):
        if i == 10 and "--beside" in sys.argv:
            with torch.profiler.profile():
                for _ in range(5):
                    step()
        step()
print("trained")
"""


@pytest.fixture
def environment(tmp_path):
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    (tmp_path / "train.py").write_text(TRAINING)
    ours = {k: v for k, v in os.environ.items() if not k.startswith(("SM", "WARDEN_"))}
    return {
        **ours,
        "XDG_RUNTIME_DIR": str(runtime),
        "HOME": str(tmp_path),
        "TENSORWARDEN_CUPTI": str(STAND_IN),
        "CUPTI_STAND_IN": "kernels=40",
    }


@pytest.fixture
def run(tmp_path, environment):
    def start(*words, **more):
        return subprocess.run(
            [WARDEN, *map(str, words)],
            cwd=tmp_path,
            env={**environment, **more},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )

    return start


def statistics(run):
    done = run("profile", "kernels", "run", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def train(run, *flags, words=("--gpu",), **more):
    command = ("run", "--out", "run", *flags, "--", sys.executable, "train.py", *words)
    done = run(*command, **more)
    assert done.returncode == 0, done.stderr
    assert "trained" in done.stdout
    return done


def test_steps_again_and_again(run, tmp_path):
    train(run, "--profile-kernels", "3@8")
    found = statistics(run)
    # Steps 3 to 5, 11 to 13, and so on to 35 to 37.
    assert found["windows"] == 5
    assert found["steps"] == 15
    assert found["kernels"] == 200
    assert found["dropped"] == 0
    assert found["problems"] == []
    names = {row["name"]: row for row in found["by_name"]}
    assert names["ampere_bf16_s16816gemm_bf16_128x64"]["tensor_cores"]
    gemm = names["void gemm<float>(float*, float*, int)"]
    assert (gemm["kind"], gemm["precision"]) == ("matmul", "fp32")
    assert gemm["longest"]["grid"] == [132, 1, 1]
    assert [row["name"] for row in found["copies"]] == ["host to device (pageable)"]
    assert found["copies"][0]["bytes"] == 20 << 20
    assert found["calls"][0] == {**found["calls"][0], "name": "cudaLaunchKernel", "count": 220}
    assert found["launch_delay"]["count"] == 200
    (device,) = found["devices"]
    assert 0 < device["busy_ns"] < device["window_ns"]

    shown = run("profile", "kernels", "run", "--top", "1").stdout
    assert "200 kernels in 5 windows, 15 steps" in shown
    assert "2 more kernels; use --top to show them" in shown
    merged = run("timeline", "merge", "run", "--out", "merged.json")
    assert merged.returncode == 0, merged.stderr
    events = json.loads((tmp_path / "merged.json").read_text())
    begun = {event["id"] for event in events if event["ph"] == "s"}
    assert len(begun) == 220
    assert begun == {event["id"] for event in events if event["ph"] == "f"}
    assert "Step:ModeKeys.TRAIN" in {event["name"] for event in events}


def test_of_a_training_that_runs(run, tmp_path, environment):
    command = [WARDEN, "run", "--out", "run", "--", sys.executable, "train.py", "--gpu", "--until"]
    training = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        for windows in (1, 2):
            end = time.monotonic() + PATIENCE_S
            while not list((tmp_path / "run").glob("index/*/*")):
                assert time.monotonic() < end
                time.sleep(0.1)
            done = run("profile", "start", "run", "--kernels", "--steps", "3")
            assert done.stdout == (
                f"Recording kernels, copies and CUDA calls for the next 3 steps of run "
                f"{tmp_path / 'run'}.\nThen: warden profile kernels {tmp_path / 'run'}\n"
            ), done.stderr
            while run("profile", "kernels", "run").returncode != 0:
                assert time.monotonic() < end
                time.sleep(0.1)
            # While it trains, from the file that is being written.
            while statistics(run)["windows"] < windows:
                assert time.monotonic() < end
                time.sleep(0.1)
        assert statistics(run)["kernels"] == 80
        assert statistics(run)["steps"] == 6
    finally:
        (tmp_path / "enough").touch()
        _, said = training.communicate(timeout=PATIENCE_S)
    assert training.returncode == 0, said
    assert statistics(run)["kernels"] == 80


@pytest.mark.parametrize(
    "words, more, message",
    [
        ((), {}, "the training does not use a CUDA device"),
        (("--gpu",), {"CUPTI_STAND_IN": "enable=15"}, "CUPTI_ERROR_NOT_INITIALIZED"),
        (("--gpu",), {"CUPTI_STAND_IN": "version=99"}, "CUPTI has version 99"),
        (("--gpu",), {"TENSORWARDEN_CUPTI": "/nowhere"}, "libcupti.so.13 or libcupti.so.12"),
    ],
)
def test_where_nothing_can_be_recorded_training_continues(run, words, more, message):
    done = train(run, "--profile-kernels", "3@8", words=words, **more)
    assert done.stderr.count("kernels are not recorded") == 1, done.stderr
    assert message in done.stderr
    shown = run("profile", "kernels", "run")
    assert shown.returncode == 1
    assert "no kernels were recorded" in shown.stderr


def test_another_profiler_of_the_script_comes_first(run):
    done = train(run, "--profile-kernels", "8@50", words=("--gpu", "--beside"))
    assert done.stderr.count("another PyTorch profiler is running") == 1, done.stderr
    # Steps 8 and 9, before the other profiler began; it took the rest of the window.
    found = statistics(run)
    assert (found["windows"], found["steps"], found["kernels"]) == (1, 2, 40)


@pytest.mark.parametrize("value", ["", "0", "10@10", "x", "10@", "1001"])
def test_wrong_steps_are_told(run, value):
    done = run("run", "--out", "run", "--profile-kernels", value or " ", "--", "true")
    assert done.returncode == 2
    assert "--profile-kernels is '" in done.stderr


def test_doctor_says_whether_kernels_can_be_recorded(run):
    def cupti(**more):
        checks = json.loads(run("doctor", "--json", **more).stdout)
        rows = checks if isinstance(checks, list) else checks["checks"]
        return next(row for row in rows if row["name"] == "CUPTI")

    assert "can record kernels (CUDA 13.0)" in json.dumps(cupti())
    assert "another" not in json.dumps(cupti())
    assert "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS" in json.dumps(cupti(CUPTI_STAND_IN="subscribe=39"))
    assert "not found" in json.dumps(cupti(TENSORWARDEN_CUPTI="/nowhere"))
