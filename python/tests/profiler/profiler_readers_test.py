"""Readers of system metrics and timelines give what the original gives."""

import json
import logging
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from smdebug.profiler import (
    HorovodProfilerEvents,
    LocalAlgorithmMetricsReader,
    LocalSystemMetricsReader,
    S3AlgorithmMetricsReader,
    S3SystemMetricsReader,
    SMProfilerEvents,
    TensorboardProfilerEvents,
)
from smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
from smdebug.profiler.system_profiler_file_parser import ProfilerSystemEvents
from smdebug.profiler.utils import TimeUnits

ALL = 1 << 62


def system_rows(events):
    return [[e.type, e.name, e.dimension, e.value, e.node_id, e.timestamp] for e in events]


def framework_rows(events):
    return [
        [
            *(e.event_name, e.event_phase, e.start_time, e.end_time, e.duration, e.phase_pid),
            *(e.pid, e.node_id, e.file_type, e.event_args),
        ]
        for e in events
    ]


@pytest.fixture(params=["local", "s3"])
def readers(request, run):
    if request.param == "local":
        return LocalSystemMetricsReader(run), LocalAlgorithmMetricsReader(run)
    path = request.getfixturevalue("upload")(run, "job/profiler-output")
    return S3SystemMetricsReader(path), S3AlgorithmMetricsReader(path)


def test_what_the_original_reads(readers, expected):
    system, framework = readers
    want = expected["run"]
    assert system_rows(system.get_events(0, ALL)) == want["system_all"]
    some = system.get_events(1767268801000000, 1767268801500000)
    assert system_rows(some) == want["system_second"]
    assert system_rows(system.get_events(0, ALL, event_type="gpu")) == want["system_gpu"]
    seconds = system.get_events(1767268801, 1767268801.5, unit=TimeUnits.SECONDS)
    assert system_rows(seconds) == want["system_second"]
    assert framework_rows(framework.get_events(0, ALL)) == want["framework_all"]
    some = framework.get_events(1794705514575004, 1794705514581369)
    assert framework_rows(some) == want["framework_some"]
    assert framework_rows(framework.get_events_by_step(2, 4)) == want["framework_steps"]
    for reader, span in ((system, "system_span"), (framework, "framework_span")):
        first = reader.get_timestamp_of_first_available_file()
        latest = reader.get_timestamp_of_latest_available_file()
        assert [first, latest] == want[span]
        assert list(reader.get_current_time_range_for_event_query()) == want[span]


def test_unknown_steps_give_nothing(readers):
    assert readers[1].get_events_by_step(2, 999) == []


def test_suffix_filter(run):
    reader = LocalAlgorithmMetricsReader(run)
    assert len(reader.get_events(0, ALL, file_suffix_filter=["pythontimeline.json"])) == 96
    assert reader.get_events(0, ALL, file_suffix_filter=["model_timeline.json"]) == []


def test_event_type_is_for_system_metrics_only(run):
    with pytest.raises(TypeError, match="event_type is 'cpu'"):
        LocalAlgorithmMetricsReader(run).get_events(0, ALL, event_type="cpu")


@pytest.mark.parametrize("cache", [False, True])
def test_asking_twice_gives_the_same(run, cache):
    reader = LocalAlgorithmMetricsReader(run, use_in_memory_cache=cache)
    first = framework_rows(reader.get_events(0, ALL))
    assert framework_rows(reader.get_events(0, ALL)) == first
    kept = sum(len(parser.get_all_events()) for parser in reader.get_all_event_parsers())
    assert kept == (96 if cache else 0)


def test_thread_numbers_are_the_same_in_every_process(run):
    tids = {e.tid for e in LocalAlgorithmMetricsReader(run).get_events(0, ALL)}
    assert len(tids) == 4
    assert all(0 <= tid < 1 << 63 for tid in tids)
    assert min(tids) == 1328621196093676902


def test_a_growing_run_is_followed(run, tmp_path):
    shutil.copytree(f"{run}/system", tmp_path / "system")
    reader = LocalSystemMetricsReader(str(tmp_path))
    assert len(reader.get_events(0, ALL)) == 260
    line = {"Type": "cpu", "Name": "cpu0", "Dimension": "CPUUtilization", "Value": 1}
    line.update(NodeId="algo-1", Timestamp=1767268920.5)
    late = tmp_path / "system/incremental/2026010112/1767268920.algo-1.json"
    # The last line is still being written.
    late.write_text(json.dumps(line) + "\n" + json.dumps(line)[:30])
    assert reader.get_timestamp_of_latest_available_file() == 1767268920000000
    assert len(reader.get_events(0, ALL)) == 261


def test_what_is_being_written_is_read(run, tmp_path):
    shutil.copytree(run, tmp_path / "run")
    hour = tmp_path / "run/system/incremental/2026010112"
    (hour / "1767268860.algo-1.json").rename(hour / "1767268860.algo-1.part")
    (path,) = (tmp_path / "run/framework/pevents/2026111501").iterdir()
    # The writer's last event has no end yet.
    text = path.read_text().rstrip("]\n") + ',\n{"name": "half'
    path.unlink()
    (tmp_path / "run/framework/8616-vm_pythontimeline.json.tmp").write_text(text)
    system = LocalSystemMetricsReader(str(tmp_path / "run"))
    framework = LocalAlgorithmMetricsReader(str(tmp_path / "run"))
    assert len(system.get_events(0, ALL)) == len(system.get_columns(0, ALL)) == 260
    assert len(framework.get_events(0, ALL)) == len(framework.get_columns(0, ALL)) == 96
    assert len(framework.get_events_by_step(2, 4)) == 12


def test_arguments_that_are_none(run, tmp_path):
    hour = tmp_path / "framework/pevents/2026111501"
    hour.mkdir(parents=True)
    deep = b'{"x": ' + b"[" * 5000 + b"]" * 5000 + b"}"
    odd = [b'{"step_num": "1"}', b'{"a": "\xff"}', b'{"big": ' + b"9" * 5000 + b"}", deep, b"7"]
    events = [
        b'{"name": "%d", "ph": "X", "pid": 1, "ts": %d, "dur": 1, "args": %s}' % (i, i, args)
        for i, args in enumerate(odd)
    ]
    (hour / "5_1-vm_pythontimeline.json").write_bytes(b"[\n" + b",\n".join(events) + b"\n]")
    found = LocalAlgorithmMetricsReader(str(tmp_path)).get_events(0, ALL)
    by_name = {event.event_name: event.event_args for event in found}
    assert by_name["0"] == {"step_num": "1"}
    assert by_name.get("1", {"a": "\ufffd"}) == {"a": "\ufffd"}
    assert len(PandasFrame(str(tmp_path)).get_all_framework_metrics()) == len(found)


def test_time_buffer_from_the_environment(run, monkeypatch):
    monkeypatch.setenv("TIME_BUFFER_MICROSECONDS", "0")
    monkeypatch.setenv("TRAILING_DURATION_MICROSECONDS", "rubbish")
    reader = LocalSystemMetricsReader(run)
    assert len(reader.get_events(1767268800000000, 1767268800000000)) == 26


@pytest.mark.parametrize("cache", [False, True])
def test_what_is_broken_is_left_out(run, tmp_path, caplog, cache):
    shutil.copytree(run, tmp_path / "run")
    system = tmp_path / "run/system/incremental/2026010112"
    line = {"Type": "cpu", "Dimension": "", "Value": 1, "NodeId": "algo-1", "Timestamp": 1767268930}
    good = json.dumps(line) + "\n"
    (system / "1767268930.algo-1.json").write_text('{"Type": "cpu"\n{"Type": "cpu"}\n' + good)
    (system / "unrelated.json").write_text("x")
    events = tmp_path / "run/framework/pevents/2026111501"
    (events / "1794705514700000_1-vm_pythontimeline.json").write_text("[{")
    (tmp_path / "run/framework/python_stats.json").write_text("{}")
    logger = logging.getLogger("smdebug")
    logger.propagate = True
    try:
        system = LocalSystemMetricsReader(str(tmp_path / "run"), use_in_memory_cache=cache)
        assert len(system.get_events(0, ALL)) == 261
        framework = LocalAlgorithmMetricsReader(str(tmp_path / "run"), use_in_memory_cache=cache)
        assert len(framework.get_events(0, ALL)) == 96
    finally:
        logger.propagate = False
    told = [r.getMessage() for r in caplog.records if r.levelname == "ERROR"]
    assert "skipped 2 invalid lines" in told[0] and "1767268930.algo-1.json" in told[0]
    assert "1794705514700000_1-vm_pythontimeline.json" in told[1]
    assert framework.get_timestamp_of_first_available_file() == 1794705514619539


def test_a_run_without_data(tmp_path):
    reader = LocalSystemMetricsReader(str(tmp_path))
    assert reader.get_events(0, ALL) == []
    assert reader.get_timestamp_of_first_available_file() == 0
    assert reader.get_timestamp_of_latest_available_file() == 0


def test_s3_listings_lag_the_newest_file(upload, run, s3):
    path = upload(run, "lag")
    reader = S3SystemMetricsReader(path)
    body = b'{"Type": "cpu", "Dimension": "", "Value": 1, "NodeId": "algo-1", "Timestamp": %d}\n'
    for minute in (1767269400, 1767269100, 1767268500):
        key = f"lag/system/incremental/2026010112/{minute}.algo-1.json"
        s3.put_object(Bucket="bucket", Key=key, Body=body % minute)
        reader.refresh_event_file_list()
    # The second came late, but within five minutes of the newest; the third came far too late.
    found = {e.timestamp for e in reader.get_events(0, ALL) if e.name is None}
    assert found == {1767269400, 1767269100}


def test_an_s3_reader_wants_an_s3_path(run):
    with pytest.raises(ValueError, match=f"s3_trial_path is '{run}'"):
        S3SystemMetricsReader(run)


def test_begin_and_end_events():
    parser = HorovodProfilerEvents()
    parser.read_events_from_json_data(
        [
            {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Allreduce"}},
            {"ph": "E", "pid": 1, "ts": 1},
            {"ph": "B", "pid": 1, "ts": 5, "name": "outer"},
            {"ph": "B", "pid": 1, "ts": 6, "name": "inner"},
            {"ph": "E", "pid": 1, "ts": 8, "tid": 3, "args": {"a": 1}},
            {"ph": "E", "pid": 1, "ts": 9},
            {"ph": "E", "pid": 1, "ts": 10},
            {"ph": "B", "pid": 1, "ts": 12, "name": "backwards"},
            {"ph": "E", "pid": 1, "ts": 11},
            {"ph": "i", "ts": 3},
            {"ts": 4},
            {"ph": "X", "pid": 7, "ts": "text", "dur": 1},
            {"ph": "X", "pid": 7, "ts": 20, "dur": 1, "name": "anonymous"},
        ],
        "12-algo-3",
    )
    spans = [
        (e.event_name, e.start_time, e.duration, e.event_args) for e in parser.get_all_events()
    ]
    assert spans == [
        ("inner", 6, 2, {"a": 1}),
        ("outer", 5, 4, None),
        ("anonymous", 20, 1, None),
    ]
    assert {e.node_id for e in parser.get_all_events()} == {"algo-3-12"}
    assert parser.get_all_events()[-1].event_phase == "Unknown"
    assert parser.get_events_start_time_sorted()[0].event_name == "outer"
    assert parser.get_events_end_time_sorted()[0].event_name == "inner"
    epoch = datetime(1970, 1, 1)
    assert len(parser.get_events_within_range(epoch, epoch.replace(second=1))) == 3
    assert len(parser.get_events_for_process(7, epoch, epoch.replace(second=1))) == 1
    assert parser.get_process_info(1).name == "Allreduce"
    assert json.loads(parser.get_all_events()[0].to_json())["dur"] == 2
    parser.clear_events()
    assert parser.get_all_events() == []
    assert set(parser.get_processes()) == {1, 7}


def test_parsers_of_single_files(run):
    parser = SMProfilerEvents()
    name = "1794705514619539_8616-vm_pythontimeline.json"
    parser.read_events_from_file(f"{run}/framework/pevents/2026111501/{name}")
    assert len(parser.get_all_events()) == 96
    parser.read_events_from_file(f"{run}/nowhere/pevents/1_2_x.json")
    assert len(parser.get_all_events()) == 96

    system = ProfilerSystemEvents()
    system.read_events_from_file(f"{run}/system/incremental/2026010112/1767268800.algo-2.json")
    assert len(system.get_all_events()) == 104
    with pytest.raises(KeyError, match="Dimension"):
        system.read_event_from_dict({"Type": "cpu"})


def test_system_metrics_of_a_file_of_any_name(run, tmp_path):
    data = Path(run, "system/incremental/2026010112/1767268800.algo-2.json").read_text()
    (tmp_path / "metrics.json").write_text("".join(data.splitlines(keepends=True)[:14]))
    system = ProfilerSystemEvents()
    system.read_events_from_file(str(tmp_path / "metrics.json"))
    assert len(system.get_all_events()) == 14
    system.read_events_from_file(str(tmp_path / "nowhere.json"))
    assert len(system.get_all_events()) == 14


def test_tensorflow_traces(tmp_path):
    import gzip

    folder = tmp_path / "framework/tensorflow/detailed_profiling/2026111501/000000005"
    trace = folder / "plugins/profile/run/host.trace.json.gz"
    trace.parent.mkdir(parents=True)
    (folder / "1-host_1794705514000000_1794705515000000.metadata").touch()
    marker = {"name": "aws_marker-ForwardPass/dense", "ph": "X", "pid": 1, "tid": 4, "ts": 7}
    marker["dur"] = 2
    names = {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/host:CPU"}}
    thread = {"ph": "M", "pid": 1, "tid": 4, "name": "thread_name", "args": {"name": "main"}}
    document = json.dumps({"traceEvents": [names, thread, marker, {}]})
    trace.write_bytes(gzip.compress(document.encode()))
    (event,) = LocalAlgorithmMetricsReader(str(tmp_path)).get_events(0, ALL)
    assert (event.start_time, event.tid, event.file_type) == (
        1794705514000007,
        4,
        "TFProfilerMetrics",
    )
    elsewhere = tmp_path / "host.trace.json.gz"
    elsewhere.write_bytes(trace.read_bytes())
    parser = TensorboardProfilerEvents()
    parser.read_events_from_file(str(elsewhere))
    names = {number: process.name for number, process in parser.get_processes().items()}
    assert names == {0: "Unknown", 1: "/host:CPU"}, "as in the original"
    assert [event.start_time for event in parser.get_all_events()] == [7]
    elsewhere.unlink()
    parser = TensorboardProfilerEvents()
    assert list(parser.get_training_info(str(trace))) == ["ForwardPass"]
    parser.parse_tf_native_profiler_trace_json(str(tmp_path))
    assert len(parser.get_all_events()) == 1
    trace.write_bytes(b"no gzip")
    assert parser.get_training_info(str(trace)) == {}
