"""Opening runs: where they are, what is missing, and Ctrl-C while waiting."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from smdebug.exceptions import (
    MissingCollectionFiles,
    SMDebugError,
    SMDebugTypeError,
    SMDebugValueError,
)
from smdebug.trials import LocalTrial, S3Trial, Trial, create_trial


def test_names_and_paths(run, monkeypatch):
    run.manifests().step(0, {"a": 1}).end()
    folder = str(run.folder)
    assert create_trial(f"  {folder} ").name == "run"
    assert create_trial(folder + "/").name == ""
    assert create_trial(folder, name="mine").name == "mine"
    assert create_trial(run.folder).steps() == [0]
    assert create_trial("file://" + folder).steps() == [0]
    monkeypatch.setenv("HOME", str(run.folder.parent))
    assert create_trial("~/run").path == folder
    monkeypatch.chdir(run.folder.parent)
    trial = create_trial("run")
    assert isinstance(trial, LocalTrial)
    assert isinstance(trial, Trial)
    monkeypatch.chdir("/")
    assert trial.tensor("a").value(0) == 1  # Going elsewhere does not matter.
    assert create_trial(folder, parallel=False, check=True).steps() == [0]


def test_s3_without_a_server_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    for path in ("s3://bucket/prefix/run", "s3://bucket"):
        with pytest.raises(SMDebugError, match=r"bucket.*127\.0\.0\.1"):
            create_trial(path)
    with pytest.raises(SMDebugError):
        S3Trial("name", "bucket", "prefix")
    with pytest.raises(SMDebugValueError, match="s3://"):
        create_trial("s3://bucket/a//b")
    with pytest.raises(TypeError):
        create_trial("s3://bucket/run", parallel=True)


def test_hostile_paths(tmp_path):
    for path in (None, 3, b"bytes"):
        with pytest.raises((SMDebugTypeError, TypeError)):
            create_trial(path)
    with pytest.raises(SMDebugValueError):
        create_trial("   ")
    with pytest.raises(TypeError):
        create_trial(str(tmp_path), nonsense=1)


def test_a_job_that_ended_without_collections(run):
    run.step(0, {"a": 1}).end()
    with pytest.raises(MissingCollectionFiles):
        create_trial(str(run.folder))


def test_broken_collections(run):
    run.manifests().step(0, {"a": 1}).end()
    for file in run.folder.glob("collections/*/*"):
        file.write_text('{"collections": 3')
    with pytest.raises(MissingCollectionFiles):
        create_trial(str(run.folder))


def test_waits_for_collections(run):
    def write():
        time.sleep(0.3)
        run.manifests(2).step(0, {"a": 1})

    writer = threading.Thread(target=write)
    writer.start()
    trial = create_trial(str(run.folder))
    assert trial.workers() == ["worker_0", "worker_1"]
    writer.join()


@pytest.mark.parametrize(
    "waiting",
    [
        "create_trial('RUN/nowhere')",
        "create_trial('RUN').wait_for_steps([5])",
        "create_trial('RUN').tensor('a').value(0)",  # Its event file is not there yet.
    ],
)
def test_interrupts(run, waiting: str):
    run.manifests().step(0, {"a": 1}, event_file=False)
    code = (
        "from smdebug.trials import create_trial\ntry:\n    print('go', flush=True)\n    "
        + waiting.replace("RUN", str(run.folder))
        + "\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
    )
    # It would wait for days.
    environment = {**os.environ, "SMDEBUG_MISSING_EVENT_FILE_RETRY_LIMIT": "1000000"}
    process = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "go\n"
        time.sleep(0.5)
        assert process.poll() is None
        os.kill(process.pid, signal.SIGINT)
        assert process.communicate(timeout=120)[0].endswith("interrupted\n")
    finally:
        process.kill()


def test_other_threads_go_on_while_one_waits(run):
    run.manifests().step(0, {"a": 1})
    trial = create_trial(str(run.folder))
    waiter = threading.Thread(target=trial.wait_for_steps, args=([1],))
    waiter.start()

    def seconds_of_reading() -> float:
        start = time.monotonic()
        for _ in range(25):
            time.sleep(0.002)
            assert trial.tensor("a").value(0) == 1
            assert trial.steps() == [0]  # Looks for new data, as the one who waits does.
        return time.monotonic() - start

    # The machine may have been busy once, but not each time.
    assert any(seconds_of_reading() < 3 for _ in range(10))
    run.step(1, {"a": 2})
    waiter.join(timeout=120)
    assert not waiter.is_alive()


def test_a_writer_in_another_process(programs: Path, tmp_path):
    steps = 40
    program = programs / "write_forever"
    if not program.exists():
        pytest.skip("the build's programs are not there")
    writer = subprocess.Popen([str(program), str(tmp_path / "run"), "3", str(steps)])
    try:
        trial = create_trial(str(tmp_path / "run"))
        for step in range(steps):
            trial.wait_for_steps([step])
            assert trial.tensor("generation.weight").value(step) == 3
            assert trial.tensor("layer4.weight").value(step).size >= 30_000
    finally:
        writer.wait(timeout=300)
    assert trial.steps() == list(range(steps))
