"""A run that goes on where its last checkpoint was."""

import json

import pytest
import torch
from training import batches, make_model

import smdebug.pytorch as smd
from smdebug import modes


@pytest.fixture
def checkpoints(tmp_path, monkeypatch):
    """The folder of checkpoints that the job's configuration names."""
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    config = tmp_path / "checkpointconfig.json"
    config.write_text(json.dumps({"LocalPath": str(folder)}))
    monkeypatch.setenv("CHECKPOINT_CONFIG_FILE_PATH", str(config))
    return folder


def run(hook, mode, steps, checkpoint_after=(), folder=None):
    model = make_model()
    hook.register_module(model)
    hook.set_mode(mode)
    for number, (features, _) in enumerate(batches(steps)):
        model(features).sum().backward()
        if number in checkpoint_after:
            torch.save(model.state_dict(), folder / f"{mode.name}-{number}.pt")
    return model


def states(folder):
    return json.loads((folder / "metadata.json").read_text())


def interrupted(hook):
    """As if the machine had been taken away: the end is never marked."""
    if hook._raw_core is not None:
        hook.flush()
    hook._closed = True


def test_steps_go_on_after_the_last_checkpoint(make_hook, checkpoints, tmp_path):
    hook = make_hook(include_collections=["weights"], save_config=smd.SaveConfig(save_interval=2))
    run(hook, modes.TRAIN, 6, checkpoint_after=[2], folder=checkpoints)
    assert states(checkpoints) == [
        {
            "training-run": 0,
            "latest-global-step-saved": 2,
            "latest-global-step-seen": 2,
            "latest-mode-step": {"GLOBAL": 2, "TRAIN": 2},
        }
    ]
    interrupted(hook)
    again = make_hook(
        include_collections=["weights"],
        save_config=smd.SaveConfig(save_interval=2),
        out_dir=str(tmp_path / "second"),
    )
    assert again.step == 2
    assert again.last_saved_step == 2
    run(again, modes.TRAIN, 4)
    assert again.step == 6
    assert again.mode_steps[modes.TRAIN] == 6
    again.close()
    assert smd.create_trial(again.out_dir).tensor("Sequential_0.weight").steps() == [4, 6]


def test_each_interruption_is_a_run_of_its_own(make_hook, checkpoints, tmp_path):
    for number in range(3):
        hook = make_hook(out_dir=str(tmp_path / f"run{number}"))
        run(hook, modes.TRAIN, 4, checkpoint_after=[1], folder=checkpoints)
        (checkpoints / "TRAIN-1.pt").rename(checkpoints / f"kept{number}.pt")
        interrupted(hook)
    assert [s["training-run"] for s in states(checkpoints)][-1] == 2


def test_modes_go_on_each_from_its_own_step(make_hook, checkpoints, tmp_path):
    hook = make_hook()
    run(hook, modes.TRAIN, 3)
    run(hook, modes.EVAL, 2, checkpoint_after=[0], folder=checkpoints)
    interrupted(hook)
    assert states(checkpoints)[-1]["latest-mode-step"] == {"GLOBAL": 3, "TRAIN": 2, "EVAL": 0}
    again = make_hook(out_dir=str(tmp_path / "second"))
    run(again, modes.EVAL, 1)
    assert again.mode_steps[modes.EVAL] == 1
    run(again, modes.TRAIN, 1)
    assert again.mode_steps[modes.TRAIN] == 3
    assert again.step == 5


def test_without_checkpoints_nothing_is_kept(make_hook, tmp_path):
    hook = make_hook()
    run(hook, modes.TRAIN, 2)
    assert not list(tmp_path.rglob("metadata.json"))


def test_files_of_the_uploader_are_no_checkpoints(make_hook, checkpoints):
    hook = make_hook()
    model = run(hook, modes.TRAIN, 1)
    (checkpoints / "model.pt.sagemaker-uploaded").touch()
    model(torch.ones(1, 8))
    model(torch.ones(1, 8))
    assert not (checkpoints / "metadata.json").exists()


@pytest.mark.parametrize("text", ["", "{}", "[{}]", '[{"latest-global-step-seen": "x"}]'])
def test_states_that_cannot_be_read_do_no_harm(make_hook, checkpoints, text):
    (checkpoints / "metadata.json").write_text(text)
    hook = make_hook()
    run(hook, modes.TRAIN, 2)
    assert hook.step == 1
    assert not hook.disabled


@pytest.mark.parametrize("text", ["", "[]", '{"Other": 1}', '{"LocalPath": 5}'])
def test_a_checkpoint_configuration_that_cannot_be_read_does_no_harm(
    make_hook, tmp_path, monkeypatch, text
):
    config = tmp_path / "checkpointconfig.json"
    config.write_text(text)
    monkeypatch.setenv("CHECKPOINT_CONFIG_FILE_PATH", str(config))
    hook = make_hook()
    run(hook, modes.TRAIN, 2)
    assert hook.step == 1 and not hook.disabled


def test_a_folder_of_checkpoints_that_cannot_be_written_costs_the_capture_only(
    make_hook, checkpoints, told, monkeypatch
):
    hook = make_hook()
    monkeypatch.setattr(hook._resume._store, "_states_file", checkpoints / "file" / "metadata.json")
    (checkpoints / "file").touch()
    run(hook, modes.TRAIN, 3, checkpoint_after=[0], folder=checkpoints)
    assert len(told()) <= 1


def test_tasks_of_slurm_read_the_state_that_the_first_one_stores(
    make_hook, checkpoints, monkeypatch, tmp_path
):
    monkeypatch.setenv("TENSORWARDEN_SLURM", "1")
    monkeypatch.setenv("SLURM_STEP_NUM_TASKS", "2")
    for rank in (1, 0):
        assert not (checkpoints / "metadata.json").exists()
        monkeypatch.setenv("SLURM_PROCID", str(rank))
        hook = make_hook(out_dir=str(tmp_path / "first"), include_workers="all")
        assert hook.worker == f"worker_{rank}"
        run(hook, modes.TRAIN, 4, checkpoint_after=[2], folder=checkpoints)
        (checkpoints / "TRAIN-2.pt").rename(checkpoints / f"kept{rank}.pt")
        interrupted(hook)
    for rank in (1, 0):
        monkeypatch.setenv("SLURM_PROCID", str(rank))
        assert make_hook(out_dir=str(tmp_path / "second")).step == 2
