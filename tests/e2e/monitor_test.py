"""`warden monitor` on this machine: what it writes, our readers and the original's read."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARDEN = Path(os.environ.get("WARDEN", ROOT / "build" / "bin" / "warden")).absolute()
TIMEOUT_S = 300
KEYS = {"Type", "Name", "Dimension", "Value", "NodeId", "Timestamp"}
CORES = sorted(f"cpu{core}" for core in os.sched_getaffinity(0))


def monitor(*arguments, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [WARDEN, "monitor", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        **options,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A second of this machine; more if it is too busy to be looked at three times in it."""
    for seconds in (1, 5, 60):
        folder = tmp_path_factory.mktemp("monitor") / "profiler-output"
        options = ["--duration", seconds, "--interval", 100, "--pid", os.getpid()]
        done = monitor("--out", folder, *options, check=True)
        assert done.stdout == ""
        looks = [line for line in lines_below(folder) if line["Name"] == "MemoryUsedPercent"]
        assert len(looks) <= 10 * seconds + 1  # At most one each 100 ms.
        if len(looks) > 2:
            return folder
    pytest.fail("this machine was not measured")


def lines_below(folder: Path) -> list:
    files = sorted(folder.glob("system/incremental/*/*.algo-1.json"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def test_files_are_finished_and_whole(folder):
    assert (folder / "system/training_job_end.ts").exists()
    assert not list(folder.rglob("*.part"))
    lines = lines_below(folder)
    assert lines
    assert all(set(line) == KEYS for line in lines)
    for file in folder.glob("system/incremental/*/*.json"):
        minute = int(file.name.split(".")[0])
        assert minute % 60 == 0
        assert file.parent.name == time.strftime("%Y%m%d%H", time.gmtime(minute))
        assert file.read_text().endswith("\n")
        for line in file.read_text().splitlines():
            assert minute <= json.loads(line)["Timestamp"] < minute + 60


def test_what_is_measured(folder):
    lines = lines_below(folder)
    seen = {(line["Type"], line["Dimension"], line["Name"]) for line in lines}
    for core in CORES:
        assert ("cpu", "CPUUtilization", core) in seen
        assert ("cpu", "I/OWaitPercentage", core) in seen
    assert ("memory", "", "MemoryUsedPercent") in seen
    assert ("process", "CPUUtilization", "training") in seen
    assert ("load", "", "Load1") in seen
    names = {line["Name"] for line in lines if line["Dimension"] == "CPUUtilization"}
    assert {name for name in names if name.startswith("cpu")} == set(CORES)
    for line in lines:
        if line["Dimension"].endswith(("Utilization", "Percentage", "Percent")):
            assert 0 <= line["Value"] <= 100, line
    memory = [line for line in lines if line["Name"] == "MemoryUsedPercent"]
    stamps = [line["Timestamp"] for line in memory]
    assert stamps == sorted(set(stamps))


def test_this_process_is_measured(folder):
    lines = [line for line in lines_below(folder) if line["Type"] == "process"]
    last = {line["Dimension"]: line["Value"] for line in lines}
    assert last["Processes"] >= 2  # This one and the monitor.
    assert last["ResidentBytes"] > 10_000_000
    assert last["Threads"] >= 2


def as_rows(lines: list) -> list:
    keys = ("Type", "Dimension", "Name", "Value", "NodeId", "Timestamp")
    return sorted([line[key] for key in keys] for line in lines)


def test_the_original_reads_every_line(folder, run_original):
    done = run_original("read_metrics_with_original.py", folder, timeout=TIMEOUT_S)
    assert sorted(json.loads(done.stdout)) == as_rows(lines_below(folder))


def test_our_reader_reads_every_line(folder):
    script = ROOT / "tests" / "conformance" / "read_metrics_with_original.py"
    done = subprocess.run(
        [sys.executable, script, folder],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    assert sorted(json.loads(done.stdout)) == as_rows(lines_below(folder))


def test_json_lines_and_ctrl_c():
    process = subprocess.Popen(
        [WARDEN, "monitor", "--json", "--interval", "50"], stdout=subprocess.PIPE, text=True
    )
    try:
        first = json.loads(process.stdout.readline())
        assert set(first) == KEYS
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=TIMEOUT_S)
    finally:
        process.kill()
    assert process.returncode == 0
    assert all(set(json.loads(line)) == KEYS for line in rest.splitlines())


def lines_in(folder: Path) -> set:
    """Of files that are being written, and of those whose minute is over."""
    found = set()
    for path in [*folder.rglob("*.part"), *folder.rglob("*.json")]:
        with suppress(FileNotFoundError):  # It got its name meanwhile.
            found |= set(path.read_text().splitlines())
    return found


def test_a_killed_monitor_leaves_what_it_has_to_the_next(tmp_path):
    command = [WARDEN, "monitor", "--out", tmp_path, "--interval", "20"]
    process = subprocess.Popen(command)
    deadline = time.monotonic() + TIMEOUT_S
    while len(lines_in(tmp_path)) <= 10:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    process.wait()
    before = lines_in(tmp_path)
    assert len(before) > 10
    monitor("--out", tmp_path, "--interval", 100, "--duration", 0.2, check=True)
    after = {line for path in tmp_path.rglob("*.json") for line in path.read_text().splitlines()}
    assert before <= after
    assert not list(tmp_path.rglob("*.part"))


def test_lines_for_people_where_there_is_no_terminal():
    for seconds in (1.5, 10, 60):  # More if the machine is too busy for a look.
        done = monitor("--duration", seconds, "--interval", 100, check=True)
        if done.stdout:
            break
    assert "cpu" in done.stdout and "memory" in done.stdout and "nan" not in done.stdout


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--interval", "0"], "--interval is '0'; expected milliseconds, an integer from 1 to"),
        (["--interval", "2.5"], "--interval is '2.5'; expected"),
        (["--interval", "soon"], "--interval is 'soon'; expected"),
        (["--duration", "-1"], "--duration is '-1'; expected seconds, 0 or more"),
        (["--pid", "x"], "--pid is 'x'; expected a process ID"),
        (["--pid", "2147483600"], "process 2147483600 does not exist"),
    ],
)
def test_wrong_flags(flags, said):
    done = monitor(*flags, "--duration", 0) if "--duration" not in flags else monitor(*flags)
    assert done.returncode == 2
    assert said in done.stderr


def test_the_reference_of_metrics_is_up_to_date():
    """docs/reference/metrics.md is what the program says of its metrics."""
    made = subprocess.run(
        [ROOT / "tools" / "metric_reference.sh"],
        env=os.environ | {"WARDEN": str(WARDEN)},
        capture_output=True,
        text=True,
        check=True,
        timeout=TIMEOUT_S,
    )
    page = (ROOT / "docs" / "reference" / "metrics.md").read_text()
    assert page == made.stdout, "Make it: tools/metric_reference.sh > docs/reference/metrics.md"
