"""Trainings save to S3 while the server, or they themselves, are killed again and again.

WARDEN_KILLS is how often, 4 by default; WARDEN_KILL_SEED repeats a run. Prints what was hit.
"""

import fcntl
import json
import os
import random
import re
import shutil
import statistics
import struct
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from s3_training import END, Training, contents, steps_in, wait_for_steps
from serving import PATIENCE, PYTHON, SCRIPTS, WARDEN

KILLS = int(os.environ.get("WARDEN_KILLS", "4"))
SCRIPT = "train_to_s3.py"
CHECKSUM = re.compile(rb', "(event_file_)?crc32c": "?[0-9a-f]+"?')
# Writes a line for each socket that a program makes.
TRACE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int socket(int domain, int type, int protocol) {
  int (*make)(int, int, int) = (int (*)(int, int, int))dlsym(RTLD_NEXT, "socket");
  int file = open(getenv("SOCKETS_TRACE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  dprintf(file, "%d %d\n", getpid(), domain);
  close(file);
  return make(domain, type, protocol);
}
"""


@pytest.fixture
def chance(capsys) -> random.Random:
    seed = int(os.environ.get("WARDEN_KILL_SEED", random.SystemRandom().randrange(1_000_000)))
    with capsys.disabled():
        print(f"\ns3_kills_test: seed {seed}, {KILLS} kills")
    return random.Random(seed)


@pytest.fixture
def training(tmp_path):
    made = Training(tmp_path, SCRIPT)
    yield made
    made.close()


@pytest.fixture
def sockets(training, tmp_path) -> Path:
    """A file with a line for each socket that the training, or what it starts, has made."""
    source, library, trace = (tmp_path / name for name in ("trace.c", "trace.so", "sockets"))
    source.write_text(TRACE)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    training.variables |= {"LD_PRELOAD": str(library), "SOCKETS_TRACE": str(trace)}
    return trace


def without_times(files: dict[str, bytes]) -> dict[str, bytes]:
    """The same, but for the time at which each record of an event file was written, and checksums
    of that."""
    masked = {}
    for name, content in files.items():
        copy = bytearray(content)
        at = 0
        while name.endswith(".tfevents") and at < len(copy):
            (length,) = struct.unpack_from("<Q", copy, at)
            assert copy[at + 12 : at + 13] == b"\x09", name  # Field 1, eight bytes.
            copy[at + 13 : at + 21] = bytes(8)
            copy[at + 12 + length : at + 16 + length] = bytes(4)
            at += 16 + length
        if name.startswith("index/"):
            copy = CHECKSUM.sub(b"", copy)
        masked[name] = bytes(copy)
    return masked


def train_locally(folder: Path, steps: int) -> dict[str, bytes]:
    command = [PYTHON, SCRIPTS / SCRIPT, folder, folder / "never", str(steps)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
    return without_times(contents(folder))


def different(some: dict[str, bytes], others: dict[str, bytes]) -> list[str]:
    """Names of files that are not the same, or not in both."""
    return sorted(
        name for name in some.keys() | others.keys() if some.get(name) != others.get(name)
    )


def send_what_is_left(training: Training) -> None:
    """What nobody is sending."""
    done = subprocess.run(
        [WARDEN, "upload"],
        env=training.variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    errors = done.stderr.splitlines()
    assert all("is sending" in line for line in errors), done.stdout + done.stderr


def test_killed_servers_leave_the_run_that_a_folder_would_have(
    training, sockets, tmp_path, chance, capsys
):
    run = training.start()
    for _ in range(KILLS):
        wanted = steps_in(run) + chance.randrange(1, 60)
        wait_for_steps(run, wanted)
        training.server.kill()
        wait_for_steps(run, wanted + chance.choice((0, 0, chance.randrange(100))))
        training.server.start()
    training.finish()
    seconds = json.loads(training.process.stdout.readline())
    training.wait_for_upload()
    saved = without_times(contents(training.bucket))
    assert END in saved
    assert different(saved, train_locally(tmp_path / "local", len(seconds))) == []
    training.warden("trial", "verify", str(training.bucket))
    made = [tuple(map(int, line.split())) for line in sockets.read_text().splitlines()]
    assert made, "the process that sends was not traced"
    # No step can have waited for a server that this process cannot ask.
    assert [each for each in made if each[0] == training.process.pid] == []
    with capsys.disabled():
        middle, most = 1000 * statistics.median(seconds), 1000 * max(seconds)
        print(
            f"s3_kills_test: {KILLS} kills of the server in {len(seconds)} steps; "
            f"a step took {middle:.1f} ms (median), {most:.1f} ms (most)"
        )


def test_what_killed_trainings_have_saved_reaches_the_server(training, tmp_path, chance, capsys):
    saved: dict[str, dict[str, bytes]] = {}
    seen: Counter[str] = Counter()
    for number in range(KILLS):
        name = f"run{number}"
        run = training.start(place=f"s3://runs/{name}")
        wait_for_steps(run, chance.randrange(80))
        if chance.random() < 0.5:
            training.server.kill()
            seen["without a server"] += 1
            wait_for_steps(run, steps_in(run) + chance.randrange(40))
        copy = tmp_path / "killed" / name
        # Another writer, so that the spool is still there to be copied.
        with (run.parent / "writers").open("rb+") as writers:
            fcntl.lockf(writers, fcntl.LOCK_SH)
            if chance.random() < 0.5:
                training.kill_uploader(run.parent)
                seen["with the process that sends"] += 1
            training.process.kill()
            training.process.wait()
            training.process.stdout.close()
            shutil.copytree(run, copy) if run.exists() else copy.mkdir(parents=True)
        saved[name] = contents(copy)
        seen["before the first step"] += steps_in(copy) == 0
        seen["with an unfinished file"] += any(copy.rglob("*.tmp"))
        if chance.random() < 0.5:
            training.server.kill()
            training.server.start()
            # Otherwise the next training does.
            send_what_is_left(training)
            seen["sent by `warden upload`"] += 1
    training.server.kill()
    training.server.start()
    send_what_is_left(training)
    training.wait_for_upload()
    most = max(steps_in(tmp_path / "killed" / name) for name in saved)
    local = train_locally(tmp_path / "local", most + 1)
    for name, files in saved.items():
        assert contents(training.server.root / "runs" / name) == files, name
        # It is the beginning of the same training.
        begun = without_times(files)
        assert different(begun, {each: local[each] for each in begun if each in local}) == [], name
    with capsys.disabled():
        kinds = ", ".join(f"{count} {kind}" for kind, count in seen.items())
        steps = sorted(steps_in(tmp_path / "killed" / name) for name in saved)
        print(f"s3_kills_test: {KILLS} killed trainings: {kinds}; steps saved: {steps}")
