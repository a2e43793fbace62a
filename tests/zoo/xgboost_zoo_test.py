"""Every rule that applies to XGBoost finds the fault that it is made for, at its step, and nothing
in the healthy twin."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).with_name("xgboost")))

from boosted import ZOO

WARDEN = Path(__file__).resolve().parents[2] / "build" / "bin" / "warden"


def evaluate(run, rule):
    """What `warden eval` says of the rules, by name."""
    done = subprocess.run(
        [WARDEN, "eval", str(run), "--json", "--rules", rule],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode in (0, 3), done.stderr
    return {rule["name"]: rule for rule in json.loads(done.stdout)["rules"]}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The folders of both twins of each training, and where each fault begins."""
    folder = tmp_path_factory.mktemp("boosted")
    made = {}
    for name, specimen in ZOO.items():
        for kind in ("healthy", "faulty"):
            where = folder / name / kind
            made[name, kind] = where, specimen.train(where, kind == "faulty")
    return made


@pytest.mark.parametrize("name", ZOO)
def test_the_fault_is_found_at_its_step(runs, name):
    specimen = ZOO[name]
    run, step = runs[name, "faulty"]
    report = evaluate(run, specimen.text.format(other=runs[name, "healthy"][0]))[specimen.rule]
    assert report["status"] == "IssuesFound", report
    assert min(finding["step"] for finding in report["findings"]) == step, report["findings"][:3]
    assert any(specimen.names in finding["tensor"] for finding in report["findings"])


@pytest.mark.parametrize("name", ZOO)
def test_the_healthy_twin_is_left_alone(runs, name):
    specimen = ZOO[name]
    run, _ = runs[name, "healthy"]
    report = evaluate(run, specimen.text.format(other=run))[specimen.rule]
    assert report["status"] == "NoIssuesFound", report
    assert report["coverage"]["steps"] > 0


def test_default_rules_leave_a_healthy_training_alone(runs):
    for name, rule in evaluate(runs["confusion", "healthy"][0], "default").items():
        assert rule["findings"] == [], name
