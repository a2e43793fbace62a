"""Names of tensors, collections, and what a trial says of itself."""

from __future__ import annotations

import pytest

from smdebug import modes
from smdebug.core.collection import Collection
from smdebug.exceptions import SMDebugValueError, TensorUnavailable
from smdebug.trials import LocalTrial, create_trial


@pytest.fixture
def trial(run):
    run.manifests(
        collections={
            "weights": ([], ["weight$"]),
            "picked": (["bias", "gone"], []),
            "none": ([], []),
        }
    )
    run.step(0, {"fc.weight": 1, "bias": 2}, mode="TRAIN", mode_step=0)
    run.step(1, {"fc.weight": 1, "loss": 2}, mode="TRAIN", mode_step=1)
    run.step(2, {"conv.weight": 1, "loss": 2}, mode="EVAL", mode_step=0)
    return create_trial(str(run.end().folder))


def test_names(trial):
    names = trial.tensor_names
    assert names() == ["bias", "conv.weight", "fc.weight", "loss"]
    assert names(True) == names()
    assert names(step=1) == ["fc.weight", "loss"]
    assert names(step=0, mode=modes.EVAL) == ["conv.weight", "loss"]
    assert names(mode=modes.TRAIN) == ["bias", "fc.weight", "loss"]
    assert names(regex="weight") == ["conv.weight", "fc.weight"]
    assert names(regex=["^fc", "lo+s"]) == ["fc.weight", "loss"]
    assert names(regex="(?<!conv)\\.weight") == ["fc.weight"]
    assert names(regex=[]) == []
    assert names(step=0, regex="weight") == ["fc.weight"]
    assert names(step=1, mode=modes.TRAIN, collection="weights") == ["fc.weight"]
    assert names(mode=modes.EVAL, collection="weights") == ["conv.weight"]
    assert names(collection="picked") == ["bias"]
    assert names(collection="none") == []
    assert names(collection=Collection("mine", include_regex=["^b"])) == ["bias"]


def test_names_where_nothing_is(trial):
    assert trial.tensor_names(step=99) == []
    assert trial.tensor_names(step=99, mode=modes.TRAIN) == []
    assert trial.tensor_names(step=0, mode=modes.PREDICT) == []
    assert trial.tensor_names(mode=modes.PREDICT) == []
    assert trial.tensor_names(collection="unheard_of") == []
    assert "unheard_of" in trial.collections()


def test_names_wrongly_asked_for(trial):
    with pytest.raises(ValueError, match="both given"):
        trial.tensor_names(regex="a", collection="weights")
    with pytest.raises(TypeError):
        trial.tensor_names(collection=3)
    with pytest.raises(TypeError):
        trial.tensor_names(regex=[3])
    with pytest.raises(TypeError):
        trial.tensor_names(mode=None)
    with pytest.raises(SMDebugValueError, match="a\\("):
        trial.tensor_names(regex="a(")


def test_names_are_the_callers(trial):
    trial.tensor_names().clear()
    assert trial.tensor_names()
    with pytest.warns(DeprecationWarning):
        assert trial.tensors(collection="picked") == ["bias"]


def test_collections_are_live(trial):
    assert trial.collection("new").tensor_names == set()  # Made when it is asked for.
    trial.collection("new").include("lo+s")
    assert trial.tensor_names(collection="new") == ["loss"]
    trial.collection("new").add_tensor_name("bias")
    assert trial.tensor_names(collection="new") == ["bias", "loss"]
    assert trial.collections() is trial.collections()
    assert trial.collection_manager.get("weights") is trial.collection("weights")


def test_new_names_of_a_live_run(run):
    run.manifests(collections={"all": ([], [".*"])}).step(0, {"a": 0})
    trial = create_trial(str(run.folder))
    assert trial.tensor_names(collection="all") == ["a"]
    assert not trial.has_tensor("b")
    run.step(1, {"b": 0})
    assert trial.tensor_names(collection="all") == ["a", "b"]
    assert trial.has_tensor("b")
    with pytest.raises(TensorUnavailable) as caught:
        trial.tensor("c")
    assert caught.value.tname == "c"
    run.step(2, {"c": 0})
    assert trial.tensor("c") is trial.tensor("c")


def test_equality_and_text(run, trial):
    same = LocalTrial("run", str(run.folder))
    assert same == trial
    assert hash(same) == hash(trial)
    assert same != LocalTrial("other", str(run.folder))
    assert trial != "run"
    assert trial.name == "run"
    text = repr(trial)
    for part in ("name=run", "steps=[0, 1, 2]", "'weights'", "'conv.weight'"):
        assert part in text


def test_attributes(run, trial):
    assert trial.path == str(run.folder)
    assert trial.workers() == ["worker_0"]
    assert trial.worker_set == {"worker_0"}
    assert (trial.num_workers, trial.cache, trial.range_steps) == (1, False, None)
    assert trial.logger.name == "smdebug"


def test_inputs_labels_and_predictions(run):
    run.manifests(collections={"inputs": (["in_0"], [])})
    run.step(3, {"in_0": 1, "labels_10": 10, "labels_2": 2}, mode="TRAIN", mode_step=0)
    run.step(4, {"in_0": 2, "predictions": 3, "x": 0}, mode="TRAIN", mode_step=1)
    trial = create_trial(str(run.end().folder))
    assert trial.inputs(3) == [1]
    assert trial.inputs(1, mode=modes.TRAIN) == [2]
    assert trial.labels(0, mode=modes.TRAIN) == [2, 10]
    assert trial.labels(3) == [2, 10]
    assert trial.predictions(1, modes.TRAIN) == [3]
    assert trial.predictions(0, modes.TRAIN) == []
