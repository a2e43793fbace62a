"""What the tests of the Python packages share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from run_builder import RunBuilder

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests/golden"
PROGRAMS = Path(os.environ.get("WARDEN_BIN", ROOT / "build/bin"))
ORIGINAL_PYTHON = Path(
    os.environ.get("WARDEN_SMDEBUG_PYTHON", ROOT / "build/venv-smdebug/bin/python")
)
# The original waits a second at the end of each run, and for ever where there is none.
QUIET = {"SMDEBUG_TRAINING_END_DELAY_REFRESH": "0", "SMDEBUG_LOG_LEVEL": "error"}


@pytest.fixture
def run(tmp_path: Path) -> RunBuilder:
    """An empty run."""
    return RunBuilder(tmp_path / "run")


@pytest.fixture(scope="session")
def golden() -> Path:
    """The recorded runs."""
    return GOLDEN


@pytest.fixture(scope="session")
def programs() -> Path:
    """The folder of the build's programs."""
    return PROGRAMS


@pytest.fixture(scope="session")
def run_original() -> Callable[..., str]:
    """Runs a script where the original library is installed; what it printed."""
    if not ORIGINAL_PYTHON.exists():
        pytest.skip("the original library is not installed")

    def run(script: str, *arguments: str, timeout: float = 300) -> str:
        done = subprocess.run(
            [str(ORIGINAL_PYTHON), "-c", script, *arguments],
            env={**os.environ, **QUIET},
            timeout=timeout,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
