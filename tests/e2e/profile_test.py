"""Profiling under `warden run`, with faults that this machine can really have."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARDEN = ROOT / "build" / "bin" / "warden"
REPORTS = {
    "BatchSize",
    "CPUBottleneck",
    "Dataloader",
    "GPUMemoryIncrease",
    "IOBottleneck",
    "LoadBalancing",
    "LowGPUUtilization",
    "MaxInitializationTime",
    "OverallFrameworkMetrics",
    "OverallSystemUsage",
    "StepOutlier",
}

TRAINING = """
import sys, time, torch
from torch import nn
torch.manual_seed(0)
torch.set_num_threads(1)

class Data(torch.utils.data.Dataset):
    def __len__(self): return {length}
    def __getitem__(self, index):
        time.sleep({load})
        return torch.randn(8), torch.tensor(index % 4)

def main():
    time.sleep({before})
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss_of = nn.CrossEntropyLoss()
    loader = torch.utils.data.DataLoader(Data(), batch_size=4, num_workers={workers})
    step = 0
    for epoch in range({epochs}):
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss_of(model(inputs), labels).backward()
            optimizer.step()
            time.sleep({slow} if step % 40 == 39 else {step})
            step += 1

if __name__ == "__main__":
    main()
"""
HEALTHY = {
    "length": 40,
    "load": 0,
    "before": 0,
    "workers": 0,
    "epochs": 10,
    "slow": 0.01,
    "step": 0.01,
}


@pytest.fixture
def environment(tmp_path):
    """Jobs of other tests are not ours, nor is a configuration that somebody has set."""
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    ours = {k: v for k, v in os.environ.items() if not k.startswith("SM")}
    return {**ours, "XDG_RUNTIME_DIR": str(runtime)}


def warden_run(tmp_path, environment, *flags, **training):
    """Trains under watch. The run's folder and what `warden run` said at the end."""
    script = tmp_path / "train.py"
    script.write_text(textwrap.dedent(TRAINING).format(**{**HEALTHY, **training}))
    return watch(tmp_path, environment, [sys.executable, str(script)], *flags)


def watch(tmp_path, environment, command, *flags):
    run, events = tmp_path / "run", tmp_path / "events.jsonl"
    words = [WARDEN, "run", "--out", run, "--events", events, *flags, "--", *command]
    done = subprocess.run(
        [str(word) for word in words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return run, json.loads(events.read_text().splitlines()[-1])


def rules_of(end):
    return {rule["name"]: rule for rule in end["rules"]}


def test_a_training_leaves_a_profile_and_a_report(tmp_path, environment):
    run, end = warden_run(tmp_path, environment)
    metrics = list((run / "profiler-output/system/incremental").rglob("*.algo-1.json"))
    assert metrics and not list(run.rglob("*.part"))
    lines = [json.loads(line) for file in metrics for line in file.read_text().splitlines()]
    assert {line["Dimension"] for line in lines} >= {"CPUUtilization", "I/OWaitPercentage"}
    assert (run / "profiler-output/system/training_job_end.ts").exists()
    spans = [
        event
        for file in (run / "profiler-output/framework/pevents").rglob("*_pythontimeline.json")
        for event in json.loads(file.read_text())
        if event["ph"] == "X"
    ]
    steps = [span for span in spans if span["name"] == "Step:ModeKeys.TRAIN"]
    assert len(steps) == 100, len(steps)
    page = Path(end["report"])
    assert page.name == "profiler-report.html" and page.stat().st_size > 10_000
    assert page.parent.parent.name.startswith("ProfilerReport-")
    assert json.loads((page.parent / "profiler-report.ipynb").read_text())["nbformat"] == 4
    reports = {
        file.stem: json.loads(file.read_text())
        for file in (page.parent / "profiler-reports").iterdir()
    }
    assert set(reports) == REPORTS
    framework = reports["OverallFrameworkMetrics"]["Details"]
    assert {"Forward", "Backward", "Optimizer", "DataLoaderIter"} <= set(framework["phase_time"])
    assert framework["steps"]["TRAIN"]["count"] == 100
    assert reports["OverallSystemUsage"]["Details"]["CPU"]["algo-1"]["max"] > 0


def test_any_program_is_profiled(tmp_path, environment):
    _, end = watch(tmp_path, environment, ["sleep", "3"])
    assert "profiler-report.html" in end["report"]


@pytest.mark.parametrize("depth", ["off", "system"])
def test_less_can_be_asked_for(tmp_path, environment, depth):
    run, end = warden_run(tmp_path, environment, "--profile", depth)
    assert not list(run.rglob("*pythontimeline*"))
    assert bool(list(run.rglob("*.algo-1.json"))) == (depth == "system")
    assert bool(end["report"]) == (depth == "system")


def test_in_full_operators_and_functions_are_there(tmp_path, environment):
    run, end = warden_run(tmp_path, environment, "--profile", "full")
    reports = Path(end["report"]).parent / "profiler-reports"
    framework = json.loads((reports / "OverallFrameworkMetrics.json").read_text())["Details"]
    assert any(name.startswith("aten::") for name in framework["CPU_total"]), framework
    segments = list((run / "profiler-output/framework/pytorch/cprofile").rglob("python_stats"))
    assert len(segments) >= 4, segments


def test_bad_values_are_refused_before_anything_starts(tmp_path):
    for flags, said in (
        (["--profile-interval", "0"], "expected 1 to 60000"),
        (["--profile-config", "absent.json"], "absent.json"),
    ):
        command = [str(WARDEN), "run", "--out", str(tmp_path / "run"), *flags, "--", "true"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 2 and said in done.stderr, done.stderr


# ---- Faults that are real.


def evaluated(tmp_path, environment, rule, flags=(), **training):
    _, end = warden_run(
        tmp_path, environment, "--profile-interval", "100", "--rules", rule, *flags, **training
    )
    return rules_of(end)[rule.partition(":")[0]]


def test_initialisation_that_takes_long(tmp_path, environment):
    report = evaluated(tmp_path, environment, "MaxInitializationTime:threshold=0.03", before=2)
    assert report["status"] == "IssuesFound", report


def test_initialisation_that_does_not(tmp_path, environment):
    report = evaluated(tmp_path, environment, "MaxInitializationTime:threshold=5")
    assert report["status"] == "NoIssuesFound", report


def longest_step(run):
    """In seconds."""
    return max(
        event["dur"] / 1e6
        for file in (run / "profiler-output/framework/pevents").rglob("*_pythontimeline.json")
        for event in json.loads(file.read_text())
        if event["name"] == "Step:ModeKeys.TRAIN" and event["ph"] == "X"
    )


def test_steps_that_stall(tmp_path, environment):
    for attempt in range(5):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        report = evaluated(folder, environment, "StepOutlier", slow=0.3, epochs=50)
        # Where the machine itself stalled for seconds, all others are short.
        if report["status"] == "IssuesFound" or longest_step(folder / "run") < 1:
            break
    assert report["status"] == "IssuesFound", report


def test_steps_that_do_not(tmp_path, environment):
    report = evaluated(tmp_path, environment, "StepOutlier:stddev=20")
    assert report["status"] == "NoIssuesFound", report


def test_too_many_loaders(tmp_path, environment):
    workers = 4 * os.cpu_count()
    report = evaluated(
        tmp_path,
        environment,
        "Dataloader",
        workers=workers,
        length=workers * 16 * 4,
        load=0.2,
        epochs=1,
    )
    assert report["status"] == "IssuesFound", report


def test_as_many_loaders_as_cores(tmp_path, environment):
    workers = os.cpu_count()
    report = evaluated(
        tmp_path,
        environment,
        "Dataloader",
        workers=workers,
        length=workers * 20 * 4,
        load=0.2,
        epochs=1,
    )
    assert report["status"] == "NoIssuesFound", report


CPU_RULE = "CPUBottleneck:gpu=none;patience=10;gpu_threshold=20"


def test_others_that_take_the_cpu(tmp_path, environment):
    """The training waits while others compute."""
    hogs = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(2 * os.cpu_count())
    ]
    try:
        report = evaluated(tmp_path, environment, CPU_RULE, step=0.2, slow=0.2, epochs=3)
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
    assert report["status"] == "IssuesFound", report


class BusyCpu:
    """How much of a block's time all processors were busy, whoever used them."""

    def __enter__(self) -> "BusyCpu":
        self._samples: list[bool] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        before = self._times()
        while not self._over.wait(0.25):
            now = self._times()
            idle, total = (then - first for first, then in zip(before, now))
            self._samples.append(idle < 0.15 * total)
            before = now

    @staticmethod
    def _times() -> tuple[int, int]:
        times = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
        return times[3] + times[4], sum(times)  # Idle, also while the disk works, and all.

    def share(self) -> float:
        return sum(self._samples) / max(1, len(self._samples))


def test_a_cpu_that_is_there_for_the_training(tmp_path, environment):
    with BusyCpu() as busy:
        report = evaluated(tmp_path, environment, CPU_RULE, step=0.05, slow=0.05, epochs=3)
    # Other programs, such as other tests, may really take it.
    assert report["status"] == "NoIssuesFound" or busy.share() > 0.4, (report, busy.share())


# Writes and waits for the disk, over and over.
WRITER = """
import os, sys, threading
def work(number):
    file = os.open(f"{sys.argv[1]}/{number}", os.O_WRONLY | os.O_CREAT)
    block = os.urandom(1 << 20)
    while True:
        for _ in range(32):
            os.write(file, block)
        os.fsync(file)
        os.lseek(file, 0, 0)
for number in range(2 * os.cpu_count()):
    threading.Thread(target=work, args=(number,)).start()
"""
IO_RULE = "IOBottleneck:gpu=none;patience=5;io_threshold=20;gpu_threshold=30"


def io_wait_ticks():
    """What the machine has waited for disks and done in all, since it started."""
    times = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    return int(times[4]), sum(map(int, times))


def test_a_disk_that_is_waited_for(tmp_path, environment):
    folder = ROOT / "build" / f"disk-{os.getpid()}"
    folder.mkdir(parents=True)
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(folder)])
    waited, passed = io_wait_ticks()
    try:
        report = evaluated(tmp_path, environment, IO_RULE, step=0.1, slow=0.1, epochs=8)
    finally:
        writer.kill()
        writer.wait()
        shutil.rmtree(folder)
    later = io_wait_ticks()
    share = (later[0] - waited) / max(later[1] - passed, 1)
    if share < 0.4:
        pytest.skip(f"this machine hardly waits for its disk: {share:.0%} of the time")
    assert report["status"] == "IssuesFound", report


def test_a_disk_that_is_not(tmp_path, environment):
    waited, passed = io_wait_ticks()
    report = evaluated(tmp_path, environment, IO_RULE, step=0.05, slow=0.05, epochs=3)
    later = io_wait_ticks()
    share = (later[0] - waited) / max(later[1] - passed, 1)
    # Other programs, such as other tests, may really wait for it.
    assert report["status"] == "NoIssuesFound" or share > 0.1, (report, share)
