"""Steps have checksums of their values and names, which the original library does not mind."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import numpy as np
import pytest

from smdebug.core.writer import FileWriter

READ = """
import sys
from smdebug.trials import create_trial
trial = create_trial(sys.argv[1])
print(trial.steps(), trial.tensor("a").value(3).tolist())
"""


@pytest.fixture
def written(run) -> Path:
    run.manifests()
    with FileWriter(str(run.folder), "worker_0", step=3) as writer:
        writer.write_tensor(np.arange(1000, dtype=np.float32), "a")
    run.end()
    return run.folder


def verify(programs: Path, run: Path) -> subprocess.CompletedProcess:
    command = [programs / "warden", "trial", "verify", run]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_the_original_reads_runs_with_checksums(written: Path, run_original):
    (index,) = written.glob("index/*/*.json")
    content = json.loads(index.read_text())
    assert "event_file_crc32c" in content["meta"]
    assert len(content["crc32c"]) == 8
    steps, _, values = run_original(READ, str(written)).partition(" ")
    assert steps == "[3]"
    assert json.loads(values) == list(range(1000))


@pytest.mark.parametrize("files", ["events/*/*.tfevents", "index/*/*.json"])
def test_any_flipped_bit_is_found(written: Path, programs: Path, files: str):
    assert verify(programs, written).returncode == 0
    (file,) = written.glob(files)
    content = file.read_bytes()
    chance = random.Random(1)
    for _ in range(30):
        changed = bytearray(content)
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        file.write_bytes(changed)
        done = verify(programs, written)
        assert done.returncode == 1
        assert str(file) in done.stdout
