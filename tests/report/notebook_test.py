"""The notebook of the profiling report, run as a reader would, and the package that it uses."""

from __future__ import annotations

import json
import os
import stat
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


@pytest.mark.parametrize("kind", ["full", "empty", "hostile"])
def test_the_notebook_runs(reports, kind):
    folder = reports / kind / "profiler-output"
    notebook = nbformat.read(folder / "profiler-report.ipynb", as_version=4)
    nbformat.validate(notebook)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
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


def test_writing_anew_calls_the_program(reports, tmp_path, monkeypatch):
    program = tmp_path / "warden"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$CALLED"\n')
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CALLED", str(tmp_path / "called"))
    folder = reports / "full"
    again = ProfilerReport(folder).write(tmp_path / "run")
    called = (tmp_path / "called").read_text().split()
    assert called == ["report", "profiler", str(tmp_path / "run"), "--out", str(folder.resolve())]
    assert again.results == ProfilerReport(folder).results


def test_a_program_that_fails_is_told(reports, tmp_path, monkeypatch):
    program = tmp_path / "warden"
    program.write_text('#!/bin/sh\necho "no such run" >&2\nexit 1\n')
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(RuntimeError, match="no such run"):
        ProfilerReport(reports / "full").write(tmp_path / "run")


def test_details_are_those_of_the_file(reports):
    path = reports / "full/profiler-output/profiler-reports/Dataloader.json"
    expected = json.loads(path.read_text())["Details"]
    assert ProfilerReport(reports / "full").details("Dataloader") == expected
