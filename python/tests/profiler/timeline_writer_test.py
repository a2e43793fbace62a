"""Timelines as they are written, and Horovod's taken over."""

import json
import time

import pytest

from smdebug.core.tfevent.timeline_file_writer import TimelineFileWriter, TimelineRecord
from smdebug.exceptions import SMDebugTypeError
from smdebug.profiler.algorithm_metrics_reader import LocalAlgorithmMetricsReader
from smdebug.profiler.hvd_trace_file_rotation import HvdTraceFileRotation
from smdebug.profiler.profiler_constants import HOROVODTIMELINE_SUFFIX

NOW = 1794705514.25


def files(parser):
    from pathlib import Path

    return sorted(Path(parser.config.local_path).glob("framework/pevents/*/*.json"))


def temporary(parser):
    from pathlib import Path

    return list(Path(parser.config.local_path).glob("framework/*.tmp"))


def test_a_file_in_full(enabled):
    writer = TimelineFileWriter(enabled)
    writer._update_base_start_time(1794705514000000)
    writer.write_trace_events(NOW, "Step:ModeKeys.TRAIN", "step", duration=0.02, step_num="0")
    writer.write_trace_events(NOW + 1, "Forward", "net", duration=0.01)
    writer.write_trace_events(NOW + 2, "Forward", "mark", phase="i", s="g", k=1)
    writer.flush()
    assert len(temporary(enabled)) == 1
    writer.close()
    (path,) = files(enabled)
    assert path.name.startswith("1794705516250000_")
    assert path.name.endswith("_pythontimeline.json")
    assert path.parent.name == "2026111501"
    assert temporary(enabled) == []
    assert path.read_text().splitlines() == [
        "[",
        '{"name": "process_name", "ph": "M", "pid": 0, '
        '"args": {"start_time_since_epoch_in_micros": 1794705514000000}},',
        '{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},',
        '{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}},',
        '{"name": "process_sort_index", "ph": "M", "pid": 1, "args": {"sort_index": 1}},',
        '{"name": "step", "pid": 1, "ph": "X", "ts": 250000, "dur": 20000, '
        '"args": {"step_num": "0"}},',
        '{"name": "process_name", "ph": "M", "pid": 2, "args": {"name": "Forward"}},',
        '{"name": "process_sort_index", "ph": "M", "pid": 2, "args": {"sort_index": 2}},',
        '{"name": "net", "pid": 2, "ph": "X", "ts": 1250000, "dur": 10000},',
        '{"name": "mark", "pid": 2, "ph": "i", "ts": 2250000, "s": "g", "args": {"k": 1}}',
        "]",
    ]


@pytest.mark.parametrize("limit", ["RotateMaxFileSizeInBytes", "RotateFileCloseIntervalInSeconds"])
def test_rotation(configure, tmp_path, limit):
    number = 300 if limit == "RotateMaxFileSizeInBytes" else 1
    parser = configure({"ProfilingParameters": {"LocalPath": str(tmp_path), limit: number}})
    writer = TimelineFileWriter(parser)
    start = time.time()
    for i in range(4):
        writer.write_trace_events(start + 10 * i, "P", f"op{i}", duration=0.02)
    writer.close()
    assert len(files(parser)) > 1
    events = LocalAlgorithmMetricsReader(str(tmp_path)).get_events(0, 1 << 62)
    assert [e.event_name for e in events] == ["op0", "op1", "op2", "op3"]
    assert {e.event_phase for e in events} == {"P"}
    for path in files(parser):
        # The numbers of phases stay the same, and each file names its base time and its phases.
        names = [e["args"] for e in json.loads(path.read_text()) if e["name"] == "process_name"]
        assert "start_time_since_epoch_in_micros" in names[0]
        assert names[1:] == [{"name": "P"}]


def test_switching_off_and_on(enabled, configure):
    text = configure.path.read_text()
    writer = TimelineFileWriter(enabled, max_queue=2)
    writer.write_trace_events(NOW, "P", "seen")
    writer.flush()
    configure.path.unlink()
    enabled.load_config()
    for _ in range(20):
        writer.write_event(TimelineRecord(NOW, 0, "P", operator_name="unseen"))
    writer.flush()
    configure.path.write_text(text)
    enabled.load_config()
    for _ in range(20):
        writer.write_trace_events(NOW + 1, "P", "seen again")
    writer.close()
    (path,) = files(enabled)
    names = {e["name"] for e in json.loads(path.read_text()) if e["ph"] == "X"}
    assert names == {"seen", "seen again"}
    assert writer.dropped == 0


def test_switched_off_at_the_end_leaves_a_temporary_file(enabled, configure):
    writer = TimelineFileWriter(enabled)
    writer.write_trace_events(NOW, "P", "op")
    writer.flush()
    configure.path.unlink()
    enabled.load_config()
    writer.close()
    assert files(enabled) == []
    assert len(temporary(enabled)) == 1


def test_another_folder_from_the_next_file_on(enabled, configure, tmp_path):
    writer = TimelineFileWriter(enabled)
    writer.write_trace_events(NOW, "P", "op")
    writer.flush()
    first = files(enabled)
    assert first == []
    other = {"ProfilingParameters": {"LocalPath": str(tmp_path / "other")}}
    configure.path.write_text(json.dumps(other))
    enabled.load_config()
    writer.close()
    assert len(list((tmp_path / "out").glob("framework/pevents/*/*.json"))) == 1
    assert files(enabled) == []


def test_a_folder_that_cannot_be_written(configure, tmp_path):
    (tmp_path / "file").write_text("")
    parameters = {"LocalPath": str(tmp_path / "file"), "FileOpenFailThreshold": 2}
    writer = TimelineFileWriter(configure({"ProfilingParameters": parameters}))
    for _ in range(5):
        writer.write_trace_events(NOW, "P", "op")
    writer.flush()
    assert not writer.healthy
    writer.close()


def test_wrong_events_are_refused(enabled):
    writer = TimelineFileWriter(enabled)
    with pytest.raises(SMDebugTypeError, match="TimelineRecord"):
        writer.write_event({"name": "x"})
    writer.close()
    writer.close()
    writer.write_trace_events(NOW, "P", "too late")
    assert files(enabled) == []


def test_horovod(enabled, monkeypatch, tmp_path):
    timeline = tmp_path / "horovod.json"
    monkeypatch.setenv("HOROVOD_TIMELINE", str(timeline))
    monkeypatch.setattr("tensorwarden.profiler.recording.horovod.POLL_S", 0.05)
    began, base = time.time(), time.monotonic() * 1e6
    lines = [
        {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Allreduce_x"}},
        {"name": "NEGOTIATE", "ph": "B", "pid": 1, "ts": base},
        {"name": "", "ph": "E", "pid": 1, "ts": base + 40},
        {"name": "CYCLE_START", "ph": "i", "ts": base + 50, "s": "g"},
        {"name": "orphan", "ph": "X", "pid": 9, "ts": base + 60, "dur": 5},
    ]
    timeline.write_text("[\n" + json.dumps(lines[0]) + ",\nnonsense\n" + json.dumps(lines[1])[:9])
    rotation = HvdTraceFileRotation(enabled)
    time.sleep(0.2)
    with timeline.open("a") as file:
        file.write(json.dumps(lines[1])[9:] + ",\n")
        file.write(",\n".join(json.dumps(line) for line in lines[2:]))
    rotation.close()
    rotation.close()
    (path,) = files(enabled)
    assert path.name.endswith(HOROVODTIMELINE_SUFFIX)
    events = json.loads(path.read_text())
    assert [e["s"] for e in events if e["ph"] == "i"] == ["g"]
    spans = LocalAlgorithmMetricsReader(enabled.config.local_path).get_events(0, 1 << 62)
    assert [(e.event_name, e.event_phase, e.duration) for e in spans] == [
        ("NEGOTIATE", "Allreduce_x", 40),
        ("orphan", "Unknown", 5),
    ]
    assert abs(spans[0].start_time / 1e6 - began) < 60


def test_no_horovod_without_a_file(enabled, monkeypatch):
    monkeypatch.delenv("HOROVOD_TIMELINE", raising=False)
    rotation = HvdTraceFileRotation(enabled)
    assert not rotation.enabled
    rotation.close()
