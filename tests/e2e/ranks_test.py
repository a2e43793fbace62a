"""Rules that compare workers, on trainings of 2, 4 and 8 processes."""

import json
import os
import re
import socket
import subprocess
from pathlib import Path

import pytest

from smdebug.trials import create_trial
from support.rank_training import APART_AT, SLEEP, STEPS
from support.ranks import train_ranks

WARDEN = str(Path(os.environ.get("WARDEN", "build/bin/warden")).absolute())
RULES = ["ReplicaDesync", "StragglerRank"]
SIZES = [2, 4, 8]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Runs by size and faults, each trained once."""
    runs = {}

    def train(size: int, *faults: str) -> Path:
        key = (size, *faults)
        if key not in runs:
            runs[key] = tmp_path_factory.mktemp("ranks") / "run"
            train_ranks(runs[key], size, *faults)
        return runs[key]

    return train


def checked(run: Path) -> dict:
    command = [WARDEN, "eval", str(run), "--rules", ",".join(RULES), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return {rule["name"]: rule for rule in json.loads(done.stdout)["rules"]}


def slow_and_apart(size: int) -> tuple[int, int]:
    """Which ranks have a fault; of two replicas that differ, nobody knows which is right."""
    return size - 1, 1 if size == 2 else 0


def faulty(trained, size: int) -> Path:
    slow, apart = slow_and_apart(size)
    return trained(size, f"{slow}:slow", f"{apart}:apart")


@pytest.mark.parametrize("size", SIZES)
def test_a_slow_rank_is_named(trained, size):
    slow, _ = slow_and_apart(size)
    rule = checked(faulty(trained, size))["StragglerRank"]
    assert rule["status"] == "IssuesFound", rule
    assert {finding["worker"] for finding in rule["findings"]} == {f"worker_{slow}"}
    assert rule["findings"][0]["value"] >= SLEEP
    assert rule["findings"][0]["severity"] == "warning"


@pytest.mark.parametrize("size", SIZES)
def test_a_rank_with_other_weights_is_named(trained, size):
    _, apart = slow_and_apart(size)
    rule = checked(faulty(trained, size))["ReplicaDesync"]
    assert rule["status"] == "IssuesFound", rule
    assert {finding["worker"] for finding in rule["findings"]} == {f"worker_{apart}"}
    # What is saved at a step are the weights that it begins with.
    assert min(finding["step"] for finding in rule["findings"]) > APART_AT
    assert {finding["tensor"].split("_", 1)[1] for finding in rule["findings"]} == {"0.weight"}


@pytest.mark.parametrize("size", SIZES)
def test_healthy_ranks_are_silent(trained, size):
    for name, rule in checked(trained(size)).items():
        assert rule["status"] == "NoIssuesFound", (name, rule)


def test_the_report_has_a_row_for_each_rank(trained, tmp_path):
    command = [WARDEN, "report", "profiler", str(faulty(trained, 2)), "--out", str(tmp_path)]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    page = Path(json.loads(done.stdout)["report"]).read_text()
    for chart in ("Step time", "Waiting for other ranks", "Gradient norm"):
        assert f">{chart}</figcaption>" in page, chart
    assert f"worker_1 on {socket.gethostname()} is slower than the others" in page
    rows = re.findall(r"<tr>.*?</tr>", page[page.index("Time by rank") :], re.S)
    names = [re.findall(r"worker_\d(?: \(slow\))?", row) for row in rows[1:3]]
    assert names == [["worker_0"], ["worker_1 (slow)"]]


def test_each_rank_tells_its_times(trained):
    trial = create_trial(str(faulty(trained, 4)))
    assert trial.workers() == [f"worker_{rank}" for rank in range(4)]
    times = {
        name: trial.tensor(f"training/{name}")
        for name in ("step_seconds", "exchange_seconds", "exchange_end")
    }
    for name, tensor in times.items():
        assert len(tensor.steps()) > STEPS / 2, name
    # A step lasts until the next one begins: nobody sleeps in the last one.
    for step in times["exchange_seconds"].steps()[2:-1]:
        at = {
            rank: [
                float(tensor.value(step, worker=f"worker_{rank}")[0]) for tensor in times.values()
            ]
            for rank in (0, 3)
        }
        assert 0 <= at[0][1] <= at[0][0]
        assert at[3][0] - at[3][1] >= SLEEP  # The slow rank works while the others wait.


def test_ranks_of_one_machine_tell_that_they_share_its_clock(trained):
    facts = create_trial(str(faulty(trained, 4))).tensor("training/facts")
    told = [
        json.loads(bytes(facts.value(facts.steps()[-1], worker=f"worker_{rank}")))
        for rank in range(4)
    ]
    assert {one["host"] for one in told} == {socket.gethostname()}
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert {one["boot"] for one in told} == {boot}
