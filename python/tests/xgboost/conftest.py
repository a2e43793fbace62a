"""What the tests of the XGBoost hook share."""

import logging
from pathlib import Path
from typing import Any, Callable, Iterator, List

import pytest

import smdebug.xgboost as smd
from tensorwarden import troubles

SETTINGS = [
    "CHECKPOINT_CONFIG_FILE_PATH",
    "SMDEBUG_CONFIG_FILE_PATH",
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
    """Warnings and errors since the test began or it was asked last: by logging, and on stderr by
    the core."""
    caplog.set_level(logging.WARNING, logger="tensorwarden")

    def told() -> List[str]:
        messages = [record.getMessage() for record in caplog.records]
        caplog.clear()
        core = capfd.readouterr().err.splitlines()
        return [*messages, *(line for line in core if "] warden " in line)]

    return told
