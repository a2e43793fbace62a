"""File names, units of time, and where files go."""

from datetime import datetime, timezone

import pytest

from smdebug.core.locations import TraceFileLocation
from smdebug.core.utils import get_node_id
from smdebug.profiler import utils
from smdebug.profiler.utils import TimeUnits

TIMELINE = "/a/framework/pevents/2020051923/1589930991000000_4487-vm_pythontimeline.json"
SYSTEM = "/a/system/incremental/2020/1591160699.algo-1.json"
TRACE = (
    "/a/framework/tensorflow/detailed_profiling/2020/000000000/plugins/profile/r/h.trace.json.gz"
)


@pytest.mark.parametrize(
    "name, timeline, trace, system",
    [
        (TIMELINE, True, False, False),
        (TRACE, False, True, False),
        (SYSTEM, False, False, True),
        (f"{SYSTEM}.tmp", False, False, True),
        ("1591160699.algo-1.json", False, False, False),
        ("/a/system/x/1591160699.node-1.json", False, False, False),
        ("x.json", False, False, False),
    ],
)
def test_kinds(name, timeline, trace, system):
    assert utils.is_valid_tracefilename(name) is timeline
    assert utils.is_valid_tfprof_tracefilename(name) is trace
    assert utils.validate_system_profiler_file(name) is system


def test_nodes_and_times():
    assert utils.get_node_id_from_tracefilename(TIMELINE) == "4487-vm"
    assert utils.get_timestamp_from_tracefilename(TIMELINE) == 1589930991000000
    assert utils.get_node_id_from_tracefilename("x.json") == ""
    assert utils.get_timestamp_from_tracefilename("x.json") == 0
    assert utils.get_node_id_from_system_profiler_filename(SYSTEM) == "algo-1"
    assert utils.get_node_id_from_system_profiler_filename(TIMELINE) is None
    time_of = utils.get_utctimestamp_us_since_epoch_from_system_profiler_file
    assert time_of(SYSTEM) == 1591160699000000
    assert time_of(TIMELINE) is None


def test_tensorflow_metadata(tmp_path):
    folder = f"{tmp_path}/tensorflow/detailed_profiling/2020/000000000"
    path = TraceFileLocation.get_tf_profiling_metadata_file(folder, 5, 9)
    utils.write_tf_profiler_metadata_file(path)
    utils.write_tf_profiler_metadata_file(f"{folder}/not.this")
    trace = f"{folder}/plugins/profile/run/host.trace.json.gz"
    assert utils.read_tf_profiler_metadata_file(trace) == (get_node_id(), "5", "9")
    assert utils.get_timestamp_from_tracefilename(trace) == 9
    assert utils.read_tf_profiler_metadata_file(TRACE) == ("", "0", "0")


def test_units():
    to_us = utils.convert_utc_timestamp_to_microseconds
    assert to_us(1500) == 1500
    assert to_us(1.5, TimeUnits.SECONDS) == 1500000
    assert to_us(1500, TimeUnits.MILLISECONDS) == 1500000
    assert to_us(1500, TimeUnits.NANOSECONDS) == 1.5
    assert utils.convert_utc_timestamp_to_nanoseconds(1.5, TimeUnits.SECONDS) == 1500000000
    assert utils.convert_utc_timestamp_to_seconds(1500000) == 1
    with pytest.raises(ValueError, match="unit is 'hours'"):
        to_us(1, "hours")
    moment = datetime(2020, 1, 1)
    assert utils.convert_utc_datetime_to_microseconds(moment) == 1577836800000000
    aware = moment.replace(tzinfo=timezone.utc, microsecond=7)
    assert utils.convert_utc_datetime_to_nanoseconds(aware) == 1577836800000007000
    readable = "2026-11-15T01:18:34:568837"
    assert utils.us_since_epoch_to_human_readable_time(1794705514568837) == readable
    assert utils.ns_since_epoch_to_human_readable_time(1794705514568837999) == readable
    assert utils.str2bool("True") and not utils.str2bool("off") and utils.str2bool(True)
    with pytest.raises(ValueError, match="'maybe'"):
        utils.str2bool("maybe")


def test_places(tmp_path):
    place = TraceFileLocation.get_file_location(1594662624718694, "/b")
    node = get_node_id()
    assert "_" not in node
    assert place == f"/b/framework/pevents/2020071317/1594662624718694_{node}_pythontimeline.json"
    merged = TraceFileLocation.get_merged_trace_file_location("/b", 123)
    assert merged == f"/b/123_{node}_merged_timeline.json"
    log = TraceFileLocation.get_detailed_profiling_log_dir(str(tmp_path), "tensorflow", 3)
    assert log.endswith("/000000003")
    assert "framework/tensorflow/detailed_profiling" in log
    segment = TraceFileLocation.get_python_profiling_stats_dir(
        *(str(tmp_path), "cprofile", "pytorch", "train", 1, "stepstart", 1.5),
        *("train", "*", "stepend", 2.5),
    )
    end = f"framework/pytorch/cprofile/{node}/train-1-stepstart-1.5_train-*-stepend-2.5"
    assert segment == f"{tmp_path}/{end}"


def test_data_parallelism(tmp_path):
    class Library:
        def start_profiler(self, path, append_rank):
            self.path = path

        def stop_profiler(self):
            from pathlib import Path

            Path(self.path).write_text("[]")

    library = Library()
    utils.start_smdataparallel_profiler(library, str(tmp_path))
    assert library.path.endswith("_smdataparallel_timeline.json.tmp")
    utils.stop_smdataparallel_profiler(library, str(tmp_path))
    assert len(list(tmp_path.glob("framework/pevents/*/*_smdataparallel_timeline.json"))) == 1
    utils.start_smdataparallel_profiler(None, str(tmp_path))
    utils.stop_smdataparallel_profiler(None, str(tmp_path))
