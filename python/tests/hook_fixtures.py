"""What the tests of every framework's hook share; their conftest.py says which hook it is."""

import inspect
import logging
from pathlib import Path
from typing import Any, Callable, Iterator, List

import pytest

from tensorwarden.base import troubles
from tensorwarden.hook import singleton
from tensorwarden.save_config import SaveConfig

__all__ = ["OPTIONS", "fresh_process", "make_hook", "options_of", "told"]

# The options of every hook, in the order that smdebug documents, with their defaults.
OPTIONS = {
    "out_dir": None,
    "export_tensorboard": False,
    "tensorboard_dir": None,
    "dry_run": False,
    "reduction_config": None,
    "save_config": None,
    "include_regex": None,
    "include_collections": None,
    "save_all": False,
    "include_workers": "one",
}

# What would change a hook, whoever runs the tests.
SETTINGS = [
    "CHECKPOINT_CONFIG_FILE_PATH",
    "DMLC_NUM_WORKER",
    "DMLC_RANK",
    "DMLC_WORKER_ID",
    "RANK",
    "SAGEMAKER_METRICS_DIRECTORY",
    "SMDEBUG_CONFIG_FILE_PATH",
    "SMPROFILER_CONFIG_PATH",
    "TENSORBOARD_CONFIG_FILE_PATH",
    "TENSORWARDEN_STRICT",
    "TF_CONFIG",
    "TRAINING_JOB_NAME",
    "USE_SMDEBUG",
    "WORLD_SIZE",
]


def options_of(hook_class: Any) -> List[Any]:
    """The arguments of a constructor with their defaults, all of which can be given by position."""
    parameters = inspect.signature(hook_class).parameters.values()
    assert {parameter.kind for parameter in parameters} == {inspect.Parameter.POSITIONAL_OR_KEYWORD}
    return [(parameter.name, parameter.default) for parameter in parameters]


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if nothing had been captured in this process before."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(troubles, "_told", set())
    yield
    singleton.del_hook()


@pytest.fixture
def make_hook(tmp_path: Path, hook_class: Any) -> Iterator[Callable[..., Any]]:
    """Makes hooks that save at each step into folder "run", unless told otherwise."""
    made: List[Any] = []

    def make(**settings: Any) -> Any:
        chosen = {"out_dir": str(tmp_path / "run"), "save_config": SaveConfig(save_interval=1)}
        chosen.update(settings)
        made.append(hook_class(**chosen))
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
        ours = [r.getMessage() for r in caplog.records if r.name.startswith("tensorwarden")]
        caplog.clear()
        core = [line for line in capfd.readouterr().err.splitlines() if "] warden " in line]
        return [*ours, *core]

    return since
