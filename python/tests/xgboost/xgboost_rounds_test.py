"""Which rounds are recorded, under which numbers, in every kind of training."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
import xgboost as xgb
from boosting import BINARY, data, features, read, train

import smdebug.xgboost as smd

METRICS = ["train-auc", "train-logloss", "validation-auc", "validation-logloss"]


def test_metrics_every_tenth_round_unless_told_otherwise(tmp_path):
    hook = smd.Hook(out_dir=str(tmp_path / "run"))
    result = {}
    train(hook, rounds=12, evals_result=result)
    trial = read(hook)
    assert trial.tensor_names() == METRICS
    assert trial.steps() == [0, 10]
    for name in METRICS:
        source, metric = name.split("-")
        for step in (0, 10):
            value = trial.tensor(name).value(step)
            assert (value.dtype, value.shape) == (np.float64, (1,))
            assert value[0] == result[source][metric][step]
    assert trial.mode(10) == smd.modes.GLOBAL


def test_a_round_is_saved_when_its_seconds_are_over(make_hook):
    class Pause(xgb.callback.TrainingCallback):
        def after_iteration(self, model, epoch, evals_log):
            time.sleep(1 if epoch == 1 else 0)
            return False

    hook = make_hook(save_config=smd.SaveConfig(save_seconds=1, end_step=0))
    train(hook, callbacks=[hook, Pause()])
    steps = read(hook).steps()
    assert steps[0] == 0
    assert steps[1] <= 2


def test_losses_are_metrics_that_fall(make_hook):
    hook = make_hook(include_collections=["losses"])
    hook.get_collection("losses").save_config = smd.SaveConfig(save_interval=2)
    train(hook)
    trial = read(hook)
    assert trial.tensor_names(collection="losses") == ["train-logloss", "validation-logloss"]
    assert trial.tensor_names(collection="metrics") == METRICS
    assert trial.tensor("train-logloss").steps() == [0, 1, 2, 3]


def test_only_losses_are_due(make_hook):
    hook = make_hook(include_collections=["losses"])
    hook.get_collection("metrics").save_config = smd.SaveConfig(end_step=0)
    train(hook)
    assert read(hook).tensor_names() == ["train-logloss", "validation-logloss"]


def test_a_choice_among_the_metrics(make_hook):
    hook = make_hook()
    hook.get_collection("metrics").include_regex = ["^validation-"]
    train(hook)
    assert read(hook).tensor_names() == ["validation-auc", "validation-logloss"]


def test_metrics_of_any_name(make_hook):
    """The original's pattern for metrics has no digits before the dash, and few signs after it."""
    hook = make_hook(include_collections=["losses"])
    matrix = data()
    train(hook, data=matrix, evals=[(matrix, "set2")], custom_metric=lambda p, d: ("odd@5", 0.25))
    trial = read(hook)
    assert trial.tensor_names(collection="metrics") == ["set2-auc", "set2-logloss", "set2-odd@5"]
    assert trial.tensor_names(collection="losses") == ["set2-logloss", "set2-odd@5"]
    assert trial.tensor("set2-odd@5").value(3) == [0.25]


@pytest.mark.parametrize("place", ["constructor", "fit"])
def test_the_wrappers_of_scikit_learn(make_hook, place):
    if place == "fit" and "callbacks" not in xgb.XGBClassifier.fit.__code__.co_varnames:
        # Newer versions take callbacks in the constructor only, and so in set_params.
        place = "set_params"
    hook = make_hook(include_collections=["feature_importance", "predictions"])
    x = features()
    y = (x[:, 0] > 0.5).astype(int)
    model = xgb.XGBClassifier(n_estimators=3, max_depth=2, n_jobs=1)
    fit = {"eval_set": [(x, y)], "verbose": False}
    if place == "fit":
        fit["callbacks"] = [hook]
    else:
        model.set_params(callbacks=[hook])
    model.fit(x, y, **fit)
    model.get_params(), repr(model)
    trial = read(hook)
    assert trial.tensor("validation_0-logloss").steps() == [0, 1, 2]
    assert trial.tensor_names(collection="metrics") == ["validation_0-logloss"]
    assert trial.tensor("feature_importance/weight/f0").steps() == [0, 1, 2]


def test_a_regressor(make_hook):
    hook = make_hook(include_collections=["trees"])
    x = features()
    model = xgb.XGBRegressor(n_estimators=3, max_depth=2, n_jobs=1, callbacks=[hook])
    model.fit(x, x[:, 0], eval_set=[(x, x[:, 0])], verbose=False)
    trial = read(hook)
    assert trial.steps() == [0, 1, 2]
    assert trial.tensor("trees/Tree").value(2).tolist()[0] == 2


@pytest.mark.parametrize("save_best", [False, True])
def test_the_round_that_ends_a_training_early(make_hook, save_best):
    """Whichever callback XGBoost asks first."""
    hook = make_hook(include_collections=["predictions"], validation_data=data())
    stop = xgb.callback.EarlyStopping(rounds=2, metric_name="error", save_best=save_best)
    params = {**BINARY, "eval_metric": "error", "eta": 0.0}
    result = {}
    train(hook, params, rounds=50, callbacks=[stop, hook], evals_result=result)
    trial = read(hook)
    assert trial.tensor("train-error").steps() == list(range(len(result["train"]["error"])))
    assert 2 < len(trial.steps()) < 50
    assert trial.tensor("predictions").steps()[0] == 0


def test_a_model_that_is_trained_further_counts_on(make_hook, tmp_path):
    first = train(make_hook(include_collections=["trees"]), rounds=3)
    hook = make_hook(out_dir=str(tmp_path / "further"), include_collections=["trees"])
    train(hook, rounds=2, xgb_model=first)
    trial = read(hook)
    assert trial.steps() == [3, 4]
    assert set(trial.tensor("trees/Tree").value(4)) == {4}


def test_a_loop_of_single_rounds(make_hook):
    hook = make_hook()
    model = None
    for _ in range(4):
        model = train(hook, rounds=1, xgb_model=model)
    trial = read(hook)
    assert trial.steps() == [0, 1, 2, 3]
    assert trial.tensor("train-logloss").value(3)[0] < trial.tensor("train-logloss").value(0)[0]


def test_a_second_training_does_not_overwrite_the_first(make_hook):
    hook = make_hook(include_collections=["trees"])
    result = {}
    train(hook, rounds=3, evals_result=result)
    train(hook, rounds=2)
    trial = read(hook)
    assert trial.steps() == [0, 1, 2, 3, 4]
    again = [trial.tensor("train-logloss").value(step)[0] for step in (3, 4)]
    assert again == result["train"]["logloss"][:2]
    assert set(trial.tensor("trees/Tree").value(4)) == {1}


def test_trees_that_are_refreshed(make_hook):
    first = train(None, rounds=3)
    hook = make_hook(include_collections=["trees"])
    params = {**BINARY, "process_type": "update", "updater": "refresh", "refresh_leaf": True}
    train(hook, params, rounds=3, xgb_model=first)
    assert read(hook).tensor("trees/Tree").steps() == [0, 1, 2]


def test_cross_validation(make_hook, told):
    hook = make_hook(include_collections=["trees", "feature_importance"])
    params = {**BINARY, "nthread": 1}
    table = xgb.cv(
        params, data(), 3, nfold=3, as_pandas=False, callbacks=[hook], verbose_eval=False
    )
    trial = read(hook)
    assert trial.tensor_names() == ["test-auc", "test-logloss", "train-auc", "train-logloss"]
    means = [trial.tensor("test-logloss").value(step)[0] for step in range(3)]
    assert means == table["test-logloss-mean"]
    (message,) = told()
    assert "cross-validation" in message


def test_a_training_without_evaluation(make_hook):
    hook = make_hook(include_collections=["trees"])
    train(hook, evals=[])
    trial = read(hook)
    assert trial.tensor("trees/Node").steps() == [0, 1, 2, 3]


def test_objective_of_the_users_own(make_hook):
    def objective(predictions, matrix):
        return predictions - matrix.get_label(), np.ones_like(predictions)

    hook = make_hook(include_collections=["predictions", "labels"], validation_data=data())
    train(hook, {"max_depth": 2, "eval_metric": "rmse"}, obj=objective)
    trial = read(hook)
    assert trial.tensor("train-rmse").steps() == [0, 1, 2, 3]
    assert trial.tensor("predictions").value(3).shape == trial.tensor("labels").value(3).shape


class Scalars(xgb.callback.TrainingCallback):
    """Saves a number in each round."""

    def __init__(self, hook):
        self.hook = hook

    def after_iteration(self, model, epoch, evals_log):
        self.hook.save_scalar("round", epoch)
        return False


@pytest.mark.parametrize("before", [False, True])
def test_scalars_of_other_callbacks_are_at_their_round(make_hook, before):
    hook = make_hook(save_config=smd.SaveConfig(save_interval=3))
    callbacks = [Scalars(hook), hook] if before else [hook, Scalars(hook)]
    train(hook, rounds=5, callbacks=callbacks)
    trial = read(hook)
    scalar = trial.tensor("scalar/round")
    assert [scalar.value(step)[0] for step in scalar.steps()] == [0, 1, 2, 3, 4]
    assert scalar.steps() == [0, 1, 2, 3, 4]


def test_a_step_is_saved_when_the_next_round_begins(make_hook):
    seen = []

    class Reader(xgb.callback.TrainingCallback):
        def after_iteration(self, model, epoch, evals_log):
            hook.flush()
            seen.append(len(list(Path(hook.out_dir).glob("events/*/*.tfevents"))))
            return False

    hook = make_hook()
    train(hook, rounds=4, callbacks=[hook, Reader()])
    # That of the round itself has not ended yet.
    assert seen == [0, 1, 2, 3]


def test_resume_from_checkpoints(make_hook, monkeypatch, tmp_path):
    checkpoints = tmp_path / "checkpoints"
    checkpoints.mkdir()
    (tmp_path / "config.json").write_text(json.dumps({"LocalPath": str(checkpoints)}))
    monkeypatch.setenv("CHECKPOINT_CONFIG_FILE_PATH", str(tmp_path / "config.json"))

    class Checkpoint(xgb.callback.TrainingCallback):
        def after_iteration(self, model, epoch, evals_log):
            if epoch == 2:
                model.save_model(checkpoints / "model.json")
            return False

    hook = make_hook()
    train(hook, rounds=5, callbacks=[hook, Checkpoint()])
    hook.close()
    again = make_hook(out_dir=str(tmp_path / "again"))
    assert again.step in (1, 2)  # As XGBoost asks its callbacks in this order or that.
    train(again, rounds=2, xgb_model=str(checkpoints / "model.json"))
    assert read(again).steps() == [3, 4]
