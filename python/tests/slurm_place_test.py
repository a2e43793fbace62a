"""Ranks that tasks of Slurm have under `warden run`."""

import pytest

from tensorwarden.base.slurm import find_task

TASK = {"TENSORWARDEN_SLURM": "1", "SLURM_PROCID": "2", "SLURM_STEP_NUM_TASKS": "4"}


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({}, (2, 4)),
        # Tasks of other programs may train separately.
        ({"TENSORWARDEN_SLURM": None}, None),
        # The job's script.
        ({"SLURM_STEP_NUM_TASKS": None}, None),
        ({"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1"}, None),
        ({"SLURM_PROCID": "4"}, None),
        ({"SLURM_PROCID": "-1"}, None),
        ({"SLURM_PROCID": "x"}, None),
    ],
)
def test_a_task_has_the_place_that_slurm_gives_it(monkeypatch, changed, place):
    for name, value in {**TASK, **changed}.items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    assert find_task() == place
