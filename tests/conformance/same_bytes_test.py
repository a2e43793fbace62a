"""Our hook and the original's writers make the same files of the same content, byte by byte."""

import json
import struct
from pathlib import Path

import pytest
import runs

WALL_TIME_TAG = b"\x09"  # Field 1, eight bytes.


def without_wall_times(events: bytes) -> bytes:
    """The records of an event file without the one thing in them that is never twice the same."""
    masked = bytearray(events)
    at = 0
    while at < len(masked):
        (length,) = struct.unpack_from("<Q", masked, at)
        assert masked[at + 12 : at + 13] == WALL_TIME_TAG
        masked[at + 13 : at + 21] = bytes(8)
        at += 12 + length + 4
    assert at == len(masked)
    return bytes(masked)


def files_of(run: Path) -> dict[str, bytes]:
    files = {}
    for path in sorted(run.rglob("*")):
        if path.is_file():
            body = path.read_bytes()
            name = path.relative_to(run).as_posix()
            files[name] = without_wall_times(body) if name.endswith(".tfevents") else body
    return files


def steps_with_bfloat16(run: runs.Run) -> set[int]:
    return {
        step.step
        for step in run.steps
        if any(runs.dtype_of(array) == "bfloat16" for _, array in step.records)
    }


@pytest.mark.parametrize("which", ["recorded", "recorded-original-types"])
def test_files_are_the_same(which, tmp_path, run_program, run_original):
    original_types_only = which == "recorded-original-types"
    options = ["--original-types-only"] if original_types_only else []
    run_program("record_dtypes", tmp_path / "ours", *options)
    run_program("dump_run", tmp_path / "ours", tmp_path / "ours.json")
    run_original("write_with_original.py", which, tmp_path / "theirs", tmp_path / "ours.json")
    ours, theirs = files_of(tmp_path / "ours"), files_of(tmp_path / "theirs")
    assert list(ours) == list(theirs)
    beyond = steps_with_bfloat16(runs.recorded_run(original_types_only))
    assert len(beyond) == (0 if original_types_only else 3)
    for name, body in theirs.items():
        if any(f"{step:012}_worker_0" in name for step in beyond):
            continue
        if name.endswith(".json"):
            assert json.loads(ours[name]) == json.loads(body), name
        assert ours[name] == body, name
