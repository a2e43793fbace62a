"""The notebook of the XGBoost report, run as a reader would, and the package that it uses."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from xgboost_runs import BINARY, MULTICLASS, REGRESSION, train, write_run

from tensorwarden.report import XgboostReport

# The sections that a notebook draws.
DRAWN = {
    "binary": ["labels", "loss", "importance", "confusion", "class-accuracy", "roc"],
    "multiclass": ["labels", "loss", "importance", "confusion", "class-accuracy", "roc"],
    "regression": ["labels", "loss", "importance", "residuals", "bins"],
    "bare": ["loss"],
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory, run_program) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    train(folder / "binary", BINARY, 20)
    train(folder / "multiclass", MULTICLASS, 10)
    train(folder / "regression", REGRESSION, 20)
    write_run(folder / "bare", {0: {"train-rmse": np.float64(1)}})
    for kind in DRAWN:
        run_program("warden", "report", "xgboost", folder / kind)
    return folder


@pytest.mark.parametrize("kind", ["binary", "regression", "bare"])
def test_the_notebook_runs(runs, kind):
    folder = runs / kind / "rule-output/CreateXgboostReport"
    notebook = nbformat.read(folder / "xgboost_report.ipynb", as_version=4)
    nbformat.validate(notebook)
    resources = {"metadata": {"path": str(folder)}}
    settings = {"timeout": 300, "startup_timeout": 300, "kernel_name": "python3"}
    NotebookClient(notebook, resources=resources, **settings).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    shown = [output.data for output in outputs if "data" in output]
    assert any("<iframe" in data.get("text/html", "") for data in shown)
    drawn = [data for data in shown if "application/vnd.bokehjs_exec.v0+json" in data]
    assert len(drawn) == len(DRAWN[kind])


def test_sections_have_the_figures_of_the_report(runs):
    from tensorwarden.report.xgboost_frames import SECTIONS

    for kind, drawn in DRAWN.items():
        report = XgboostReport(runs / kind)
        for name in SECTIONS:
            assert bool(report.figures(name)) == (name in drawn), (kind, name)
            assert name not in drawn or len(report.section(name)) > 0, (kind, name)
    report = XgboostReport(runs / "binary/rule-output")
    assert report.task == "binary classification"
    assert report.section("confusion").to_numpy().sum() == 500
    accuracy = report.section("evaluation").loc["micro", "f1"]
    assert accuracy == np.trace(report.section("confusion").to_numpy()) / 500
    assert list(report.section("loss").columns) == [
        "train-auc",
        "train-logloss",
        "validation-auc",
        "validation-logloss",
    ]
    assert report.section("job").loc["hyperparameters/objective", "value"] == "binary:logistic"
    assert report.section("importance")["gain"].is_monotonic_decreasing
    bins = XgboostReport(runs / "regression").section("bins")
    assert bins.shape == (4, 10)


def test_unknown_names_are_told(runs):
    report = XgboostReport(runs / "binary")
    with pytest.raises(KeyError, match="class-accuracy"):
        report.section("nothing")
    with pytest.raises(KeyError, match="class-accuracy"):
        report.figures("nothing")


def test_a_folder_without_a_report_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="CreateXgboostReport"):
        XgboostReport(tmp_path)


@pytest.mark.parametrize("text", ['{"task": ', "[]"])
def test_a_damaged_file_is_named(tmp_path, text):
    (tmp_path / "xgboost_report.json").write_text(text)
    with pytest.raises(ValueError, match=r"xgboost_report\.json"):
        XgboostReport(tmp_path)


def test_an_empty_report_has_empty_sections(tmp_path):
    from tensorwarden.report.xgboost_frames import SECTIONS

    (tmp_path / "xgboost_report.json").write_text("{}")
    report = XgboostReport(tmp_path)
    for name in SECTIONS:
        assert report.figures(name) == []
        if name != "job":
            assert len(report.section(name)) == 0
    assert "no such file" in report._repr_html_()


def test_a_run_is_read_anew(runs, programs, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    run = write_run(tmp_path / "run", {3: {"validation-mae": np.float64(2.5)}})
    again = XgboostReport(runs / "binary").write(run)
    assert again.folder == (run / "rule-output/CreateXgboostReport").resolve()
    assert again.section("loss").loc[3, "validation-mae"] == 2.5
    with pytest.raises(RuntimeError, match="nothing"):
        again.write(tmp_path / "nothing")
