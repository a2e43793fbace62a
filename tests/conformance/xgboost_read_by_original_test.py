"""What our XGBoost hook saves, the original library reads: the same names, collections and
values."""

import numpy as np
import pytest
import snapshot
import xgboost as xgb

import smdebug.xgboost as smd

NAMES = ["age", "zip code", "in/come", "größe"]


def train(folder):
    """Three classes, with everything that is saved."""
    x = np.random.RandomState(0).rand(60, 4).astype(np.float32)
    matrix = xgb.DMatrix(x, np.arange(60) % 3, feature_names=NAMES)
    hook = smd.Hook(
        out_dir=str(folder),
        save_all=True,
        save_config=smd.SaveConfig(save_interval=2),
        hyperparameters={"eta": 0.3, "depth": 2, "names": ["a", "b"], "flag": True},
        train_data=matrix,
        validation_data=matrix,
    )
    params = {"objective": "multi:softprob", "num_class": 3, "max_depth": 2, "nthread": 1}
    result = {}
    model = xgb.train(
        {**params, "eval_metric": ["mlogloss", "merror"]},
        matrix,
        5,
        evals=[(matrix, "train"), (matrix, "validation_0")],
        callbacks=[hook],
        evals_result=result,
        verbose_eval=False,
    )
    hook.save_scalar("by_hand", 0.5)
    hook.close()
    return model, matrix, result


@pytest.fixture(scope="module")
def readings(tmp_path_factory, run_program, run_original):
    """The model, its data, its metrics, and what the original sees of the run."""
    folder = tmp_path_factory.mktemp("boosted")
    trained = train(folder / "run")
    run_program("warden", "trial", "verify", folder / "run")
    run_original("read_with_original.py", folder / "run", folder / "seen.json")
    return *trained, snapshot.load(folder / "seen.json"), smd.create_trial(str(folder / "run"))


def test_the_same_names_steps_and_values_as_we_read(readings):
    *_, seen, trial = readings
    assert sorted(seen.tensor_steps) == sorted(trial.tensor_names())
    assert seen.steps["GLOBAL"] == trial.steps()
    assert len(seen.entries) > 100
    for (name, step, _), entry in seen.entries.items():
        assert entry.error == "", name
        assert entry.value == snapshot.Value.of(np.asarray(trial.tensor(name).value(step))), name


def test_values_are_those_of_the_training(readings):
    model, matrix, result, seen, _ = readings

    def value(name, step=4):
        return seen.entries[name, step, "worker_0"].value

    assert value("predictions") == snapshot.Value.of(model.predict(matrix))
    assert value("labels", 0) == snapshot.Value.of(matrix.get_label())
    shap = model.predict(matrix, pred_contribs=True)
    assert value("full_shap/größe") == snapshot.Value.of(shap)
    assert value("validation_0-merror", 2).number() == result["validation_0"]["merror"][2]
    scores = model.get_score(importance_type="gain")
    assert value("feature_importance/gain/zip code").number() == pytest.approx(
        scores["zip code"] / sum(scores.values()), rel=1e-12
    )
    assert value("hyperparameters/names").strings == ("a", "b")


def test_collections(readings):
    *_, seen, trial = readings
    assert set(seen.collections) == set(trial.collections())
    assert seen.collections["metrics"] == [
        "train-merror",
        "train-mlogloss",
        "validation_0-merror",
        "validation_0-mlogloss",
    ]
    assert len(seen.collections["trees"]) == 11
