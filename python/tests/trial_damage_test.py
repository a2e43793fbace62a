"""Whatever bytes are in the files of a run, reading it gives an answer or one of our exceptions."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
from pathlib import Path

import pytest

from smdebug.core.reader import FileReader
from smdebug.exceptions import SMDebugError
from smdebug.trials import create_trial

RUNS = ["pt_dtypes", "pt_shape_raw", "xgb_binary", "pt_two_workers_all"]


def damage(content: bytes, chance: random.Random) -> bytes:
    """Changes, cuts off or inserts some bytes."""
    changed = bytearray(content)
    place = chance.randrange(len(changed))
    kind = chance.random()
    if kind < 0.6:
        for _ in range(chance.randint(1, 8)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    elif kind < 0.8:
        del changed[place:]
    else:
        changed[place:place] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 30)))
    return bytes(changed)


def read_everything(trial) -> None:
    """Asks for everything of every tensor."""
    repr(trial)
    for name in trial.tensor_names():
        tensor = trial.tensor(name)
        for step in tensor.steps(show_incomplete_steps=True):
            for ask in (
                tensor.value,
                tensor.shape,
                tensor.reduction_values,
                lambda at, of=tensor: of.reduction_value(at, "std"),
            ):
                with contextlib.suppress(SMDebugError, ValueError):
                    ask(step)


@pytest.mark.parametrize("seed", range(24))
def test_damaged_runs(golden: Path, tmp_path: Path, monkeypatch, seed: int):
    monkeypatch.setenv("SMDEBUG_MISSING_EVENT_FILE_RETRY_LIMIT", "0")
    chance = random.Random(seed)
    run = tmp_path / "run"
    shutil.copytree(golden / RUNS[seed % len(RUNS)] / "trial", run)
    files = sorted(file for file in run.rglob("*") if file.is_file() and file.stat().st_size)
    for file in files:
        if chance.random() < 0.4 and "collections" not in file.parts:
            file.chmod(0o644)
            file.write_bytes(damage(file.read_bytes(), chance))
    read_everything(create_trial(str(run)))
    for file in run.rglob("*.tfevents"):
        with contextlib.suppress(SMDebugError, ValueError):
            list(FileReader(str(file)).read_tensors())


def test_names_that_are_no_text(run):
    run.manifests().step(0, {"a": 1}).end()
    index = next(run.folder.glob("index/*/*.json"))
    odd = os.fsencode(index.parent) + b"/000000000001_w\xff.json"
    with open(odd, "wb") as file:  # noqa: PTH123 (paths are text)
        file.write(index.read_bytes())
    trial = create_trial(str(run.folder))
    assert trial.steps() == [0, 1]
    assert len(trial.tensor("a").workers(1)) == 1
    assert trial.tensor("a").value(1) == 1
