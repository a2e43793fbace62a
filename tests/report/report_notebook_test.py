"""The notebook of the profiling report, run as a reader would, and the package that it uses."""

from __future__ import annotations

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tensorwarden.report import ProfilerReport


@pytest.fixture(scope="module")
def reports(tmp_path_factory, run_program) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    for kind in ("full", "empty", "hostile"):
        run_program("report_sample", kind, folder / kind)
    return folder


def write_metrics(run: Path, cpu: list[float]) -> None:
    """A profile of one core, with a value for each half second."""
    minute = 1_794_740_400
    folder = run / "profiler-output/system/incremental/2026111511"
    folder.mkdir(parents=True)
    samples = [
        {
            "Type": "cpu",
            "Name": "cpu0",
            "Dimension": "CPUUtilization",
            "Value": value,
            "NodeId": "algo-1",
            "Timestamp": minute + 0.5 * i,
        }
        for i, value in enumerate(cpu)
    ]
    lines = "".join(json.dumps(sample) + "\n" for sample in samples)
    (folder / f"{minute}.algo-1.json").write_text(lines)


@pytest.mark.parametrize("kind", ["full", "empty", "hostile"])
def test_the_notebook_runs(reports, kind):
    folder = reports / kind / "profiler-output"
    notebook = nbformat.read(folder / "profiler-report.ipynb", as_version=4)
    nbformat.validate(notebook)
    resources = {"metadata": {"path": str(folder)}}
    settings = {"timeout": 300, "startup_timeout": 300, "kernel_name": "python3"}
    NotebookClient(notebook, resources=resources, **settings).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    shown = [output.data for output in outputs if "data" in output]
    assert any("<iframe" in data.get("text/html", "") for data in shown)
    drawn = [data for data in shown if "application/vnd.bokehjs_exec.v0+json" in data]
    assert len(drawn) >= (0 if kind == "empty" else 8)


def test_rules_are_sorted_by_triggers(reports):
    rules = ProfilerReport(reports / "full").rules
    assert list(rules.index[:3]) == ["StepOutlier", "LowGPUUtilization", "Dataloader"]
    assert rules.loc["StepOutlier", "triggered"] == 15
    assert rules.loc["Dataloader", "parameters"] == "min_threshold:70, max_threshold:200"


def test_sections_have_the_figures_of_the_page(reports):
    report = ProfilerReport(reports / "full" / "profiler-output")
    job = report.section("job")["value"]
    assert len(job) == 11
    assert job["job_duration_in_seconds"] == 3600
    assert job["training loop (%)"] == pytest.approx(100 * 3200 / 3600)
    assert len(report.section("system")) == 12
    assert report.section("operators-cpu")["operator"][0] == "aten::conv2d"
    assert report.section("operators-cpu")["percent"].sum() == pytest.approx(100)
    assert len(report.section("step-outliers")) == 42
    assert report.section("balance")["distance"].max() == pytest.approx(0.63)


def test_every_section_draws_and_has_a_frame(reports):
    from tensorwarden.report.figures import SECTIONS as DRAWN
    from tensorwarden.report.frames import SECTIONS

    report = ProfilerReport(reports / "full")
    empty = ProfilerReport(reports / "empty")
    for name in SECTIONS:
        assert len(report.section(name)) > 0, name
        assert bool(report.figures(name)) == (name in DRAWN), name
        assert empty.figures(name) == []
        empty.section(name)


def test_unknown_names_are_told(reports):
    report = ProfilerReport(reports / "full")
    with pytest.raises(KeyError, match="StepOutlier"):
        report.details("Nothing")
    with pytest.raises(KeyError, match="gpu-memory"):
        report.section("nothing")
    with pytest.raises(KeyError, match="gpu-memory"):
        report.figures("nothing")


def test_a_folder_without_a_report_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="profiler-reports"):
        ProfilerReport(tmp_path)


def test_a_damaged_file_is_named(tmp_path):
    folder = tmp_path / "profiler-reports"
    folder.mkdir()
    (folder / "BatchSize.json").write_text('{"RuleTriggered": 1')
    with pytest.raises(ValueError, match=r"BatchSize\.json"):
        ProfilerReport(tmp_path)
    (folder / "BatchSize.json").write_text("[]")
    with pytest.raises(ValueError, match=r"BatchSize\.json"):
        ProfilerReport(tmp_path)


def test_the_page_is_shown_apart_from_the_notebook(reports):
    shown = ProfilerReport(reports / "hostile")._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in shown
    assert shown.count("<") == 2  # The frame's own: all of the page is escaped.


def test_a_run_is_evaluated_again(reports, programs, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    write_metrics(tmp_path / "run", [10.0, 20.0, 30.0])
    again = ProfilerReport(reports / "full").write(tmp_path / "run")
    assert again.folder.parent.parent == (tmp_path / "run" / "rule-output").resolve()
    usage = again.section("system").set_index("metric")
    assert usage.loc["CPU", ["max", "p50", "min"]].tolist() == [30, 20, 10]
    assert len(again.rules) == 11
    assert "<iframe" in again._repr_html_()


def test_a_run_without_a_profile_is_told(reports, programs, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(RuntimeError, match="no profile"):
        ProfilerReport(reports / "full").write(tmp_path)


def test_a_program_that_is_not_there_is_told(reports, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="cannot find the program 'warden'"):
        ProfilerReport(reports / "full").write(tmp_path)


def test_details_are_those_of_the_file(reports):
    path = reports / "full/profiler-output/profiler-reports/Dataloader.json"
    expected = json.loads(path.read_text())["Details"]
    assert ProfilerReport(reports / "full").details("Dataloader") == expected
