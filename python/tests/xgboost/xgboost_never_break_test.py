"""Whatever happens to the hook: the training comes to the model that it comes to without it."""

import copy
import json
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
import xgboost as xgb
from boosting import BINARY, CLASSES, content, data, features, read, train
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import smdebug.xgboost as smd
from smdebug.exceptions import SMDebugTypeError, SMDebugValueError
from tensorwarden.adapters.xgboost import saving

ALL = ["predictions", "labels", "feature_importance", "average_shap", "full_shap", "trees"]
MODELS = [
    BINARY,
    CLASSES,
    {**BINARY, "booster": "dart", "rate_drop": 0.5, "one_drop": 1},
    {**BINARY, "subsample": 0.5, "colsample_bytree": 0.5, "num_parallel_tree": 2},
    {"objective": "reg:squarederror", "eval_metric": "rmse", "tree_method": "hist"},
    {"booster": "gblinear", "eval_metric": "rmse"},
]


@pytest.mark.parametrize("params", MODELS)
def test_models_are_the_same(make_hook, params):
    """Also where the very data of the training is looked at."""
    plain = train(None, params, rounds=8)
    matrix = data(params.get("num_class", 2))
    hook = make_hook(include_collections=ALL, train_data=matrix, validation_data=matrix)
    assert content(train(hook, params, rounds=8, data=matrix)) == content(plain)


PLAIN = content(train(None))


@pytest.mark.parametrize("part", ["importances", "tree_at", "latest"])
def test_a_failure_of_ours(make_hook, monkeypatch, told, part):
    def fail(*_):
        raise RuntimeError("of ours")

    monkeypatch.setattr(saving, part, fail)
    hook = make_hook(include_collections=["feature_importance", "trees"])
    assert content(train(hook)) == PLAIN
    (message,) = told()
    assert "of ours" in message
    assert hook.disabled == (part == "latest")


def test_strict(make_hook, monkeypatch):
    monkeypatch.setenv("TENSORWARDEN_STRICT", "1")
    hook = make_hook(include_collections=["predictions"], validation_data=features(5, 1))
    with pytest.raises(ValueError):
        train(hook)


def test_a_folder_of_a_finished_run(make_hook, told, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "training_job_end.ts").touch()
    hook = make_hook()
    assert content(train(hook)) == PLAIN
    assert hook.disabled
    assert len(told()) == 1


def test_a_folder_that_cannot_be_made(make_hook, told, tmp_path):
    (tmp_path / "file").touch()
    hook = make_hook(out_dir=str(tmp_path / "file" / "run"))
    assert content(train(hook)) == PLAIN
    hook.close()
    assert told()


def test_a_disk_that_is_full(make_hook, told):
    hook = make_hook(out_dir="/dev/full/run")
    assert content(train(hook)) == PLAIN
    hook.close()
    assert told()


def test_wrong_arguments_are_told_before_the_training(make_hook):
    with pytest.raises(RuntimeError, match="out_dir"):
        smd.Hook()
    with pytest.raises((SMDebugTypeError, SMDebugValueError)):
        make_hook(save_config=5)
    with pytest.raises(SMDebugTypeError):
        make_hook(include_collections=5)


def test_a_collection_that_can_hold_nothing(make_hook, told):
    hook = make_hook(include_collections=["tree"])
    assert content(train(hook)) == PLAIN
    hook.close()
    assert any("Did you mean 'trees'?" in message for message in told())
    assert smd.create_trial(hook.out_dir).tensor_names(collection="metrics")


def test_after_closing(make_hook, told):
    hook = make_hook()
    train(hook, rounds=2)
    hook.close()
    assert content(train(hook)) == PLAIN
    assert smd.create_trial(hook.out_dir).steps() == [0, 1]
    assert told() == []


def test_copies_do_nothing(make_hook):
    hook = make_hook()
    train(hook, rounds=2)
    for copied in (pickle.loads(pickle.dumps(hook)), pickle.loads(pickle.dumps([hook], 0))[0]):
        assert content(train(copied)) == PLAIN
    assert copy.deepcopy(hook) is hook
    assert read(hook).steps() == [0, 1]


def test_estimators_are_cloned_pickled_and_validated(make_hook):
    hook = make_hook()
    x = features()
    y = (x[:, 0] > 0.5).astype(int)
    model = xgb.XGBClassifier(n_estimators=2, max_depth=2, n_jobs=1, callbacks=[hook])
    scores = cross_val_score(clone(model), x, y, cv=2)
    assert len(scores) == 2 and not np.isnan(scores).any()
    model.fit(x, y, eval_set=[(x, y)], verbose=False)
    restored = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(restored.predict(x), model.predict(x))
    restored.fit(x, y)
    assert read(hook).tensor("validation_0-logloss").steps() == [4, 5]


def test_a_training_that_fails(make_hook):
    class Fails(xgb.callback.TrainingCallback):
        def after_iteration(self, model, epoch, evals_log):
            if epoch == 1:
                raise KeyError("of the script")
            return False

    hook = make_hook()
    with pytest.raises(KeyError, match="of the script"):
        train(hook, callbacks=[hook, Fails()])
    assert content(train(hook)) == PLAIN
    assert read(hook).steps()[:2] == [0, 1]


def test_a_process_that_is_killed_leaves_a_run_without_end(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(
        "import os, signal, numpy as np, xgboost as xgb\n"
        "import smdebug.xgboost as smd\n"
        "hook = smd.Hook(out_dir='run', save_config=smd.SaveConfig(save_interval=1))\n"
        "class Kill(xgb.callback.TrainingCallback):\n"
        "    def before_iteration(self, model, epoch, evals_log):\n"
        "        if epoch == 3:\n"
        "            hook.flush()\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return False\n"
        "x = np.random.rand(20, 2); d = xgb.DMatrix(x, x[:, 0])\n"
        "xgb.train({}, d, 9, evals=[(d, 'train')], callbacks=[hook, Kill()], verbose_eval=False)\n"
    )
    done = subprocess.run([sys.executable, "train.py"], cwd=tmp_path, timeout=300)
    assert done.returncode == -9
    assert not (tmp_path / "run" / "training_job_end.ts").exists()
    assert (tmp_path / "run" / "collections").exists()
    steps = sorted(int(p.name) for p in (tmp_path / "run" / "events").iterdir())
    assert steps in ([0, 1], [0, 1, 2])


def test_a_forked_child_saves_nothing(make_hook):
    """It calls as XGBoost does, which itself cannot train in a forked child."""
    hook = make_hook()
    model = train(hook, rounds=2)
    child = os.fork()
    if child == 0:
        hook.before_training(model)
        hook.before_iteration(model, 0, {})
        hook.after_iteration(model, 0, {"train": {"auc": [0.5]}})
        hook.after_training(model)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    train(hook, rounds=1)
    assert read(hook).steps() == [0, 1, 2]


# ---- From a file.


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "hook.json"
    path.write_text(
        json.dumps(
            {
                "LocalPath": str(tmp_path / "run"),
                "HookParameters": {"save_interval": "3"},
                "CollectionConfigurations": [
                    {"CollectionName": "metrics", "CollectionParameters": {"save_interval": "2"}},
                    {"CollectionName": "feature_importance"},
                ],
            }
        )
    )
    return str(path)


def test_the_hook_of_a_file(config):
    hook = smd.Hook.hook_from_config(config)
    assert isinstance(hook, xgb.callback.TrainingCallback)
    train(hook, rounds=7)
    trial = read(hook)
    assert trial.tensor("train-auc").steps() == [0, 2, 4, 6]
    assert trial.tensor("feature_importance/weight/age").steps() == [0, 3, 6]


def test_get_hook_makes_one_if_it_can(config, monkeypatch, tmp_path):
    assert smd.get_hook() is None
    with pytest.raises(SMDebugValueError):
        (tmp_path / "bad.json").write_text('{"HookParameters": {"save_interval": "x"}}')
        smd.get_hook(str(tmp_path / "bad.json"))
    hook = smd.get_hook(config)
    assert smd.get_hook() is hook
    smd.del_hook()
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", config)
    other = smd.get_hook()
    assert other is not hook
    smd.set_hook(hook)
    assert smd.get_hook() is hook
    monkeypatch.setenv("USE_SMDEBUG", "false")
    assert smd.get_hook() is None
    with pytest.raises(SMDebugTypeError):
        smd.set_hook(5)
