"""`make test ONLY=...` finds the tests that its pattern means."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools/test.py"
SPEC = importlib.util.spec_from_file_location("choose_tests", SCRIPT)
choose = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(choose)
DONE = subprocess.CompletedProcess([], 0)


@pytest.mark.parametrize("part", ["rules", "warden/rules", "warden/rules/"])
def test_a_part(part):
    assert choose.chosen_cpp(part) == {"rules_test": "*"}


def test_a_folder_of_parts():
    assert {"view_series_test", "view_values_test"} <= set(choose.chosen_cpp("view"))


def test_a_file():
    (chosen,) = choose.chosen_cpp("warden/rules/debug/dead_relu_test.cc").items()
    assert chosen[0] == "rules_test"
    assert "DeadReluTest.NeedsTheValues:" in chosen[1]


@pytest.mark.parametrize("name", ["DeadReluTest.NeedsTheValues", "DeadReluTest.*"])
def test_a_name(name):
    assert choose.chosen_cpp(name) == {"rules_test": f"{name}:*/{name}/*"}


def test_a_framework_has_its_environment():
    chosen = choose.pytest("some", ["python/tests/mxnet/mxnet_guide_test.py"])
    assert "venv-mxnet" in chosen.command[0]


@pytest.mark.parametrize(
    ("pattern", "chosen"),
    [
        ("web", []),
        ("web/", []),
        ("web/src/plots", ["src/plots"]),
        ("web/src/base/format.test.ts", ["src/base/format.test.ts"]),
    ],
)
def test_web_tests(monkeypatch, pattern, chosen):
    ran = []
    monkeypatch.setattr(choose.subprocess, "run", lambda command, **_: ran.append(command) or DONE)
    assert choose.run_some(pattern) == 0
    (command,) = ran
    assert command[:3] == ["npm", "--prefix", "web"]
    assert command[command.index("--no-color") + 1 :] == chosen


@pytest.mark.parametrize(
    ("pattern", "chosen"), [("r", []), ("r/tests/testthat/test-runs.R", ["runs"])]
)
def test_r_tests(monkeypatch, pattern, chosen):
    ran = []
    monkeypatch.setattr(choose.subprocess, "run", lambda command, **_: ran.append(command) or DONE)
    assert choose.run_some(pattern) == 0
    assert ran == [[str(ROOT / "tools/r_test.sh"), *chosen]]


def test_nothing_matches():
    done = subprocess.run([sys.executable, SCRIPT, "Nothing.Like"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "nothing matches 'Nothing.Like'; expected a part" in done.stderr
