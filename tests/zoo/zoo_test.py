"""Every rule finds the fault that it is made for, at its step, and nothing in the healthy twin."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from trainings import ZOO

from support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
WARDEN = ROOT / "build" / "bin" / "warden"
GOLDEN = ROOT / "tests" / "golden"

# Of recorded runs: a rule that must fire on them, and one that must not.
TREES = [
    ("TreeDepth:depth=1", "TreeDepth:depth=10"),
    ("FeatureImportanceOverweight:threshold=0.1", "FeatureImportanceOverweight:threshold=1"),
]


def evaluate(run, rules):
    """What `warden eval` says of each rule, by name."""
    command = [
        WARDEN,
        "eval",
        str(run),
        "--json",
        *(word for r in rules for word in ("--rules", r)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 3), done.stderr
    return {rule["name"]: rule for rule in json.loads(done.stdout)["rules"]}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The folders of both twins of each training, and where each fault begins."""
    folder = tmp_path_factory.mktemp("zoo")
    made = {}
    for name, specimen in ZOO.items():
        for kind in ("healthy", "faulty"):
            torch.manual_seed(0)
            where = folder / name / kind
            made[name, kind] = where, specimen.train(where, kind == "faulty")
    return made


@pytest.mark.parametrize("name", ZOO)
def test_the_fault_is_found_at_its_step(runs, name):
    specimen = ZOO[name]
    run, step = runs[name, "faulty"]
    text = specimen.text.format(other=runs[name, "healthy"][0])
    report = evaluate(run, [text])[specimen.rule]
    assert report["status"] == "IssuesFound", report
    assert min(finding["step"] for finding in report["findings"]) == step, report["findings"][:3]
    assert any(specimen.names in finding["tensor"] for finding in report["findings"])


@pytest.mark.parametrize("name", ZOO)
def test_the_healthy_twin_is_left_alone(runs, name):
    specimen = ZOO[name]
    run, _ = runs[name, "healthy"]
    text = specimen.text.format(other=run)
    report = evaluate(run, [text])[specimen.rule]
    assert report["status"] == "NoIssuesFound", report
    assert report["coverage"]["steps"] > 0
    for rule in evaluate(run, ["default"]).values():
        assert rule["status"] in ("NoIssuesFound", "NotEvaluated"), rule


@pytest.mark.parametrize("fires, passes", TREES)
def test_recorded_trees(fires, passes):
    name = fires.partition(":")[0]
    run = GOLDEN / "xgb_binary" / "trial"
    assert evaluate(run, [fires])[name]["status"] == "IssuesFound"
    assert evaluate(run, [passes])[name]["status"] == "NoIssuesFound"


def train_replicas(folder, kind):
    """Two processes of replicas.py."""
    port = free_port()
    script = Path(__file__).with_name("replicas.py")
    replicas = [
        subprocess.Popen(
            [sys.executable, str(script), str(folder), kind],
            env={**os.environ, "RANK": str(rank), "WORLD_SIZE": "2", "MASTER_PORT": str(port)},
        )
        for rank in (0, 1)
    ]
    for replica in replicas:
        assert replica.wait(300) == 0


def test_replicas_that_part(tmp_path):
    train_replicas(tmp_path / "faulty", "faulty")
    report = evaluate(tmp_path / "faulty", ["ReplicaDesync"])["ReplicaDesync"]
    assert min(finding["step"] for finding in report["findings"]) == 4
    train_replicas(tmp_path / "healthy", "healthy")
    for report in evaluate(tmp_path / "healthy", ["default"]).values():
        assert report["status"] in ("NoIssuesFound", "NotEvaluated"), report
    assert (
        evaluate(tmp_path / "healthy", ["ReplicaDesync"])["ReplicaDesync"]["coverage"]["steps"] > 5
    )


def test_table(runs, capsys):
    """Which rule fires on which training: for reading, and no rule of the default preset may fire
    on a healthy one."""
    rows = []
    for (name, kind), (run, _) in sorted(runs.items()):
        found = {n for n, r in evaluate(run, ["all"]).items() if r["status"] == "IssuesFound"}
        rows.append((f"{name} ({kind})", ", ".join(sorted(found)) or "-"))
    width = max(len(row[0]) for row in rows)
    with capsys.disabled():
        print(f"\n{'training':{width}}  fired, of all rules that need no parameter")
        for row in rows:
            print(f"{row[0]:{width}}  {row[1]}")
