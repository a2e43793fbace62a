"""A training process that is killed leaves a run that is whole up to its last step, and the next
one in the same folder takes over from it. A full disk ends the recording, not the training."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

ROUNDS = 200
BATCH = 10  # Runs that are checked together.
LONGEST_S = 0.06  # From the first file to the kill, on a machine that has nothing else to do.
FEW_STEPS = 5  # That many it writes in this time, at least.


def start(program: Path, run: Path, generation: int) -> subprocess.Popen:
    command = [program, run, generation]
    return subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"SMDEBUG_LOG_LEVEL": "error"},
    )


def wait_for_first_file(process: subprocess.Popen, run: Path) -> None:
    deadline = time.monotonic() + 120
    while not run.exists() and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.0005)


def time_of_few_steps(program: Path, run: Path) -> float:
    """How long it takes from the first file to some steps, as busy as the machine is now."""
    process = start(program, run, 0)
    wait_for_first_file(process, run)
    begin = time.monotonic()
    while len(list(run.glob("index/*/*.json"))) < FEW_STEPS:
        assert time.monotonic() < begin + 120 and process.poll() is None
        time.sleep(0.0005)
    process.kill()
    process.communicate(timeout=120)
    took = time.monotonic() - begin
    shutil.rmtree(run)
    return took


def kill_at_random(
    program: Path, run: Path, generation: int, moment: random.Random, longest_s: float
) -> None:
    process = start(program, run, generation)
    # A tenth of them may die before they have begun.
    if moment.random() > 0.1:
        wait_for_first_file(process, run)
    time.sleep(moment.uniform(0, longest_s))
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGKILL)
    _, errors = process.communicate(timeout=120)
    assert errors == ""


def check(folders: list[Path], run_program) -> list[dict]:
    lines = run_program("check_run", *folders, timeout=300).stdout.splitlines()
    assert len(lines) == len(folders)
    return [json.loads(line) for line in lines]


def check_report(report: dict, generation: int) -> None:
    assert report["faults"] == []
    assert not report["ended"]
    # Steps are written from the first on.
    steps, written = report["steps"], report["generations"]
    assert written == sorted(written, reverse=True)
    # A step that was being replaced may be gone: the old one is, the new one is not yet named.
    missing = set(range(max(steps, default=-1) + 1)) - set(steps)
    assert len(missing) <= generation
    unnamed = {f"{step:012}_worker_0.tfevents" for step in missing}
    assert {Path(file).name for file, _ in report["damage"]} <= unnamed


class Tally:
    """How the rounds went, for people to see that the kills hit where it hurts."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.seen: Counter[str] = Counter()

    def add(self, run: Path, report: dict, generation: int) -> None:
        self.steps.append(sum(g == generation for g in report["generations"]))
        self.seen["before the first step"] += self.steps[-1] == 0
        self.seen["in a folder used before"] += generation > 0
        self.seen["with an unfinished file"] += any(run.rglob("*.tmp"))
        mixed = len(set(report["generations"])) > 1
        self.seen["while replacing older steps"] += mixed
        self.seen["with a step that was being replaced gone"] += len(report["steps"]) <= max(
            report["steps"], default=-1
        )

    def __str__(self) -> str:
        steps = sorted(self.steps)
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.seen.items())
        return (
            f"{len(steps)} kills: {kinds}; "
            f"steps written: median {steps[len(steps) // 2]}, most {steps[-1]}"
        )


def test_killed_at_any_moment(tmp_path, programs, run_program, capsys):
    seed = int(os.environ.get("WARDEN_KILL_SEED", random.SystemRandom().randrange(1_000_000)))
    with capsys.disabled():
        print(f"\nkill_test: seed {seed}")
    moment = random.Random(seed)
    tally = Tally()
    used: list[tuple[Path, int]] = []  # Folders of the batch before, with who wrote there last.
    for first in range(0, ROUNDS, BATCH):
        batch = [(tmp_path / f"run{first + i}", 0) for i in range(BATCH - len(used))]
        batch += [(folder, generation + 1) for folder, generation in used]
        program = programs / "write_forever"
        longest_s = max(LONGEST_S, time_of_few_steps(program, tmp_path / f"timed{first}"))
        for folder, generation in batch:
            kill_at_random(program, folder, generation, moment, longest_s)
        reports = check([folder for folder, _ in batch], run_program)
        for (folder, generation), report in zip(batch, reports, strict=True):
            check_report(report, generation)
            tally.add(folder, report, generation)
        moment.shuffle(batch)
        used, done = batch[: BATCH // 2], batch[BATCH // 2 :]
        for folder, _ in done:
            shutil.rmtree(folder, ignore_errors=True)
    with capsys.disabled():
        print(f"kill_test: {tally}")
    # Else the kills missed what they are for.
    assert tally.seen["with an unfinished file"] > 0
    assert tally.seen["while replacing older steps"] > 0
    assert tally.seen["before the first step"] < 0.9 * ROUNDS


def test_full_disk_ends_the_recording_but_not_the_training(tmp_path, run_program):
    # Steps 3, 11, 19 ... have a file that is larger than this.
    done = run_program("write_forever", tmp_path / "run", 0, 200, 1 << 20)
    assert done.stdout.startswith("trained 200 steps; cannot write ")
    assert done.stdout.count("\n") == 1
    assert done.stderr.count("Capture disabled: ") == 1, done.stderr
    (report,) = check([tmp_path / "run"], run_program)
    assert report["faults"] == report["damage"] == []
    assert report["steps"] == [0, 1, 2]
    assert report["ended"]
    assert list((tmp_path / "run").rglob("*.tmp")) == []


def test_no_room_for_anything(tmp_path, run_program):
    done = run_program("write_forever", tmp_path / "run", 0, 200, 0)
    assert done.stdout.startswith("trained 200 steps; ")
    assert done.stderr.count("\n") == 1, done.stderr
