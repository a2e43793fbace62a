"""A file of a run is shortened while it is read: no reader dies, and each says what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from smdebug.exceptions import SMDebugError
from smdebug.trials import create_trial

COUNT = 1 << 20  # Elements: far more than is read at once, or than a pipe holds.


@pytest.fixture
def large_run(run) -> Path:
    values = np.arange(1, COUNT + 1, dtype=np.float32)
    run.manifests().step(0, {"large": values}).end()
    return run.folder


def event_file(folder: Path) -> Path:
    return next(folder.glob("events/*/*.tfevents"))


def test_a_value_outlives_its_file(large_run: Path):
    value = create_trial(str(large_run)).tensor("large").value(0)
    os.truncate(event_file(large_run), 4096)
    assert value[0] == 1
    assert value[-1] == COUNT


def test_a_file_that_was_shortened_is_an_error(large_run: Path):
    trial = create_trial(str(large_run))
    tensor = trial.tensor("large")
    tensor.value(0)  # Keeps the file open.
    os.truncate(event_file(large_run), 4096)
    with pytest.raises(SMDebugError, match=r"events/.*tfevents.*4096"):
        tensor.value(0)


def test_handlers_of_the_process_stay(large_run: Path):
    """Neither a handler of the user's nor faulthandler's is replaced by reading."""
    script = f"""
import faulthandler, signal, sys
from smdebug.trials import create_trial
assert signal.getsignal(signal.SIGBUS) is signal.SIG_DFL
signal.signal(signal.SIGBUS, lambda *_: sys.exit(7))
create_trial({str(large_run)!r}).tensor("large").value(0)
signal.raise_signal(signal.SIGBUS)
"""
    done = subprocess.run([sys.executable, "-c", script], timeout=300, check=False)
    assert done.returncode == 7


@pytest.mark.parametrize("size", [0, 5000, 4 * COUNT - 100])
def test_the_program_tells_file_and_offset(large_run: Path, programs: Path, size: int):
    command = [programs / "warden", "trial", "export", large_run, "--format", "csv", "--out", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        # It has the tensor in hand, and waits for us to read what it prints of it.
        beginning = process.stdout.readline() + process.stdout.readline()
        os.truncate(event_file(large_run), size)
        _, messages = process.communicate(timeout=300)
    assert beginning.endswith(b",1\n") or b",1.0\n" in beginning, beginning
    assert process.returncode == 1, messages
    assert str(event_file(large_run)).encode() in messages
    assert f"bytes {size} to".encode() in messages


# Event files lose all but a page as soon as they are mapped: before anything of them is read.
SHORTENS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void* map_and_cut(const char* name, void* at, size_t size, int protection, int flags,
                         int file, off_t offset) {
  void* (*map)(void*, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, name);
  void* start = map(at, size, protection, flags, file, offset);
  char link[64], path[4096] = "";
  snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  if (file >= 0 && readlink(link, path, sizeof(path) - 1) > 0 && strstr(path, ".tfevents"))
    if (truncate(path, 4096) != 0) return MAP_FAILED;
  return start;
}

void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  return map_and_cut("mmap", at, size, protection, flags, file, offset);
}

void* mmap64(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  return map_and_cut("mmap64", at, size, protection, flags, file, offset);
}
"""


@pytest.fixture(scope="module")
def shortens(tmp_path_factory) -> Path:
    """A library that shortens event files in whatever program it is loaded into."""
    folder = tmp_path_factory.mktemp("shortens")
    (folder / "shortens.c").write_text(SHORTENS)
    command = ["cc", "-shared", "-fPIC", "-o", folder / "shortens.so", folder / "shortens.c"]
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        pytest.skip("there is no C compiler")
    return folder / "shortens.so"


@pytest.mark.parametrize(
    "words",
    ["trial verify RUN", "trial show RUN large", "eval --rule AllZero:tensor_regex=large RUN"],
)
def test_no_program_dies_of_it(large_run: Path, programs: Path, shortens: Path, words: str):
    whole = event_file(large_run).stat().st_size
    command = [programs / "warden", *words.replace("RUN", str(large_run)).split()]
    environment = {**os.environ, "LD_PRELOAD": str(shortens)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert event_file(large_run).stat().st_size == 4096 < whole, "it was not mapped"
    assert done.returncode > 0, done.stdout + done.stderr
    assert event_file(large_run).name in done.stdout + done.stderr
