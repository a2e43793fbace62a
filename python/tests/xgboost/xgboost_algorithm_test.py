"""The built-in algorithm: what a job of `warden serve` runs for an XGBoost image without a
script."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import xgboost as xgb
from boosting import features

import smdebug.xgboost as smd
import tensorwarden
from tensorwarden.algorithms.xgboost.callbacks import PrintMetrics
from tensorwarden.algorithms.xgboost.errors import JobError
from tensorwarden.algorithms.xgboost.main import main
from tensorwarden.algorithms.xgboost.parameters import read_parameters
from tensorwarden.algorithms.xgboost.scores import SCORES

X = features(60, 3)
Y = (X[:, 0] > 0.5).astype(int)
SMALL = {"num_round": "3", "max_depth": "2", "nthread": "1", "objective": "binary:logistic"}
METRIC = r"[-+]?\d+\.\d{5}"


class Job:
    """The folders of a job, as the service makes them."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch):
        self.root = root
        self.set_variable = monkeypatch.setenv
        self.config = root / "input/config"
        self.config.mkdir(parents=True)
        self.set_variable("SM_INPUT_CONFIG_DIR", str(self.config))
        self.set_variable("SM_INPUT_DIR", str(root / "input"))
        self.set_variable("SM_MODEL_DIR", str(root / "model"))
        self.set_variable("SM_OUTPUT_DIR", str(root / "output"))

    def write(self, name: str, content: object) -> Path:
        (self.config / name).write_text(json.dumps(content))
        return self.config / name

    def channels(self, **types: str) -> None:
        """Both channels have the same data."""
        self.write("inputdataconfig.json", {n: {"ContentType": t} for n, t in types.items()})
        for name, content_type in types.items():
            folder = self.root / "input/data" / name
            folder.mkdir(parents=True, exist_ok=True)
            if "svm" in content_type:
                (folder / "data.libsvm").write_text(libsvm())
            else:
                np.savetxt(folder / "data.csv", np.column_stack([Y, X]), delimiter=",")

    def train(self, **more: str) -> int:
        self.write("hyperparameters.json", {**SMALL, **more})
        return main()

    def failure(self, **more: str) -> str:
        assert self.train(**more) == 1
        return (self.root / "output/failure").read_text()

    def model(self) -> xgb.Booster:
        model = xgb.Booster()
        model.load_model(str(self.root / "model/xgboost-model"))
        return model


@pytest.fixture
def job(tmp_path, monkeypatch):
    made = Job(tmp_path, monkeypatch)
    made.channels(train="text/csv", validation="text/csv")
    return made


def libsvm() -> str:
    lines = [f"{y} " + " ".join(f"{i}:{v:.9g}" for i, v in enumerate(x)) for x, y in zip(X, Y)]
    return "\n".join(lines) + "\n"


# ---- Training.


def test_trains_a_model_that_xgboost_loads(job, capsys):
    assert job.train(eval_metric="auc,logloss") == 0
    model = job.model()
    assert model.num_boosted_rounds() == 3
    assert ((model.predict(xgb.DMatrix(X)) > 0.5) == Y).mean() > 0.9
    out = capsys.readouterr().out.splitlines()
    assert "train: 60 rows, 3 features; validation: 60 rows, 3 features" in out[0]
    both = f"auc:{METRIC}#011%s-logloss:{METRIC}"
    line = rf"\[\d\]#011train-{both % 'train'}#011validation-{both % 'validation'}"
    assert all(re.fullmatch(line, text) for text in out[1:]), out
    assert [text[:3] for text in out[1:]] == ["[0]", "[1]", "[2]"]
    assert not (job.root / "output/failure").exists()


def test_libsvm_without_a_content_type_or_validation(job, capsys):
    job.channels(train="libsvm")
    job.write("inputdataconfig.json", {"train": {}})
    (job.root / "input/data/train/data.csv").unlink()
    assert job.train(early_stopping_rounds="1") == 0
    out = capsys.readouterr().out
    assert re.search(rf"^\[2\]#011train-\S+:{METRIC}$", out, re.M), out
    assert "early_stopping_rounds has no effect" in out


def test_several_files_and_folders(job):
    folder = job.root / "input/data/train"
    (folder / "more").mkdir()
    (folder / "more/b.csv").write_bytes((folder / "data.csv").read_bytes())
    (folder / ".hidden").write_text("no data")
    assert job.train() == 0
    job.channels(train="libsvm", validation="libsvm")
    (folder / "data.csv").unlink()
    (folder / "more/b.csv").write_text(libsvm())
    (job.root / "input/data/validation/data.csv").unlink()
    assert job.train() == 0


def test_weights_in_the_second_column(job, capsys):
    table = np.column_stack([Y, np.where(Y == 1, 1.0, 0.0), X])
    for name in ("train", "validation"):
        np.savetxt(job.root / f"input/data/{name}/data.csv", table, delimiter=",")
    assert job.train(csv_weights="1") == 0
    assert "60 rows, 3 features" in capsys.readouterr().out
    assert (job.model().predict(xgb.DMatrix(X)) > 0.5).all()  # The other class weighs nothing.


def test_empty_fields_are_missing(job):
    (job.root / "input/data/train/data.csv").write_text("1,,2,3\n0,1,,3\n" * 5)
    assert job.train() == 0


def test_early_stopping_keeps_the_best_model(job, capsys):
    noise = np.random.RandomState(1).randint(0, 2, 60)
    np.savetxt(
        job.root / "input/data/validation/data.csv", np.column_stack([noise, X]), delimiter=","
    )
    assert job.train(num_round="50", early_stopping_rounds="2", eval_metric="logloss") == 0
    rounds = re.findall(rf"^\[\d+\].*validation-logloss:({METRIC})", capsys.readouterr().out, re.M)
    losses = [float(loss) for loss in rounds]
    best = losses.index(min(losses))
    assert len(losses) == best + 3 < 50
    assert job.model().num_boosted_rounds() == best + 1


def test_metrics_that_xgboost_does_not_have(job, capsys):
    job.train(num_round="20", early_stopping_rounds="2", eval_metric="logloss,accuracy,f1")
    out = capsys.readouterr().out
    found = re.findall(
        rf"validation-logloss:{METRIC}#011validation-accuracy:1.00000#011validation-f1:1.00000", out
    )
    assert len(found) < 20, out  # Stops once the score is perfect.
    assert job.model().num_boosted_rounds() < 20
    assert job.train(eval_metric="mse", objective="reg:squarederror") == 0
    out = capsys.readouterr().out
    assert "train-mse:" in out
    assert "rmse" not in out


def test_scores_are_those_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    labels = np.array([0, 1, 1, 1, 0, 1], np.float32)
    shares = np.array([0.1, 0.9, 0.4, 0.8, 0.6, 0.7], np.float32)
    classes = (shares > 0.5).astype(int)
    for name, function in (
        ("accuracy", metrics.accuracy_score),
        ("balanced_accuracy", metrics.balanced_accuracy_score),
        ("f1_binary", metrics.f1_score),
        ("f1", lambda a, b: metrics.f1_score(a, b, average="macro")),
        ("precision", metrics.precision_score),
        ("recall", metrics.recall_score),
    ):
        assert SCORES[name](labels, shares) == pytest.approx(function(labels, classes)), name
    assert SCORES["mse"](labels, shares) == pytest.approx(((labels - shares) ** 2).mean())
    assert SCORES["r2"](labels, shares) == pytest.approx(metrics.r2_score(labels, shares))
    rows = np.eye(3, dtype=np.float32)[[0, 2, 1, 1]]
    assert SCORES["accuracy"](np.array([0, 2, 1, 0]), rows) == 0.75


def test_checkpoints_and_resuming(job, capsys):
    folder = job.root / "checkpoints"
    job.set_variable(
        "CHECKPOINT_CONFIG_FILE_PATH",
        str(job.write("checkpointconfig.json", {"LocalPath": str(folder)})),
    )
    assert job.train(num_round="7") == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"xgboost-checkpoint.{i}" for i in range(2, 7)]
    whole = job.model().predict(xgb.DMatrix(X))
    (folder / "xgboost-checkpoint.6").write_text("cut")
    (folder / "xgboost-checkpoint.5").unlink()
    capsys.readouterr()
    assert job.train(num_round="7") == 0
    out = capsys.readouterr().out
    assert "cannot read xgboost-checkpoint.6" in out
    assert "resuming from the checkpoint of round 4" in out
    assert [line[:3] for line in out.splitlines() if line.startswith("[")] == ["[5]", "[6]"]
    np.testing.assert_allclose(job.model().predict(xgb.DMatrix(X)), whole, rtol=1e-5)
    assert job.train(num_round="7") == 0  # Nothing is left to do.
    assert job.model().num_boosted_rounds() == 7


def test_the_hook_of_the_request(job):
    names = ["metrics", "predictions", "labels", "feature_importance", "hyperparameters", "trees"]
    run = job.root / "output/tensors"
    config = {
        "LocalPath": str(run),
        "CollectionConfigurations": [
            {"CollectionName": name, "CollectionParameters": {"save_interval": "2"}}
            for name in [*names, "full_shap"]
        ],
    }
    job.set_variable("SMDEBUG_CONFIG_FILE_PATH", str(job.write("debughookconfig.json", config)))
    assert job.train(eval_metric="auc") == 0
    smd.get_hook().close()
    trial = smd.create_trial(str(run))
    assert trial.steps() == [0, 2]
    assert trial.tensor("predictions").value(2).shape == (60,)
    np.testing.assert_array_equal(trial.tensor("labels").value(0), Y)
    assert trial.tensor("hyperparameters/num_round").value(0) == 3
    assert trial.tensor("hyperparameters/objective").value(0) == "binary:logistic"
    for name in ("validation-auc", "feature_importance/gain/f0", "trees/Feature", "full_shap/f0"):
        assert trial.has_tensor(name), name


def test_a_stopped_job_saves_its_model(job):
    """As the service runs it: by the file that finds the package."""
    more = {"num_round": "1000000", "save_model_on_termination": "true"}
    job.write("hyperparameters.json", {**SMALL, **more})
    starter = Path(tensorwarden.__file__).parent / "auto/site/_tensorwarden_algorithm.py"
    process = subprocess.Popen(
        [sys.executable, starter, "xgboost"], stdout=subprocess.PIPE, text=True
    )
    for line in process.stdout:
        if line.startswith("[0]"):
            break
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=300)
    assert process.returncode == 0
    assert job.model().num_boosted_rounds() >= 1


def test_a_python_without_xgboost_is_named(job):
    starter = Path(tensorwarden.__file__).parent / "auto/site/_tensorwarden_algorithm.py"
    (job.root / "output").mkdir()
    done = subprocess.run(
        [sys.executable, "-S", "-E", starter, "xgboost"], capture_output=True, text=True
    )
    assert done.returncode == 1
    failure = (job.root / "output/failure").read_text()
    assert f"cannot run with {sys.executable}" in failure
    assert "environments.json" in failure


# ---- What is refused.


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("num_round", "0", "an integer in [1, 1000000]"),
        ("num_round", "1.5", "an integer in [1, 1000000]"),
        ("eta", "2", "a number in [0, 1]"),
        ("eta", "fast", "a number in [0, 1]"),
        ("subsample", "0", "a number in (0, 1]"),
        ("gamma", "-1", "a number of at least 0"),
        ("alpha", "nan", "a number"),
        ("max_depth", "-1", "an integer of at least 0"),
        ("booster", "tree", "one of: gbtree, gblinear, dart"),
        ("objective", "binary:logit", "one of: reg:squarederror"),
        ("eval_metric", "auc,acc", "names separated by commas, of: "),
        ("csv_weights", "2", "0 or 1"),
        ("save_model_on_termination", "yes", "true or false"),
        ("monotone_constraints", "(2)", "-1, 0 or 1 for each feature"),
        ("interaction_constraints", "0,1", "lists of features"),
    ],
)
def test_bad_values_are_named(name, value, expected):
    with pytest.raises(JobError) as error:
        read_parameters({**SMALL, name: value})
    assert f"hyperparameter {name} is '{value}'; expected {expected}" in str(error.value)


def test_unknown_and_missing_hyperparameters_are_named(job):
    failure = job.failure(max_dept="3", zzz="1")
    assert failure.startswith(
        "unknown hyperparameter 'max_dept' (did you mean 'max_depth'?), 'zzz'; expected one of: "
    )
    assert len(failure) < 1024  # What FailureReason has room for.
    with pytest.raises(JobError, match="num_round is missing; expected an integer"):
        read_parameters({})
    with pytest.raises(JobError, match="num_class is missing; objective multi:softmax needs"):
        read_parameters({"num_round": "1", "objective": "multi:softmax"})


def test_forms_of_values():
    given = {
        "num_round": '"5"',  # As JSON.
        "objective": "multi:softprob",
        "num_class": "3",
        "eval_metric": "['mlogloss', 'merror']",
        "lambda": "0.5",
        "monotone_constraints": "1, 0,-1",
        "interaction_constraints": "[[0, 1], [2]]",
    }
    parameters = read_parameters(given)
    assert parameters.num_round == 5
    assert parameters.for_xgboost == {
        "objective": "multi:softprob",
        "num_class": 3,
        "eval_metric": ["mlogloss", "merror"],
        "lambda": 0.5,
        "monotone_constraints": "(1,0,-1)",
        "interaction_constraints": "[[0, 1], [2]]",
    }
    assert read_parameters({"num_round": "1"}).all["objective"] == "reg:squarederror"
    old = read_parameters({"num_round": "1", "objective": "reg:linear"}).for_xgboost
    assert old["objective"] == "reg:squarederror"


@pytest.mark.parametrize(
    "content_type",
    ["csv", "text/csv", "TEXT/CSV; charset=utf-8", "text/csv;label_size=1; charset=UTF8"],
)
def test_content_types_of_csv(job, content_type):
    job.channels(train=content_type)
    assert job.train() == 0


@pytest.mark.parametrize("content_type", ["libsvm", "text/libsvm", "text/x-libsvm; charset=utf-8"])
def test_content_types_of_libsvm(job, content_type):
    for old in job.root.glob("input/data/*/*.csv"):
        old.unlink()
    job.channels(train=content_type)
    assert job.train() == 0


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("application/x-parquet", "unknown content type 'application/x-parquet'; expected one of:"),
        ("text/csv; label_size=0", "label_size is 0; expected 1"),
        ("text/csv; charset=latin1", "charset is latin1; expected utf-8"),
        ("text/csv; header=1", "unknown setting 'header'; expected label_size or charset"),
        ("libsvm", "is not a libsvm file"),
    ],
)
def test_other_content_types_are_refused(job, content_type, expected):
    job.write("inputdataconfig.json", {"train": {"ContentType": content_type}})
    failure = job.failure()
    assert failure.startswith("channel 'train': ")
    assert expected in failure


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("label,age\n1,2\n", "without a header"),
        ("1,2,3\n1,2\n", "columns"),
        ("1\n2\n", "has 1 columns; expected the label and at least one feature"),
        (",2,3\n", "row 1 has no label"),
        ("", "contains no rows"),
    ],
)
def test_bad_tables_are_refused(job, text, expected):
    (job.root / "input/data/train/data.csv").write_text(text)
    failure = job.failure()
    assert failure.startswith("channel 'train'"), failure
    assert expected in failure


def test_missing_data_is_named(job):
    (job.root / "input/data/validation/data.csv").unlink()
    assert job.failure() == "channel 'validation' contains no files"
    job.write("inputdataconfig.json", {"validation": {}})
    assert job.failure().startswith("channel 'train' is missing; expected data as CSV or libsvm")


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, "objective binary:logistic expects labels from 0 to 1"),
        ({"objective": "multi:softmax", "num_class": "3"}, "expects whole numbers from 0 to 2"),
    ],
)
def test_labels_that_do_not_fit_are_refused(job, more, expected):
    np.savetxt(job.root / "input/data/train/data.csv", np.column_stack([Y + 7, X]), delimiter=",")
    failure = job.failure(**more)
    assert re.match(r"channel 'train': the label of row 1 is [78]; objective ", failure), failure
    assert expected in failure


def test_what_xgboost_refuses_is_told_in_its_words(job):
    np.savetxt(job.root / "input/data/train/data.csv", np.column_stack([-Y, X]), delimiter=",")
    failure = job.failure(objective="count:poisson")
    own = rf"XGBoost {re.escape(xgb.__version__)}: .*label must be non-?negative[^\n]*"
    assert re.fullmatch(own, failure), failure
    assert "Stack" not in failure
    assert "regression_obj" not in failure


def test_lines_count_from_the_checkpoint(capsys):
    PrintMetrics(10).after_iteration(None, 2, {"train": {"rmse": [3.0, 2.5, 1 / 3]}})
    assert capsys.readouterr().out == "[12]#011train-rmse:0.33333\n"
