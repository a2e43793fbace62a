"""Columns, which frames and charts are made of."""

import json
import random

import numpy as np
import pytest

from smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
from smdebug.profiler.utils import us_since_epoch_to_human_readable_time
from tensorwarden.profiler.common.labels import Labels
from tensorwarden.profiler.common.units import human_readable_times, whole_microseconds
from tensorwarden.profiler.reading.system_columns import SystemColumns, columns_of_text


def metric(at, value=1.0, name="cpu0", **more):
    line = {"Type": "cpu", "Name": name, "Dimension": "CPUUtilization", "Value": value}
    return json.dumps({**line, "NodeId": "algo-1", "Timestamp": at, **more}) + "\n"


def write_metrics(folder, text):
    path = folder / "system/incremental/2026010112/1767268800.algo-1.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return PandasFrame(str(folder))


def test_many_times_are_told_as_one_is():
    source = random.Random(3)
    times = [source.randrange(-(10**15), 10**16) for _ in range(500)] + [0, 0, 1, 999_999, 0]
    told = human_readable_times(np.array(times))
    assert told.tolist() == [us_since_epoch_to_human_readable_time(time) for time in times]
    assert told.dtype == object
    assert told[500] is told[501]
    assert len(human_readable_times(np.empty(0, np.int64))) == 0


def test_moments_that_64_bits_cannot_hold():
    most = (1 << 63) - 1
    assert whole_microseconds(float("inf")) == whole_microseconds(1 << 70) == most
    assert whole_microseconds(float("-inf")) == -most
    assert whole_microseconds(1.9) == 1


def test_labels():
    first, second = Labels.of(["a", None, "a"]), Labels.of(["b", "a"])
    joined = Labels.joined([first, second])
    assert joined.array().tolist() == ["a", None, "a", "b", "a"]
    assert joined.matching("^[ab]$").tolist() == [True, False, True, True, True]
    assert joined.among(["b"]).tolist() == [False, False, False, True, False]
    some = joined.where(np.array([0, 2, 4]))
    assert [joined.texts[code] for code in some.present()] == ["a"]
    assert joined.sums(np.array([1, 2, 3, 4, 5])) == {"a": 9, None: 2, "b": 4}
    assert Labels.of([]).present() == []


def test_equal_rows_are_kept_once(tmp_path):
    rows = [metric(1767268800 + i // 4, value=i % 2) for i in range(40)]
    frame = write_metrics(tmp_path, "".join(rows)).get_all_system_metrics()
    assert len(frame) == 20
    assert frame.index.tolist() == list(range(20))
    assert frame["value"].tolist() == [0, 1] * 10


def test_types_of_columns(tmp_path):
    text = metric(1767268800.25) + metric(1767268801, 7, name=None) + metric(1767268802, Extra=[1])
    frame = write_metrics(tmp_path, text).get_all_system_metrics()
    assert [str(kind) for kind in frame.dtypes] == [
        *("object", "int64", "float64", "object", "object", "object", "object")
    ]
    assert frame["system_metric"].tolist() == ["cpu0", None, "cpu0"]
    assert frame["timestamp_us"].tolist() == [250_000, 1_000_000, 2_000_000]
    assert type(frame["timestamp"][0]) is str


@pytest.mark.parametrize(
    "broken",
    [
        *("", "{", "[]", "null", "7", '"text"', '{"Type": "cpu"}'),
        *(metric("late").strip(), metric(float("nan")).strip(), metric(1e300).strip()),
        metric(1, value="much").strip(),
        metric(1, Type=7).strip(),
        '{"Type":' * 2000,
    ],
)
def test_lines_that_say_nothing_cost_no_other(tmp_path, broken):
    text = metric(1767268800) + broken + "\n" + metric(1767268801)
    frame = write_metrics(tmp_path, text).get_all_system_metrics()
    assert frame["timestamp_us"].tolist() == [0, 1_000_000]
    columns, count = columns_of_text(text.encode())
    assert len(columns) == 2
    assert count == bool(broken)


def test_bytes_that_are_no_text(tmp_path):
    line = metric(1767268800, name="cpu?").encode().replace(b"?", b"\xff")
    columns, _ = columns_of_text(line + metric(1767268801).encode())
    assert columns.name.array().tolist()[-1] == "cpu0"
    assert len(columns.events()) == len(columns)


def test_columns_and_events_are_the_same(run):
    frame = PandasFrame(run)
    reader = frame.system_metrics_reader
    columns, events = reader.get_columns(0, 1 << 62), reader.get_events(0, 1 << 62)
    again = SystemColumns.of_events(events)
    for one, other in ((columns.time_us, again.time_us), (columns.value, again.value)):
        assert one.tolist() == other.tolist()
    for one, other in ((columns.name, again.name), (columns.node, again.node)):
        assert one.array().tolist() == other.array().tolist()
