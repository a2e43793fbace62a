"""What charts show is what was measured: their sources are compared with figures of our own."""

import json
import statistics
import sys
from pathlib import Path

import numpy as np
import pytest

from smdebug.profiler import LocalAlgorithmMetricsReader, LocalSystemMetricsReader
from smdebug.profiler.analysis.notebook_utils import MetricsHistogram, StepHistogram
from smdebug.profiler.analysis.notebook_utils.heatmap import Heatmap
from smdebug.profiler.analysis.notebook_utils.step_timeline_chart import StepTimelineChart
from smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts

ALL = 1 << 62
FIRST_US = 1794705514568837
# The moments of the made-up metrics; see data/make.py.
TICKS_US = [FIRST_US - 5000 + 7000 * tick for tick in range(10)]
CPU_1 = "CPUUtilization-nodeid:algo-1"


@pytest.fixture
def system(aligned):
    return LocalSystemMetricsReader(aligned)


@pytest.fixture
def framework(aligned):
    return LocalAlgorithmMetricsReader(aligned)


def values(aligned, node, dimension, name):
    """The values of one metric, by a parser of our own."""
    (path,) = Path(aligned).glob(f"system/incremental/*/*.{node}.json")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [e["Value"] for e in lines if (e["Dimension"], e["Name"]) == (dimension, name)]


def spans(aligned, phase):
    """(start, duration) of the spans of a phase, by a parser of our own."""
    (path,) = Path(aligned).glob("framework/pevents/*/*.json")
    names, base, found = {}, 0, []
    for event in json.loads(path.read_text()):
        if event["ph"] == "M":
            base = event["args"].get("start_time_since_epoch_in_micros", base)
            if "name" in event["args"]:
                names[event["pid"]] = event["args"]["name"]
        elif names[event["pid"]] == phase:
            found.append((base + event["ts"], event["dur"]))
    return sorted(found)


def test_metrics_histogram(system, aligned):
    chart = MetricsHistogram(system)
    layout = chart.plot(select_dimensions=["CPU", "^GPUUtilization$"])
    assert layout is chart.layout is not None
    assert sorted(chart.system_metrics) == [
        *("CPUUtilization-nodeid:algo-1", "CPUUtilization-nodeid:algo-2"),
        *("GPUUtilization-nodeid:algo-1", "GPUUtilization-nodeid:algo-2"),
    ]
    cores = [values(aligned, "algo-1", "CPUUtilization", name) for name in ("cpu0", "cpu1")]
    metrics = chart.system_metrics[CPU_1]
    assert sorted(metrics) == ["cpu0", "cpu1", "total"]
    assert metrics["cpu0"].tolist() == cores[0]
    assert metrics["total"].tolist() == pytest.approx([(a + b) / 2 for a, b in zip(*cores)])
    data = chart.sources[CPU_1]["cpu1"].data
    assert list(data["left"]) == list(range(0, 100, 2))
    assert list(data["right"]) == list(range(2, 102, 2))
    want = [sum(low <= value < low + 2 for value in cores[1]) for low in range(0, 100, 2)]
    assert list(data["top"]) == want


def test_metrics_histogram_selections(system):
    chart = MetricsHistogram(system)
    chart.plot(TICKS_US[2], TICKS_US[4], [".*"], ["cpu0", "IOPS"], show_workers=False)
    assert {key: sorted(events) for key, events in chart.system_metrics.items()} == {
        "": ["IOPS"],
        "CPUUtilization": ["cpu0"],
    }
    # Three moments of two nodes.
    assert len(chart.system_metrics["CPUUtilization"]["cpu0"]) == 6
    chart.plot(select_events=["total"])
    assert all(list(events) == ["total"] for events in chart.system_metrics.values())
    chart.plot(select_dimensions=["nothing"])
    assert chart.system_metrics == {} and chart.layout is not None
    chart.clear()
    assert chart.layout is None
    with pytest.raises(ValueError, match="MetricsHistogram has not drawn anything"):
        chart.save("nowhere.html")


def test_metrics_histogram_beyond_percentages(system, aligned):
    chart = MetricsHistogram(system)
    chart.plot(select_dimensions=["Algorithm"])
    data = chart.sources["Algorithm-nodeid:algo-1"]["ReceiveBytesPerSecond"].data
    received = values(aligned, "algo-1", "Algorithm", "ReceiveBytesPerSecond")
    assert sum(data["top"]) == len(received) == 10
    assert data["right"][-1] == max(received)


def test_metrics_histogram_of_events(system):
    chart = MetricsHistogram(system)
    events = system.get_events(0, ALL)
    first = chart.preprocess_system_metrics(events)
    assert len(first[CPU_1]["cpu0"]) == 10
    both = chart.preprocess_system_metrics(events, first)
    assert len(both[CPU_1]["cpu0"]) == 20
    assert len(chart.preprocess_system_metrics(events)[CPU_1]["cpu0"]) == 10
    assert chart.preprocess_system_metrics() == {}


def test_metrics_histogram_follows_a_run(system, aligned):
    chart = MetricsHistogram(system)
    chart.plot(0, TICKS_US[3], ["CPU"])
    source = chart.sources[CPU_1]["cpu0"]
    assert sum(source.data["top"]) == 4
    for _ in range(2):
        chart.update_data(TICKS_US[7])
        assert sum(source.data["top"]) == 8
    assert (
        chart.system_metrics[CPU_1]["cpu0"].tolist()
        == values(aligned, "algo-1", "CPUUtilization", "cpu0")[:8]
    )


def test_step_histogram(framework, aligned):
    chart = StepHistogram(framework, width=400)
    chart.plot()
    forward = "Forward-nodeid:8616-vm"
    assert sorted(chart.step_metrics) == [
        forward,
        "Step:ModeKeys.EVAL-nodeid:8616-vm",
        "Step:ModeKeys.TRAIN-nodeid:8616-vm",
    ]
    seconds = [duration / 1e6 for _, duration in spans(aligned, "Forward")]
    assert chart.step_metrics[forward] == pytest.approx(seconds)
    kept = seconds[:-1]
    data = chart.sources[forward].data
    assert len(data["top"]) == 50
    assert data["left"][0] == pytest.approx(min(kept))
    high = statistics.median(kept) + 2 * statistics.pstdev(kept)
    assert data["right"][-1] == pytest.approx(high)
    assert sum(data["top"]) == sum(second <= high for second in kept)


def test_step_histogram_forgets_what_another_plot_showed(framework):
    chart = StepHistogram(framework)
    for _ in range(2):
        chart.plot(show_workers=False, select_metrics=["Forward-node"])
        assert {key: len(seconds) for key, seconds in chart.step_metrics.items()} == {"Forward": 16}
    other = StepHistogram(framework)
    other.create_plot()
    assert other.step_metrics == {} and other.sources == {}
    other.create_plot({"mine": [1.0, 2.0, 3.0]})
    assert sum(other.sources["mine"].data["top"]) == 2
    other.clear()
    assert other.sources == {}


def test_step_histogram_follows_a_run(framework, aligned):
    starts = [start for start, _ in spans(aligned, "Forward")]
    chart = StepHistogram(framework)
    chart.plot(0, starts[5])
    for until in (starts[9], starts[9], ALL):
        chart.update_data(until)
    whole = StepHistogram(framework)
    whole.plot()
    assert chart.step_metrics == whole.step_metrics


def test_equal_steps_are_one_bin(framework):
    chart = StepHistogram(framework)
    chart.create_plot({"same": [0.5] * 4, "one": [2.0], "none": []})
    assert sum(chart.sources["same"].data["top"]) == 3
    assert sum(chart.sources["one"].data["top"]) == 1
    assert len(chart.sources["none"].data["top"]) == 0


def test_step_timeline(framework, aligned):
    chart = StepTimelineChart(framework)
    assert sorted(chart.sources) == [
        "Step:ModeKeys.EVAL-nodeid:8616-vm",
        "Step:ModeKeys.TRAIN-nodeid:8616-vm",
    ]
    train = spans(aligned, "Step:ModeKeys.TRAIN")
    data = chart.sources["Step:ModeKeys.TRAIN-nodeid:8616-vm"].data
    assert list(data["duration_ms"]) == pytest.approx([d / 1e3 for _, d in train[1:]])
    assert list(data["seconds"]) == pytest.approx([(s - train[0][0]) / 1e6 for s, _ in train[1:]])
    assert list(data["step"]) == list(range(1, 12))
    assert len({len(column) for column in data.values()}) == 1
    assert StepTimelineChart().layout is None


def test_step_timeline_follows_a_run(framework, aligned, tmp_path):
    target = tmp_path / "framework/pevents/2026111501"
    target.mkdir(parents=True)
    (path,) = Path(aligned).glob("framework/pevents/*/*.json")
    lines = path.read_text().splitlines()
    (target / path.name).write_text("\n".join(lines[:150]).rstrip(",") + "\n]\n")
    chart = StepTimelineChart(LocalAlgorithmMetricsReader(str(tmp_path)))
    name = "Step:ModeKeys.TRAIN-nodeid:8616-vm"
    before = len(chart.sources[name].data["step"])
    (target / path.name).write_text("\n".join(lines) + "\n")
    chart.update_data(ALL)
    assert before < len(chart.sources[name].data["step"]) == 11
    whole = StepTimelineChart(framework).sources[name].data
    assert list(chart.sources[name].data["seconds"]) == list(whole["seconds"])


def test_timeline_charts(system, framework, aligned):
    chart = TimelineCharts(system, framework, select_dimensions=["CPU"], x=3)
    data = chart.sources[CPU_1]["cpu0"].data
    assert list(data["value"]) == values(aligned, "algo-1", "CPUUtilization", "cpu0")
    assert list(data["seconds"]) == pytest.approx([0.007 * tick for tick in range(10)])
    assert list(data["index"]) == list(range(10))
    figures = chart.layout.children
    assert [figure.title.text for figure in figures] == [CPU_1, CPU_1.replace("-1", "-2")]
    # The last three samples are seen at first.
    assert (figures[0].x_range.start, figures[0].x_range.end) == pytest.approx((0.049, 0.063))


def test_moments_are_explained(system, framework, aligned, capsys):
    chart = TimelineCharts(system, framework, select_dimensions=["GPU"])
    begin, end = TICKS_US[1], TICKS_US[4]
    want = {}
    for phase in ("Forward", "Step:ModeKeys.TRAIN", "Forward-SubModuleInternal"):
        inside = (min(s + d, end) - max(s, begin) for s, d in spans(aligned, phase))
        want[phase] = sum(max(0, time) for time in inside)
    assert chart.find_time_annotations([1, 2, 3]) == want
    assert f"{want['Forward'] / 1000:.3f} ms in Forward\n" in capsys.readouterr().out
    for wrong in ([], [10], [-1]):
        with pytest.raises(ValueError, match="numbers from 0 to 9"):
            chart.find_time_annotations(wrong)
    with pytest.raises(ValueError, match="framework_metrics_reader is None"):
        TimelineCharts(system, None).find_time_annotations([1])


def test_spans_at_some_moments(system, framework, aligned):
    chart = TimelineCharts(system, framework)
    (figure,) = chart.plot_detailed_profiler_data([1, 3]).children
    data = figure.renderers[0].data_source.data
    begin, end = TICKS_US[1], TICKS_US[4]
    hit = [(s, d) for s, d in spans(aligned, "Forward") if s <= end and s + d >= begin]
    lengths = [d for d, row in zip(data["duration_ms"], data["row"]) if row == "Forward (8616-vm)"]
    assert lengths == pytest.approx([d / 1e3 for _, d in hit])
    whole = chart.plot_framework_events()
    assert len(whole.renderers[0].data_source.data["name"]) == 96
    given = chart.plot_framework_events(framework.get_events(begin, begin))
    assert set(given.renderers[0].data_source.data["step"].tolist()) == {0}


def test_timeline_charts_follow_a_run(system, framework, aligned):
    chart = TimelineCharts(system, framework, endtime=TICKS_US[3])
    chart.update_data(TICKS_US[8])
    data = chart.sources[CPU_1]["cpu0"].data
    want = values(aligned, "algo-1", "CPUUtilization", "cpu0")
    assert list(data["value"]) == want[:9]
    assert list(data["index"]) == list(range(9))


def test_heatmap(system, aligned):
    chart = Heatmap(system)
    assert chart.rows == [
        f"{event}_{dimension}-nodeid:{node}"
        for dimension, events in (
            ("CPUUtilization", ["cpu0", "cpu1", "total"]),
            ("GPUMemoryUtilization", ["gpu0", "total"]),
            ("GPUUtilization", ["gpu0", "total"]),
        )
        for node, some in (("node_total", ["total"]), ("algo-1", events), ("algo-2", events))
        for event in some
    ]
    cores = {
        (node, name): np.array(values(aligned, node, "CPUUtilization", name))
        for node in ("algo-1", "algo-2")
        for name in ("cpu0", "cpu1")
    }
    rows = dict(zip(chart.rows, chart.values))
    assert rows[f"cpu1_{CPU_1}"] == pytest.approx(cores["algo-1", "cpu1"])
    mean = sum(cores.values()) / 4
    assert rows["total_CPUUtilization-nodeid:node_total"] == pytest.approx(mean)
    image = chart.layout.renderers[0].data_source.data["image"][0]
    # From below.
    assert image[::-1] == pytest.approx(chart.values)
    assert chart.layout.yaxis[0].major_label_overrides[0.5] == chart.rows[-1]
    assert len(chart.edges_us) == 11


def test_heatmap_of_what_is_no_percentage(system, aligned):
    chart = Heatmap(system, select_dimensions=["Algorithm", "^$"], select_metrics=["Bytes|Memory"])
    assert len(chart.rows) == 4
    received = np.array(
        [values(aligned, f"algo-{n}", "Algorithm", "ReceiveBytesPerSecond") for n in (1, 2)]
    )
    rows = dict(zip(chart.rows, chart.values))
    got = rows["ReceiveBytesPerSecond_Algorithm-nodeid:algo-2"]
    assert got == pytest.approx(received[1] / received.max() * 100)
    assert max(line.max() for line in chart.values) == pytest.approx(100)


def test_charts_of_nothing(tmp_path):
    system = LocalSystemMetricsReader(str(tmp_path))
    framework = LocalAlgorithmMetricsReader(str(tmp_path))
    charts = [
        Heatmap(system),
        StepTimelineChart(framework),
        TimelineCharts(system, framework),
    ]
    for chart in charts:
        assert Path(chart.save(tmp_path / "page.html")).read_text().startswith("<!DOCTYPE html>")
    with pytest.raises(ValueError, match="no samples of CPUUtilization"):
        charts[2].find_time_annotations([0])


def test_outside_of_a_notebook_nothing_pops_up(system, monkeypatch):
    import bokeh.io

    def refuse(*args, **kwargs):
        raise AssertionError("bokeh was asked to show something")

    monkeypatch.setattr(bokeh.io, "show", refuse)
    assert Heatmap(system).show() is not None


def test_bokeh_is_asked_for_by_name(system, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "bokeh"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "bokeh", None)
    with pytest.raises(ImportError, match="pip install bokeh"):
        Heatmap(system)
