"""What the tests of the MXNet hook share."""

import logging
import os
from pathlib import Path
from typing import Any, Callable, Iterator, List

# The order of sums must not depend on what else the machine does; read when MXNet is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest

import smdebug.mxnet as smd
from tensorwarden import troubles

SETTINGS = [
    "CHECKPOINT_CONFIG_FILE_PATH",
    "DMLC_NUM_WORKER",
    "DMLC_RANK",
    "DMLC_WORKER_ID",
    "SMDEBUG_CONFIG_FILE_PATH",
    "SMPROFILER_CONFIG_PATH",
    "TENSORBOARD_CONFIG_FILE_PATH",
    "TENSORWARDEN_STRICT",
    "TRAINING_JOB_NAME",
    "USE_SMDEBUG",
]


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if nothing had been captured in this process before."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(troubles, "_told", set())
    yield
    smd.del_hook()


@pytest.fixture
def make_hook(tmp_path: Path) -> Iterator[Callable[..., smd.Hook]]:
    """Makes hooks that save at each step into folder "run", unless told otherwise."""
    made: List[smd.Hook] = []

    def make(**settings: Any) -> smd.Hook:
        chosen = {"out_dir": str(tmp_path / "run"), "save_config": smd.SaveConfig(save_interval=1)}
        chosen.update(settings)
        made.append(smd.Hook(**chosen))
        return made[-1]

    yield make
    for hook in made:
        hook.close()


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture) -> Callable[[], List[str]]:
    """Warnings and errors since the test began or it was asked last."""
    caplog.set_level(logging.WARNING, logger="tensorwarden")

    def messages() -> List[str]:
        said = [record.getMessage() for record in caplog.records]
        caplog.clear()
        core = [line for line in capfd.readouterr().err.splitlines() if "] warden " in line]
        return [*said, *core]

    return messages
