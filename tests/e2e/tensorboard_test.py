"""`warden tensorboard`: the real TensorBoard on runs, asked for its curves over HTTP."""

import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
import torch

from tensorwarden.adapters.pytorch import Hook
from tensorwarden.modes import ModeKeys

WARDEN = str(Path(os.environ.get("WARDEN", "build/bin/warden")).absolute())
VENV = Path("build/venv/bin").absolute()


class Run:
    """A run in the making, with a loss of one scalar in each step."""

    def __init__(self, folder: Path, **options):
        self.hook = Hook(str(folder), include_collections=["losses"], **options)
        self.model = torch.nn.Linear(2, 1)
        self.hook.register_module(self.model)
        self.hook.set_mode(ModeKeys.TRAIN)

    def step(self, value: float) -> None:
        self.model(torch.ones(1, 2)).sum().backward()
        self.hook.save_scalar("quality", value)

    def close(self) -> None:
        self.hook.close()


class TensorBoard:
    """The command, until it is interrupted."""

    def __init__(self, *words, temporary: Path, **options):
        environment = {**os.environ, "PATH": f"{VENV}:{os.environ['PATH']}", **options}
        self.temporary = temporary
        self.process = subprocess.Popen(
            [WARDEN, "tensorboard", *map(str, words)],
            env={**environment, "TMPDIR": str(temporary)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.said = ""
        self.address = ""
        for line in self.process.stderr:
            self.said += line
            if found := re.search(r"at (http://\S+)", line):
                self.address = found[1].rstrip("/")
                break
        assert self.address, self.said
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def get(self, path: str, **query):
        url = f"{self.address}/data/plugin/scalars/{path}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(url, timeout=120) as answer:
            return json.loads(answer.read())

    def curve(self, run: str, tag: str, points: int) -> list:
        """Steps and values, once there are so many."""
        deadline = time.monotonic() + 300
        while True:
            try:
                curve = [(step, value) for _, step, value in self.get("scalars", run=run, tag=tag)]
            except urllib.error.HTTPError:  # Not loaded yet.
                curve = []
            if len(curve) >= points:
                return curve
            assert time.monotonic() < deadline, (curve, self.get("tags"))
            time.sleep(0.1)

    def interrupt(self) -> int:
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(timeout=300)


def test_shows_scalars_and_files_of_several_runs_and_follows_them(tmp_path):
    live = Run(tmp_path / "live")
    live.step(0.5)
    live.step(0.25)
    exported = Run(tmp_path / "exported", export_tensorboard=True)
    exported.step(4)
    exported.step(2)
    exported.close()
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    deadline = time.monotonic() + 300
    while not list((tmp_path / "live").glob("index/*/*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    board = TensorBoard(
        tmp_path / "live",
        tmp_path / "exported",
        "--port",
        "0",
        "--",
        "--reload_interval",
        "1",
        temporary=temporary,
    )
    try:
        # A step is written when the next begins.
        live.step(0.125)
        assert board.curve("live/TRAIN", "scalar/quality", 2)[:2] == [(0, 0.5), (1, 0.25)]
        assert board.curve("exported/TRAIN", "scalar/quality", 2) == [(0, 4), (1, 2)]
        live.step(0.0625)
        live.close()
        curve = board.curve("live/TRAIN", "scalar/quality", 4)
        assert curve == [(0, 0.5), (1, 0.25), (2, 0.125), (3, 0.0625)]
    finally:
        code = board.interrupt()
    assert code in (0, -signal.SIGINT)
    assert list(temporary.glob("warden-*")) == []
    assert f"exported: {tmp_path}/exported/tensorboard" in board.said


@pytest.fixture
def fake(tmp_path):
    """A `tensorboard` that tells how it was called and what it was given, and exits with 7."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "tensorboard"
    program.write_text('#!/bin/sh\necho "$@"\nls -l "$2"\nexit 7\n')
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:/usr/bin:/bin"}


def call(*words, **options):
    return subprocess.run(
        [WARDEN, "tensorboard", *map(str, words)], capture_output=True, text=True, **options
    )


def test_passes_options_and_the_exit_code_on(tmp_path, fake):
    for name in ("a/run", "b/run"):
        run = Run(tmp_path / name, export_tensorboard=True)
        run.step(1)
        run.close()
    words = [tmp_path / "a/run", tmp_path / "b/run/", "--host", "0.0.0.0", "--port", "7007"]
    done = call(*words, "--", "--reload_interval", "1", env=fake)
    assert done.returncode == 7, done.stderr
    called, *listed = done.stdout.splitlines()
    assert re.fullmatch(r"--logdir \S+ --host 0\.0\.0\.0 --port 7007 --reload_interval 1", called)
    assert any(line.endswith(f"run -> {tmp_path}/a/run/tensorboard") for line in listed)
    assert any(line.endswith(f"run-2 -> {tmp_path}/b/run/tensorboard") for line in listed)


def test_finds_runs_of_warden_run_by_name(tmp_path, fake):
    run = Run(tmp_path / "warden-runs" / "train-1", export_tensorboard=True)
    run.step(1)
    run.close()
    done = call("train-1", env=fake, cwd=tmp_path)
    assert done.returncode == 7, done.stderr
    assert "train-1 -> " in done.stdout
    assert "--port" not in done.stdout


def test_says_what_is_missing(tmp_path, fake):
    (tmp_path / "empty").mkdir()
    done = call(tmp_path / "empty", env=fake)
    assert (done.returncode, done.stdout) == (1, "")
    assert "not a run: " in done.stderr
    done = call("nothing-of-this-name", env={**fake, "HOME": str(tmp_path)}, cwd=tmp_path)
    assert done.returncode == 1
    assert "no folder nothing-of-this-name or warden-runs/nothing-of-this-name" in done.stderr
    done = call(tmp_path, "--port", "seven", env=fake)
    assert done.returncode == 2
    assert "--port is 'seven'; expected a number from 0" in done.stderr


def test_says_how_to_install_it(tmp_path):
    site = tmp_path / "packages" / "tensorwarden" / "auto" / "site"
    site.mkdir(parents=True)
    (site / "sitecustomize.py").write_text("")
    environment = {"PATH": str(tmp_path), "TENSORWARDEN_PYTHON": str(tmp_path / "packages")}
    done = call(tmp_path, env=environment)
    assert done.returncode == 1
    assert "install it with 'pip install tensorboard'" in done.stderr
