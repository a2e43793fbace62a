"""Steps: which are complete, which may still come, and waiting for them."""

from __future__ import annotations

import threading
import time

import pytest

from smdebug import modes
from smdebug.analysis.utils import no_refresh, refresh
from smdebug.core.tensor import StepState
from smdebug.exceptions import NoMoreData, StepNotYetAvailable, StepUnavailable
from smdebug.trials import create_trial


def open_run(run, **kwargs):
    return create_trial(str(run.folder), **kwargs)


def test_two_workers_complete_steps_together(run, monkeypatch):
    monkeypatch.setenv("SMDEBUG_INCOMPLETE_STEP_WAIT_WINDOW", "4")
    run.manifests(2).step(0, {"a": 0})
    trial = open_run(run)
    assert trial.steps() == []
    run.step(1, {"a": 1})
    assert trial.steps() == []
    run.step(1, {"a": 1}, worker=1)
    assert trial.steps() == [0, 1]
    run.step(0, {"a": 5}, worker=1)  # Late, but not lost.
    assert trial.steps() == [0, 1]
    assert trial.tensor("a").value(0, worker="worker_1") == 5
    for step in (2, 3, 4, 5):
        run.step(step, {"a": step})
        assert trial.steps() == [0, 1]
    run.step(6, {"a": 6})  # More than the window waits for the other worker.
    assert trial.last_complete_step == 1
    assert trial.steps() == [0, 1, 2, 3]
    assert trial.last_complete_step == 3
    run.step(7, {"a": 7})
    assert trial.steps() == [0, 1, 2, 3]
    run.step(8, {"a": 8})
    assert trial.steps() == [0, 1, 2, 3, 4, 5]
    assert trial.steps(show_incomplete_steps=True) == list(range(9))
    assert not trial.loaded_all_steps
    run.end()
    assert trial.steps() == list(range(9))
    assert trial.loaded_all_steps
    assert trial.last_complete_step == 8


def test_steps_of_a_tensor_are_complete_ones(run):
    run.manifests(2)
    run.step(0, {"a": 0}, mode="TRAIN", mode_step=0).step(0, {"a": 0}, 1, "TRAIN", 0)
    run.step(7, {"a": 1}, mode="TRAIN", mode_step=1)
    trial = open_run(run)
    tensor = trial.tensor("a")
    assert tensor.steps() == [0]
    assert tensor.steps(show_incomplete_steps=True) == [0, 7]
    # Mode step 1 is less than the last complete global step might be, and yet incomplete.
    assert tensor.steps(modes.TRAIN) == [0]
    assert tensor.steps(modes.TRAIN, show_incomplete_steps=True) == [0, 1]
    assert tensor.value(7) == 1  # Incomplete, but there.


def test_range_of_steps(run):
    run.manifests()
    for step in (0, 2, 3, 6, 8):
        run.step(step, {"a": step})
    run.end()
    assert open_run(run, range_steps=(2, 6)).steps() == [2, 3]
    assert open_run(run, range_steps=(None, 3)).steps() == [0, 2]
    assert open_run(run, range_steps=(3, None)).steps() == [3, 6, 8]
    assert open_run(run, range_steps=(2, 6)).range_steps == (2, 6)
    for wrong in [(6, 2), (-1, 3), (2, 2), (1,), (None, -1)]:
        with pytest.raises(AssertionError):
            open_run(run, range_steps=wrong)


def test_modes(run):
    run.manifests()
    run.step(0, {"a": 0}, mode="TRAIN", mode_step=0)
    run.step(4, {"a": 4}, mode="EVAL", mode_step=0)
    run.step(5, {"a": 5}, mode="TRAIN", mode_step=3)
    run.step(6, {"a": 6})
    trial = open_run(run.end())
    assert isinstance(trial.modes(), type({}.keys()))
    assert set(trial.modes()) == {modes.TRAIN, modes.EVAL}
    assert trial.steps(modes.TRAIN) == [0, 3]
    assert trial.steps(modes.PREDICT) == []
    assert trial.steps() == [0, 4, 5, 6]
    assert (trial.mode(5), trial.mode_step(5)) == (modes.TRAIN, 3)
    assert trial.mode_modestep(6) == (modes.GLOBAL, 6)
    assert (trial.mode(1), trial.mode_step(1)) == (None, None)
    assert trial.mode_modestep(77) == (None, None)
    assert trial.global_step(modes.EVAL, 0) == 4
    assert trial.global_step(modes.EVAL, 1) is None
    assert trial.global_step(modes.GLOBAL, 99) == 99
    assert trial.tensor("a").value(3, mode=modes.TRAIN) == 5
    with pytest.raises(TypeError, match="mode"):
        trial.steps("TRAIN")


def test_only_global_steps_are_no_mode(run):
    trial = open_run(run.manifests().step(0, {"a": 0}).end())
    assert len(trial.modes()) == 0


def test_has_passed_step(run):
    run.manifests(2).step(2, {"a": 0}).step(2, {"a": 0}, worker=1).step(5, {"a": 0})
    trial = open_run(run)
    assert trial.has_passed_step(2) is StepState.AVAILABLE
    assert trial.has_passed_step(1) is StepState.UNAVAILABLE
    assert trial.has_passed_step(4) is StepState.NOT_YET_AVAILABLE  # 5 is not complete.
    assert trial.has_passed_step(5) is StepState.NOT_YET_AVAILABLE
    assert trial.has_passed_step(6) is StepState.NOT_YET_AVAILABLE
    run.end()
    assert trial.has_passed_step(4) is StepState.UNAVAILABLE
    assert trial.has_passed_step(5) is StepState.AVAILABLE
    assert trial.has_passed_step(6) is StepState.UNAVAILABLE
    assert trial.has_passed_step(0, modes.TRAIN) is StepState.UNAVAILABLE
    assert [state.value for state in StepState] == [0, 1, 2]


def test_wait_for_steps_at_the_end(run):
    run.manifests().step(0, {"a": 0}).step(3, {"a": 0}, mode="TRAIN", mode_step=7)
    trial = open_run(run.end())
    trial.wait_for_steps([0, 3])
    trial.wait_for_steps([7], mode=modes.TRAIN)
    with pytest.raises(StepUnavailable) as caught:
        trial.wait_for_steps([0, 2])
    assert (caught.value.step, caught.value.mode) == (2, modes.GLOBAL)
    with pytest.raises(NoMoreData) as caught:
        trial.wait_for_steps([4])
    assert (caught.value.step, caught.value.mode, caught.value.last_step) == (4, modes.GLOBAL, 3)
    with pytest.raises(NoMoreData) as caught:
        trial.wait_for_steps([8], mode=modes.TRAIN)
    assert caught.value.last_step == 7
    with pytest.raises(NoMoreData) as caught:
        trial.wait_for_steps([0], mode=modes.PREDICT)
    assert caught.value.last_step == -1
    trial.wait_for_steps([])


def test_wait_for_steps_leaves_refreshing_as_it_was(run):
    trial = open_run(run.manifests().step(0, {"a": 0}))
    trial.wait_for_steps([0])
    assert trial.dynamic_refresh
    run.step(1, {"a": 1}).end()
    with no_refresh(trial):
        assert trial.steps() == [0]
        trial.wait_for_steps([1])  # Looks all the same.
        assert not trial.dynamic_refresh
        with pytest.raises(StepUnavailable):
            trial.wait_for_steps([-1])
        assert not trial.dynamic_refresh
    assert trial.dynamic_refresh
    assert trial.steps() == [0, 1]


def test_refresh_contexts_restore(run):
    trial = open_run(run.manifests().step(0, {"a": 0}))
    with no_refresh([trial]):
        with refresh(trial):
            assert trial.dynamic_refresh
        assert not trial.dynamic_refresh
    with pytest.raises(KeyError), no_refresh(trial):
        raise KeyError
    assert trial.dynamic_refresh


def test_index_mode_off_never_looks_again(run):
    trial = open_run(run.manifests().step(0, {"a": 0}), index_mode=False)
    run.step(1, {"a": 1})
    trial.refresh_data()
    assert trial.steps() == [0]


def test_a_live_run(run):
    run.manifests()
    steps = 60
    seen_alive = threading.Event()

    def write():
        for step in range(steps):
            run.step(step, {"a": step})
            time.sleep(0.002)
            if step == 5:
                seen_alive.wait()
        run.end()

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    trial = open_run(run)
    with pytest.raises(StepNotYetAvailable) as caught, no_refresh(trial):
        while not trial.has_tensor("a"):
            trial.refresh_data()
        trial.tensor("a").value(steps)
    assert caught.value.step == steps
    seen_alive.set()
    for step in range(steps):
        trial.wait_for_steps([step])
        assert trial.tensor("a").value(step) == step
    writer.join()
    with pytest.raises(NoMoreData):
        trial.wait_for_steps([steps])
    with pytest.raises(StepUnavailable):
        trial.tensor("a").value(steps)


def test_a_finished_run_is_not_listed_again(run):
    trial = open_run(run.manifests().step(0, {"a": 0}).end())
    assert trial.loaded_all_steps
    run.step(1, {"a": 1})
    trial.refresh_data()
    assert trial.steps() == [0]
