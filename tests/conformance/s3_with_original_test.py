"""The original library reads in S3 what our hook saved there, and we read what it saved.

The server is not ours. The original takes its address as boto3 does, from AWS_ENDPOINT_URL.
"""

import dataclasses
import subprocess
import sys
import time
from pathlib import Path

import original_reads_ours_test as reading
import ours_reads_original_test as writing
import pytest
import runs
import snapshot


@pytest.fixture(scope="module")
def s3(runs_server, tmp_path_factory):
    """What points at the server."""
    spool = tmp_path_factory.mktemp("spool")
    return runs_server.environment(WARDEN_S3_SPOOL=str(spool), WARDEN_S3_CACHE="off")


def test_the_original_reads_ours(runs_server, s3, tmp_path, programs, run_original):
    place = "s3://runs/ours"
    command = [programs / "record_dtypes", place, "--original-types-only"]
    subprocess.run(command, env=s3, check=True, timeout=300)
    deadline = time.monotonic() + 300
    while not (runs_server.root / "runs/ours/training_job_end.ts").exists():  # It is sent last.
        assert time.monotonic() < deadline
        time.sleep(0.02)
    run_original("read_with_original.py", place, tmp_path / "seen.json", "2", environment=s3)
    wanted = snapshot.expected(runs.recorded_run(original_types_only=True))
    entries = {key: entry for key, entry in wanted.entries.items() if key[1] < 2}
    wanted = dataclasses.replace(wanted, entries=entries)
    readings = wanted, snapshot.load(tmp_path / "seen.json")
    reading.test_names_steps_and_workers(readings)
    reading.test_values_and_shapes(readings)
    reading.test_reductions(readings)
    reading.test_collections(readings)


def test_we_read_the_originals(s3, tmp_path, run_original):
    place = "s3://runs/original"
    run_original("write_with_original.py", "foreign", place, environment=s3)
    script = Path(__file__).with_name("read_with_original.py")
    # The same script, where smdebug is ours.
    command = [sys.executable, script, place, tmp_path / "seen.json"]
    subprocess.run(command, env=s3, check=True, timeout=300)
    seen, wanted = snapshot.load(tmp_path / "seen.json"), snapshot.expected(runs.foreign_run())
    writing.test_names_steps_and_workers(seen, wanted)
    writing.test_values_and_shapes(seen, wanted)
    writing.test_collections(seen, wanted)
