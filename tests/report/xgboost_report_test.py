"""The numbers of the XGBoost report against scikit-learn's, and what it says of odd runs."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from xgboost_runs import predicted, write_run

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
CLOSE = {"rel": 1e-9, "abs": 1e-9}


@pytest.fixture
def report_of(run_program, tmp_path):
    """What the report of a run says, as JSON."""

    def read(run: Path) -> dict[str, Any]:
        out = tmp_path / "out"
        done = run_program("warden", "report", "xgboost", run, "--out", out, "--json")
        page = Path(json.loads(done.stdout)["report"])
        assert page == out / "CreateXgboostReport/xgboost_report.html"
        assert page.read_text().startswith("<!doctype html>")
        return json.loads((page.parent / "xgboost_report.json").read_text())

    return read


def check_classes(found: dict[str, Any], labels: np.ndarray, classes: np.ndarray) -> None:
    """Everything that follows from labels and predicted classes alone."""
    names = sorted(set(labels) | set(classes))
    assert [one["label"] for one in found["classes"]] == names
    assert found["matrix"] == metrics.confusion_matrix(labels, classes).tolist()
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(labels, classes), **CLOSE)
    each = metrics.precision_recall_fscore_support(labels, classes, labels=names, zero_division=0)
    for i, one in enumerate(found["classes"]):
        got = [one[key] for key in ("precision", "recall", "f1", "support")]
        assert got == pytest.approx([column[i] for column in each], **CLOSE)
    for average in ("micro", "macro", "weighted"):
        expected = metrics.precision_recall_fscore_support(
            labels, classes, average=average, zero_division=0
        )
        got = [found[average][key] for key in ("precision", "recall", "f1")]
        assert got == pytest.approx(expected[:3], **CLOSE)


def check_roc(roc: dict[str, Any], positive: np.ndarray, scores: np.ndarray) -> None:
    assert roc["auc"] == pytest.approx(metrics.roc_auc_score(positive, scores), **CLOSE)
    fpr, tpr, thresholds = metrics.roc_curve(positive, scores, drop_intermediate=False)
    best = roc["best"]
    assert best["tpr"] - best["fpr"] == pytest.approx(np.max(tpr - fpr), **CLOSE)
    by_threshold = dict(zip(thresholds[1:], zip(fpr[1:], tpr[1:])))
    assert roc["points"][0] == {
        "threshold": None,
        "true_positives": 0,
        "false_positives": 0,
        "fpr": 0.0,
        "tpr": 0.0,
    }
    for point in roc["points"][1:]:
        got = (point["fpr"], point["tpr"])
        assert got == pytest.approx(by_threshold[point["threshold"]], **CLOSE)
    assert (roc["points"][-1]["fpr"], roc["points"][-1]["tpr"]) == (1, 1)


@pytest.mark.parametrize("seed", range(12))
def test_binary_statistics_are_those_of_sklearn(report_of, tmp_path, seed):
    random = np.random.default_rng(seed)
    rows = int(random.integers(2, 700))
    labels = (random.random(rows) < random.random()).astype(np.float32)
    labels[0], labels[1] = 0, 1
    scores = np.clip(0.3 * labels + random.random(rows) * 0.8, 0, 1).astype(np.float32)
    if seed % 3 == 0:
        scores = np.round(scores, 1)  # Ties.
    found = report_of(
        write_run(tmp_path / "run", predicted(labels, [scores], objective="binary:logistic"))
    )
    assert found["task"] == "binary classification"
    exact = scores.astype(float)
    check_classes(found["classification"], labels, (exact > 0.5).astype(float))
    loss = metrics.log_loss(labels, exact, labels=[0, 1])
    assert found["classification"]["log_loss"] == pytest.approx(loss, **CLOSE)
    check_roc(found["roc"][0], labels == 1, exact)


@pytest.mark.parametrize("seed", range(12))
def test_multiclass_statistics_are_those_of_sklearn(report_of, tmp_path, seed):
    random = np.random.default_rng(100 + seed)
    rows, classes = int(random.integers(20, 400)), int(random.integers(4, 9))
    # Classes that no label has, and classes that are never predicted.
    labels = random.integers(0, classes - seed % 3, rows).astype(np.float32)
    logits = random.normal(size=(rows, classes)) + 2 * np.eye(classes)[labels.astype(int)]
    logits[:, 1] -= 10 * (seed % 2)
    table = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    table = table.astype(np.float32)
    early = random.dirichlet(np.ones(classes), rows).astype(np.float32)
    found = report_of(
        write_run(tmp_path / "run", predicted(labels, [early, table], objective="multi:softprob"))
    )
    assert found["task"] == "multiclass classification"
    exact = table.astype(float)
    check_classes(found["classification"], labels, exact.argmax(axis=1).astype(float))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loss = metrics.log_loss(labels, exact, labels=range(classes))
    assert found["classification"]["log_loss"] == pytest.approx(loss, **CLOSE)
    for label, roc in enumerate(found["roc"]):
        if (labels == label).any():
            check_roc(roc, labels == label, exact[:, label])
        else:
            assert roc["auc"] is None
    over = found["class_accuracy"]
    assert over["steps"] == [0, 5]
    for one in over["classes"]:
        own = labels == one["label"]
        right = [(p.argmax(axis=1)[own] == one["label"]).mean() for p in (early, table)]
        assert one["accuracy"] == pytest.approx(right, **CLOSE)


@pytest.mark.parametrize("seed", range(8))
def test_regression_statistics_are_those_of_sklearn(report_of, tmp_path, seed):
    random = np.random.default_rng(200 + seed)
    rows = int(random.integers(2, 800))
    labels = (random.normal(size=rows) * 10.0 ** random.integers(-3, 6)).astype(np.float32)
    labels += np.float32(1e4 * (seed % 2))
    steps = [(labels * share + random.normal(size=rows)).astype(np.float32) for share in (0.5, 0.9)]
    found = report_of(
        write_run(tmp_path / "run", predicted(labels, steps, objective="reg:squarederror"))
    )
    assert found["task"] == "regression"
    exact, last = labels.astype(float), steps[-1].astype(float)
    left = exact - last
    got = found["residuals"]
    assert got["mean"] == pytest.approx(left.mean(), rel=1e-9, abs=1e-9 * np.abs(left).max())
    expected = {
        "deviation": left.std(),
        "median": np.median(left),
        "min": left.min(),
        "max": left.max(),
        "mean_absolute_error": metrics.mean_absolute_error(exact, last),
        "root_mean_square_error": metrics.mean_squared_error(exact, last, squared=False),
        "r2": metrics.r2_score(exact, last),
    }
    assert {key: got[key] for key in expected} == pytest.approx(expected, rel=1e-9)
    assert sum(got["histogram"]["counts"]) == rows
    bins = found["label_bins"]
    edges = np.array(bins["edges"])
    place = np.clip(np.searchsorted(edges, exact, side="right") - 1, 0, len(edges) - 2)
    assert bins["counts"] == np.bincount(place, minlength=10).tolist()
    for number, errors in enumerate(bins["mean_absolute_error"]):
        for step, error in zip(steps, errors):
            own = np.abs(exact - step.astype(float))[place == number]
            assert error == (pytest.approx(own.mean(), rel=1e-9) if own.size else None)


def test_log_odds_are_turned_into_probabilities(report_of, tmp_path):
    margins = np.array([-2.0, -0.1, 0.1, 3.0, 0.0], np.float32)
    labels = np.array([0, 1, 1, 1, 0], np.float32)
    for name, objective in (("told", "binary:logitraw"), ("guessed", "mine")):
        run = write_run(tmp_path / name, predicted(labels, [margins], objective=objective))
        found = report_of(run)
        probabilities = 1 / (1 + np.exp(-margins.astype(float)))
        check_classes(found["classification"], labels, (margins > 0).astype(float))
        loss = metrics.log_loss(labels, probabilities)
        assert found["classification"]["log_loss"] == pytest.approx(loss, **CLOSE)
        assert found["predictions"] == "margin"
    assert "log-odds" in found["recognised"]


@pytest.mark.parametrize(
    ("objective", "labels", "predictions"),
    [
        ("binary:hinge", [0, 1, 1, 0], [0, 1, 0, 0]),
        ("multi:softmax", [0, 3, 1, 7], [0, 1, 1, 7]),
    ],
)
def test_classes_without_probabilities(report_of, tmp_path, objective, labels, predictions):
    labels, predictions = np.array(labels, np.float32), np.array(predictions, np.float32)
    steps = predicted(labels, [predictions], objective=objective)
    found = report_of(write_run(tmp_path / "run", steps))
    check_classes(found["classification"], labels, predictions)
    assert found["classification"]["log_loss"] is None


def test_one_long_row_of_probabilities_is_folded(report_of, tmp_path):
    table = np.random.default_rng(1).dirichlet(np.ones(3), 40).astype(np.float32)
    labels = np.arange(40, dtype=np.float32) % 3
    steps = predicted(labels, [table.ravel()], objective="multi:softprob", num_class=3)
    found = report_of(write_run(tmp_path / "run", steps))
    check_classes(found["classification"], labels, table.argmax(axis=1).astype(float))


@pytest.mark.parametrize(
    ("metric", "labels", "predictions", "task"),
    [
        ("validation-mlogloss", [0, 1, 2], [[0.1, 0.2, 0.7]] * 3, "multiclass classification"),
        ("validation-logloss", [0, 1, 1], [0.1, 0.2, 0.7], "binary classification"),
        ("validation-poisson-nloglik", [0, 1, 1], [0.1, 0.2, 0.7], "regression"),
        ("validation-ndcg@5", [0, 1, 2], [0.1, 0.2, 0.7], "ranking"),
        ("validation-cox-nloglik", [1, -1, 2], [0.1, 0.2, 0.7], "survival analysis"),
        ("validation-auc", [0, 1, 1], [0.1, 0.2, 0.7], "binary classification"),
        ("validation-auc", [0, 1, 2], [[0.1, 0.2, 0.7]] * 3, "multiclass classification"),
        ("validation-auc", [0, 1, 2], [2.0, 1.0, 0.0], "multiclass classification"),
        ("validation-auc", [0, 1, 2.5], [2.0, 1.0, 0.0], "regression"),
    ],
)
def test_the_task_is_recognised_without_an_objective(
    report_of, tmp_path, metric, labels, predictions, task
):
    steps = predicted(np.array(labels, np.float32), [np.array(predictions, np.float32)])
    steps[0][metric] = np.float64(0.4)
    found = report_of(write_run(tmp_path / "run", steps))
    assert found["task"] == task
    assert found["metrics"][0]["metric"] == metric.split("-", 1)[1]
    if task in ("ranking", "survival analysis"):
        assert found["classification"] is None
        assert found["residuals"] is None


def test_what_is_not_finite_is_left_out(report_of, tmp_path):
    labels = np.array([0, 1, np.nan, 1, 0.5, 0], np.float32)
    scores = np.array([0.1, 0.9, 0.5, np.nan, 0.7, np.inf], np.float32)
    found = report_of(
        write_run(tmp_path / "a", predicted(labels, [scores], objective="binary:logistic"))
    )
    assert found["classification"]["left_out"] == 4
    assert found["classification"]["matrix"] == [[1, 0], [0, 1]]
    assert found["labels"]["not_finite"] == 1
    found = report_of(
        write_run(tmp_path / "b", predicted(labels, [scores], objective="reg:squarederror"))
    )
    assert found["residuals"]["rows"] == 3
    assert found["residuals"]["left_out"] == 3
    nothing = np.full(6, np.nan, np.float32)
    found = report_of(write_run(tmp_path / "c", predicted(labels, [nothing], objective="reg:x")))
    assert found["residuals"] is None
    assert "finite" in found["missing"]["predictions"]


@pytest.mark.parametrize("objective", ["binary:logistic", "multi:softmax", "reg:squarederror"])
def test_labels_that_are_all_the_same(report_of, tmp_path, objective):
    labels, scores = np.ones(5, np.float32), np.full(5, 0.7, np.float32)
    found = report_of(write_run(tmp_path / "run", predicted(labels, [scores], objective=objective)))
    assert found["labels"]["rows"] == 5
    if objective.startswith("reg:"):
        assert found["residuals"]["r2"] == metrics.r2_score(labels, scores)
        assert found["label_bins"]["counts"] == [5]
    else:
        check_classes(found["classification"], labels, np.round(scores))
        assert found["missing"]["roc"] != ""


@pytest.mark.parametrize(
    ("labels", "predictions", "why"),
    [
        (np.zeros(3), np.zeros(4), "3 labels but 4 predictions"),
        (np.array(["a", "b"]), np.zeros(2), "not real numbers"),
    ],
)
def test_predictions_that_do_not_fit_are_explained(report_of, tmp_path, labels, predictions, why):
    steps = predicted(labels, [predictions], objective="binary:logistic")
    found = report_of(write_run(tmp_path / "run", steps))
    assert why in found["missing"]["predictions"]
    assert found["classification"] is None


def test_labels_may_be_saved_once(report_of, tmp_path):
    labels = np.array([0, 1, 1, 0], np.float32)
    steps = predicted(labels, [labels * 0.6, labels * 0.8], objective="binary:logistic")
    del steps[5]["labels"]
    found = report_of(write_run(tmp_path / "run", steps))
    assert found["class_accuracy"]["steps"] == [0, 5]
    assert found["classification"]["accuracy"] == 1


def test_metrics_alone_are_enough(report_of, tmp_path):
    curve = [3.0, 2.0, 1.0, 1.5, float("nan"), 2.0]
    steps = {i: {"validation-rmse": np.float64(value)} for i, value in enumerate(curve)}
    found = report_of(write_run(tmp_path / "run", steps))
    metric = found["metrics"][0]
    assert (metric["best_step"], metric["best"]) == (2, 1.0)
    assert metric["values"] == [3.0, 2.0, 1.0, 1.5, None, 2.0]
    page = (tmp_path / "out/CreateXgboostReport/xgboost_report.html").read_text()
    assert "Stop at step 2" in page
    assert "Save the collections “predictions” and “labels”" in page


def test_the_golden_runs(report_of):
    binary = report_of(GOLDEN / "xgb_binary/trial")
    assert binary["task"] == "binary classification"
    assert binary["hyperparameters"]["objective"] == "binary:logistic"
    sums = [
        sum(value for _, value in features)
        for features in binary["feature_importance"]["kinds"].values()
    ]
    assert sums == pytest.approx([1.0] * 5)
    regression = report_of(GOLDEN / "xgb_regression/trial")
    assert regression["task"] == "regression"
    # The training's own number for the same step and data.
    rmse = next(one for one in regression["metrics"] if one["name"] == "validation-rmse")
    step = regression["residuals"]["step"]
    own = rmse["values"][rmse["steps"].index(step)]
    assert regression["residuals"]["root_mean_square_error"] == pytest.approx(own, rel=1e-5)


def run_warden(programs: Path, *arguments: Any, **options: Any) -> subprocess.CompletedProcess:
    command = [str(part) for part in (programs / "warden", *arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def test_other_runs_are_refused(programs, tmp_path):
    run = GOLDEN / "pt_cnn_mixed/trial"
    done = run_warden(programs, "report", "xgboost", run, "--out", tmp_path)
    assert done.returncode == 1
    assert "not an XGBoost run" in done.stderr
    assert list(tmp_path.iterdir()) == []


def small_run(folder: Path) -> Path:
    return write_run(folder, {i: {"validation-rmse": np.float64(9 - i)} for i in range(6)})


def test_the_rule_writes_the_report_where_records_go(programs, tmp_path):
    run = small_run(tmp_path / "run")
    page = run / "rule-output/CreateXgboostReport/xgboost_report.html"
    done = run_warden(programs, "eval", run, "--rules", "CreateXgboostReport")
    assert done.returncode == 0
    assert not page.exists()
    for command in (["eval", run, "--record"], ["watch", run]):
        done = run_warden(programs, *command, "--rules", "create_xgboost_report")
        assert done.returncode == 0
        assert f"XGBoost    {page}" in done.stdout
        page.unlink()


def test_the_rule_says_why_it_evaluated_nothing(programs):
    run = GOLDEN / "pt_cnn_mixed/trial"
    done = run_warden(programs, "eval", run, "--rules", "CreateXgboostReport", "--json")
    rule = json.loads(done.stdout)["rules"][0]
    assert rule["status"] == "NotEvaluated"
    assert "feature_importance" in rule["reason"]


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from xgboost_report_test import small_run
small_run(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("flags", [[], ["--no-report"], ["--rules", "none"]])
def test_a_launched_training_is_reported(programs, tmp_path, flags):
    run = tmp_path / "run"
    script = [sys.executable, "-c", SCRIPT, run, Path(__file__).parent]
    done = run_warden(programs, "run", "-v", "--out", run, *flags, "--", *script)
    assert done.returncode == 0, done.stderr
    page = run / "rule-output/CreateXgboostReport/xgboost_report.html"
    assert page.exists() == ("--no-report" not in flags)
    assert ("xgboost_report.html" in done.stderr) == page.exists()
    if page.exists():
        assert "data-running" not in page.read_text().split("<main")[0]


def test_of_another_program_nothing_is_said(programs, tmp_path):
    run = tmp_path / "run"
    done = run_warden(programs, "run", "-v", "--out", run, "--", sys.executable, "-c", "pass")
    assert done.returncode == 0
    assert "xgboost_report.html" not in done.stderr
    assert not (run / "rule-output/CreateXgboostReport").exists()
