"""Where the programs under test are, and how they are run."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support.browser import chromium
from support.buckets import Buckets
from support.cluster import slurm

ROOT = Path(__file__).resolve().parent.parent
WARDEN = Path(os.environ.get("WARDEN", "build/bin/warden"))
PROGRAMS = Path(os.environ.get("WARDEN_BIN", WARDEN.parent)).resolve()
ORIGINAL_PYTHON = Path(
    os.environ.get("WARDEN_SMDEBUG_PYTHON", "build/venv-smdebug/bin/python")
).absolute()


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A Slurm cluster of four nodes on this machine."""
    with slurm(tmp_path_factory.mktemp("slurm")) as started:
        yield started


@pytest.fixture(scope="module")
def runs_server(tmp_path_factory):
    """An S3 server that is not ours, with the bucket `runs`."""
    started = Buckets(tmp_path_factory.mktemp("server")).start()
    started.create("runs")
    yield started
    started.kill()


@pytest.fixture(scope="session")
def programs() -> Path:
    """The folder of the build's programs."""
    return PROGRAMS


@pytest.fixture(scope="session")
def run_program() -> Callable[..., subprocess.CompletedProcess]:
    """Runs a program of the build, which must succeed."""

    def run(name: str, *arguments, timeout: float = 300) -> subprocess.CompletedProcess:
        return _run([PROGRAMS / name, *arguments], dict(os.environ), timeout)

    return run


@pytest.fixture(scope="session")
def run_original() -> Callable[..., subprocess.CompletedProcess]:
    """Runs a script of tests/conformance where the original library is installed."""

    def run(
        script: str, *arguments, timeout: float = 300, environment: dict | None = None
    ) -> subprocess.CompletedProcess:
        # It waits a second at the end of each run, and for ever where there is none.
        environment = (os.environ if environment is None else environment) | {
            "SMDEBUG_TRAINING_END_DELAY_REFRESH": "0",
            "SMDEBUG_LOG_LEVEL": "error",
        }
        command = [ORIGINAL_PYTHON, ROOT / "tests/conformance" / script, *arguments]
        return _run(command, environment, timeout)

    return run


def _run(command, environment, timeout) -> subprocess.CompletedProcess:
    done = subprocess.run(
        [str(part) for part in command],
        env=environment,
        timeout=timeout,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{command[0]}: status {done.returncode}\n{done.stderr}"
    return done
