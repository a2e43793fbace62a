"""What the tests of the PyTorch hook share."""

import logging
from pathlib import Path
from typing import Any, Callable, Iterator, List

import pytest

import smdebug.pytorch as smd
from tensorwarden import troubles

SETTINGS = [
    "CHECKPOINT_CONFIG_FILE_PATH",
    "SMDEBUG_CONFIG_FILE_PATH",
    "TENSORWARDEN_STRICT",
    "TRAINING_JOB_NAME",
    "USE_SMDEBUG",
    "RANK",
    "WORLD_SIZE",
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


class Told:
    """What the user was told: by logging, and on stderr by the core."""

    def __init__(self, records: Callable[[], List[str]], stderr: Callable[[], str]):
        self._records = records
        self._stderr = stderr

    def __call__(self) -> List[str]:
        core = [line for line in self._stderr().splitlines() if "] warden " in line]
        return [*self._records(), *core]


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture) -> Told:
    """Warnings and errors since the test began or it was asked last."""
    caplog.set_level(logging.WARNING, logger="tensorwarden")

    def records() -> List[str]:
        messages = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return messages

    return Told(records, lambda: capfd.readouterr().err)
