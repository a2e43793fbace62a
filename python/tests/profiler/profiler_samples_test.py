"""The original's own sample traces, where they are at hand, read as the original reads them."""

import json
import os
from pathlib import Path

import pytest

from smdebug.profiler import LocalAlgorithmMetricsReader, LocalSystemMetricsReader

# They are not ours to copy: beside the project, or where the environment says.
BESIDE = Path(__file__).resolve().parents[4] / "shared" / "golden" / "profiler-original"
FOLDER = Path(os.getenv("WARDEN_SAMPLE_TRACES", str(BESIDE))) / "expected.json"
KEYS = ["duration", "end_time", "event_args", "event_name", "event_phase", "file_type", "node_id"]


@pytest.mark.skipif(not FOLDER.is_file(), reason="WARDEN_SAMPLE_TRACES names no sample traces")
def test_sample_traces():
    for name, want in json.loads(FOLDER.read_text()).items():
        path = str(FOLDER.parent / name)
        reader = LocalAlgorithmMetricsReader(path)
        events = reader.get_events(0, 1 << 62)
        assert [[getattr(e, key) for key in KEYS] for e in events] == [
            [e[key] for key in KEYS] for e in want["framework"]
        ]
        assert [e.pid for e in events] == [e["pid"] for e in want["framework"]]
        assert reader.get_timestamp_of_latest_available_file() == want["framework_latest_us"]
        for event, system in zip(
            LocalSystemMetricsReader(path).get_events(0, 1 << 62), want.get("system", [])
        ):
            assert {key: getattr(event, key) for key in system} == system
