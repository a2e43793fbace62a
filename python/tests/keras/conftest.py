"""What the tests of the Keras hook share."""

import logging
from pathlib import Path
from typing import Any, Callable, Iterator, List

import keras
import pytest

import smdebug.tensorflow as smd
from tensorwarden import troubles

SETTINGS = [
    "CHECKPOINT_CONFIG_FILE_PATH",
    "SMDEBUG_CONFIG_FILE_PATH",
    "SMPROFILER_CONFIG_PATH",
    "TENSORWARDEN_STRICT",
    "TF_CONFIG",
    "TRAINING_JOB_NAME",
    "USE_SMDEBUG",
]


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if nothing had been captured in this process before, and layers were numbered from 1."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(troubles, "_told", set())
    keras.utils.clear_session()
    keras.utils.set_random_seed(0)
    yield
    smd.del_hook()


@pytest.fixture
def make_hook(tmp_path: Path) -> Iterator[Callable[..., smd.KerasHook]]:
    """Makes hooks that save at each step into folder "run", unless told otherwise."""
    made: List[smd.KerasHook] = []

    def make(**settings: Any) -> smd.KerasHook:
        chosen = {"out_dir": str(tmp_path / "run"), "save_config": smd.SaveConfig(save_interval=1)}
        chosen.update(settings)
        made.append(smd.KerasHook(**chosen))
        return made[-1]

    yield make
    for hook in made:
        hook.close()


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture) -> Callable[[], List[str]]:
    """Warnings and errors since the test began or it was asked last: by logging, and on stderr by
    the core."""
    caplog.set_level(logging.WARNING, logger="tensorwarden")

    def since() -> List[str]:
        messages = [r.getMessage() for r in caplog.records if r.name == "tensorwarden"]
        caplog.clear()
        core = [line for line in capfd.readouterr().err.splitlines() if "] warden " in line]
        return [*messages, *core]

    return since
