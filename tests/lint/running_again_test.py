"""`make test` runs what has failed beside other tests once more, alone."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools/test.py"
SPEC = importlib.util.spec_from_file_location("run_tests", SCRIPT)
run = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(run)

TESTS = """
import pathlib
import pytest

def test_that_is_disturbed_once():
    seen = pathlib.Path(__file__).with_name("seen")
    first = not seen.exists()
    seen.touch()
    assert not first

@pytest.mark.parametrize("number", range({most}))
def test_that_fails(number):
    raise AssertionError("for good")

def test_that_passes():
    pathlib.Path(__file__).with_name("passes").open("a").write("once ")
"""

GTEST = """#!/bin/sh
echo "$@" >>{folder}/calls
case "$@" in *A.Fails:All/P.Odd/1*) echo "[  PASSED  ] 2 tests."; exit 0 ;; esac
echo '[  FAILED  ] A.Fails (0 ms)'
echo '[  FAILED  ] All/P.Odd/1, where GetParam() = 2 (0 ms)'
{end}
exit 1
"""
ENDED = "echo '[==========] 5 tests from 2 test suites ran. (0 ms total)'"


@pytest.fixture(autouse=True)
def place(monkeypatch, tmp_path):
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "BUILD", tmp_path)
    monkeypatch.setattr(run, "LOGS", tmp_path / "logs")


def python_suite(folder: Path, failing: int) -> run.PytestSuite:
    (folder / "some_test.py").write_text(TESTS.format(most=failing))
    log = folder / "logs/some.log"
    return run.PytestSuite("some", Path(sys.executable), ["some_test.py"], log)


def test_a_test_that_was_disturbed_passes_alone(tmp_path, capsys):
    failed = run.run_suites([python_suite(tmp_path, failing=0)], 1)
    assert [suite.name for suite in failed] == ["some"]
    assert run.run_again(failed) == []
    told = capsys.readouterr().out
    assert "failed beside other tests, passed alone: some_test.py::test_that_is_disturbed" in told
    assert (tmp_path / "passes").read_text() == "once "


def test_a_test_that_fails_again_has_failed(tmp_path, capsys):
    failed = run.run_suites([python_suite(tmp_path, failing=1)], 1)
    assert [suite.name for suite in run.run_again(failed)] == ["some"]
    assert "for good" in capsys.readouterr().out


def test_many_failures_are_no_accident(tmp_path):
    failed = run.run_suites([python_suite(tmp_path, failing=run.MOST_AGAIN)], 1)
    assert run.run_again(failed) == failed
    assert not (tmp_path / "logs/some.again.log").exists()


def cpp_suite(folder: Path, end: str) -> run.CppSuite:
    program = folder / "bin/a_test"
    program.parent.mkdir()
    program.write_text(GTEST.format(folder=folder, end=end))
    program.chmod(0o755)
    return run.CppSuite(program, folder / "logs/a_test.log")


def test_cases_of_a_program_run_again(tmp_path):
    failed = run.run_suites([cpp_suite(tmp_path, ENDED)], 1)
    assert run.run_again(failed) == []
    calls = (tmp_path / "calls").read_text().splitlines()
    assert [call.split("--gtest_filter=")[1] for call in calls] == ["*", "A.Fails:All/P.Odd/1"]


@pytest.mark.parametrize("end", ["", f"{ENDED}; echo 'ERROR: LeakSanitizer: detected'"])
def test_a_program_that_crashed_or_leaked_has_failed(tmp_path, end):
    failed = run.run_suites([cpp_suite(tmp_path, end)], 1)
    assert run.run_again(failed) == failed
    assert len((tmp_path / "calls").read_text().splitlines()) == 1
