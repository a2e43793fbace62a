"""Scripts that train with XGBoost and know nothing of us, under `warden run`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from launched import WARDEN, Run
from tensorboard.backend.event_processing.event_multiplexer import EventMultiplexer

ROOT = Path(__file__).resolve().parents[2]
# The distribution's XGBoost, and the current one.
PYTHONS = [sys.executable, str(ROOT / "build/venv-xgboost/bin/python")]
QUIET = ["--rules", "none", "--profile", "off"]

HEAD = """
import numpy as np
import xgboost as xgb

x = np.random.RandomState(0).rand(60, 4).astype(np.float32)
y = (x[:, 0] > 0.5).astype(int)
d = xgb.DMatrix(x, y)
"""
TRAIN = (
    HEAD
    + """
model = xgb.train({"objective": "binary:logistic", "max_depth": 2, "nthread": 1, "seed": None},
                  d, 12, evals=[(d, "train"), (d, "test")])
print(model.predict(d)[:3])
"""
)
METRICS = {"train-logloss", "test-logloss"}


def run_quietly(folder, script, python=sys.executable, options=(), **env):
    """A run in which nothing of ours is said."""
    run = Run(folder, script, options=[*QUIET, *options], before=[python], **env)
    assert run.errors == run.plain_errors
    return run


def collections(run):
    names = {tensor: set(t["collections"]) for tensor, t in run.tensors().items()}
    return set().union(*names.values())


@pytest.mark.parametrize("python", PYTHONS, ids=["distribution", "current"])
def test_a_training(tmp_path, python):
    run = run_quietly(tmp_path, TRAIN, python)
    tensors = run.tensors()
    assert set(tensors) >= METRICS
    assert run.steps("test-logloss") == {"GLOBAL": 12}
    assert run.steps("predictions") == run.steps("labels") == {"GLOBAL": 3}
    assert run.steps("feature_importance/weight/f0") == {"GLOBAL": 3}
    assert run.steps("trees/Gain") == {"GLOBAL": 3}
    assert run.steps("hyperparameters/max_depth") == {"GLOBAL": 1}
    assert run.steps("hyperparameters/num_boost_round") == {"GLOBAL": 1}
    assert "hyperparameters/seed" not in tensors
    assert (run.folder / "training_job_end.ts").exists()


@pytest.mark.parametrize("python", PYTHONS, ids=["distribution", "current"])
def test_the_wrappers_of_scikit_learn(tmp_path, python):
    script = HEAD + (
        "model = xgb.XGBClassifier(n_estimators=4, max_depth=2, n_jobs=1)\n"
        "model.fit(x, y, eval_set=[(x, y)], verbose=False)\n"
        "print(model.predict(x)[:5], model.get_params()['callbacks'])\n"
    )
    run = run_quietly(tmp_path, script, python)
    assert run.steps("validation_0-logloss") == {"GLOBAL": 4}
    assert run.steps("labels") == {"GLOBAL": 1}
    assert "hyperparameters/objective" in run.tensors()


def test_a_training_without_evaluation(tmp_path):
    run = run_quietly(tmp_path, HEAD + "xgb.train({'nthread': 1}, d, 6)\n")
    assert collections(run) == {"feature_importance", "trees", "hyperparameters"}


def test_options(tmp_path):
    run = run_quietly(tmp_path, TRAIN, options=["--save-interval", "4"])
    assert run.steps("test-logloss") == {"GLOBAL": 12}
    assert run.steps("predictions") == {"GLOBAL": 3}
    assert run.steps("trees/Gain") == {"GLOBAL": 3}


def test_what_a_rule_needs_is_saved_often_enough(tmp_path):
    options = ["--profile", "off", "--rules", "CreateXgboostReport,TreeDepth"]
    run = Run(tmp_path, TRAIN, options=options)
    assert run.steps("feature_importance/weight/f0") == run.steps("labels") == {"GLOBAL": 3}
    assert run.steps("trees/Gain") == {"GLOBAL": 3}
    assert run.steps("hyperparameters/max_depth") == {"GLOBAL": 1}
    assert (run.folder / "rule-output/CreateXgboostReport/xgboost_report.html").exists()


def test_a_model_that_is_trained_further_and_others(tmp_path):
    """The run is that of the first model; another one beside it would look like a jump."""
    script = HEAD + (
        "params = {'nthread': 1}\n"
        "model = None\n"
        "for i in range(3):\n"
        "    model = xgb.train(params, d, 2, evals=[(d, 'train')], xgb_model=model)\n"
        "xgb.train(params, d, 5, evals=[(d, 'other')])\n"
        "print(xgb.cv(params, d, 2, as_pandas=False))\n"
    )
    run = run_quietly(tmp_path, script)
    assert run.steps("train-rmse") == {"GLOBAL": 6}
    assert "other-rmse" not in run.tensors()


def test_a_script_with_a_hook_of_its_own_keeps_it(tmp_path):
    script = HEAD + (
        "import smdebug.xgboost as smd\n"
        "hook = smd.Hook(out_dir='mine', save_config=smd.SaveConfig(save_interval=1))\n"
        "xgb.train({'nthread': 1}, d, 3, evals=[(d, 'train')], callbacks=[hook])\n"
        "hook.close()\n"
        "import os\n"
        "os.rename('mine', 'second' if os.path.exists('first') else 'first')\n"
    )
    run = run_quietly(tmp_path, script)
    assert not (run.folder / "events").exists()
    assert (tmp_path / "second" / "events").exists()


def test_a_script_that_only_predicts(tmp_path):
    script = HEAD + (
        "import os\n"
        "if not os.path.exists('model.json'):\n"
        "    xgb.train({'nthread': 1}, d, 3).save_model('model.json')\n"
        "print(xgb.Booster(model_file='model.json').predict(d)[:3])\n"
    )
    run = run_quietly(tmp_path, script)
    assert not (run.folder / "events").exists()
    assert not (run.folder / "collections").exists()


def test_a_training_that_fails_fails_as_it_would(tmp_path):
    script = HEAD + (
        "class Mine(xgb.callback.TrainingCallback):\n"
        "    def before_iteration(self, model, epoch, evals_log):\n"
        "        assert epoch < 3, 'of the script'\n"
        "        return False\n"
        "xgb.train({'nthread': 1}, d, 9, evals=[(d, 'train')], callbacks=[Mine()])\n"
    )
    run = run_quietly(tmp_path, script)
    assert run.done.returncode == 1 and "of the script" in run.errors
    assert run.steps("train-rmse") == {"GLOBAL": 3}


def test_a_search_for_parameters(tmp_path):
    script = HEAD + (
        "from sklearn.model_selection import GridSearchCV\n"
        "model = xgb.XGBClassifier(n_estimators=3, n_jobs=1)\n"
        "search = GridSearchCV(model, {'max_depth': [1, 2]}, cv=2).fit(x, y)\n"
        "print(search.best_params_)\n"
    )
    run = run_quietly(tmp_path, script)
    assert run.steps("trees/Gain") == {"GLOBAL": 1}


@pytest.mark.parametrize("python", PYTHONS, ids=["distribution", "current"])
def test_rounds_are_steps_of_the_timeline(tmp_path, python):
    run = Run(tmp_path, TRAIN, options=["--rules", "none", "--no-report"], before=[python])
    files = list((run.folder / "profiler-output" / "framework").rglob("*.json*"))
    text = "".join(path.read_text() for path in files if path.suffix.startswith(".json"))
    assert text.count("Step:ModeKeys.GLOBAL") >= 12


def test_tensorboard(tmp_path):
    run = run_quietly(tmp_path, TRAIN, options=["--tensorboard"])
    board = EventMultiplexer().AddRunsFromDirectory(str(run.folder / "tensorboard"))
    board.Reload()
    scalars = {}
    histograms = set()
    for name in board.Runs():
        accumulator = board.GetAccumulator(name)
        histograms |= set(accumulator.Tags()["histograms"])
        for tag in accumulator.Tags()["scalars"]:
            scalars[tag] = [event.step for event in accumulator.Scalars(tag)]
    (loss,) = (steps for tag, steps in scalars.items() if tag.endswith("test-logloss"))
    assert loss == list(range(12))
    assert any(tag.endswith("predictions") for tag in histograms)


def test_the_example(tmp_path):
    script = (ROOT / "examples/xgboost/train.py").read_text()
    run = Run(tmp_path, script, options=QUIET, OMP_NUM_THREADS="1")
    assert run.steps("validation-auc") == {"GLOBAL": 30}
    listed = subprocess.run(
        [WARDEN, "eval", str(run.folder), "--rules", "TreeDepth", "--json"], capture_output=True
    )
    (rule,) = json.loads(listed.stdout)["rules"]
    assert rule["status"] == "NoIssuesFound"
