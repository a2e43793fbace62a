"""A notebook as users have it, run by a kernel of its own."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

# The sequence of the original's notebooks; what a cell asserts is about its data.
CELLS = [
    """
from smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
tj = TrainingJob(RUN, "us-east-1")
assert tj.get_systems_metrics_reader() is None
tj.wait_for_sys_profiling_data_to_be_available()
tj.wait_for_framework_profiling_data_to_be_available()
system_metrics_reader = tj.get_systems_metrics_reader()
framework_metrics_reader = tj.get_framework_metrics_reader()
system_metrics_reader.refresh_event_file_list()
framework_metrics_reader.refresh_event_file_list()
""",
    """
from smdebug.profiler.analysis.notebook_utils.metrics_histogram import MetricsHistogram
metrics_histogram = MetricsHistogram(system_metrics_reader)
metrics_histogram.plot(
    starttime=0,
    endtime=system_metrics_reader.get_timestamp_of_latest_available_file() + 60_000_000,
    select_dimensions=["CPU", "GPU", "I/O"],
    select_events=["total"],
)
shown = metrics_histogram.sources["CPUUtilization-nodeid:algo-2"]
assert list(shown) == ["total"]
assert sum(shown["total"].data["top"]) == 8
""",
    """
from smdebug.profiler.analysis.notebook_utils.step_timeline_chart import StepTimelineChart
chart = StepTimelineChart(framework_metrics_reader)
chart.update_data(framework_metrics_reader.get_timestamp_of_latest_available_file())
assert sum(len(source.data["step"]) for source in chart.sources.values()) == 14
""",
    """
from smdebug.profiler.analysis.notebook_utils.step_histogram import StepHistogram
step_histogram = StepHistogram(framework_metrics_reader)
step_histogram.plot(show_workers=False)
assert len(step_histogram.step_metrics["Step:ModeKeys.TRAIN"]) == 12
""",
    """
from smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
charts = TimelineCharts(
    system_metrics_reader,
    framework_metrics_reader,
    select_dimensions=["CPU", "GPU"],
    select_events=["total", "cpu0"],
)
assert charts.find_time_annotations([0, 1]) == {}, "the metrics are of another day"
charts.plot_detailed_profiler_data([0])
""",
    """
from smdebug.profiler.analysis.notebook_utils.heatmap import Heatmap
heatmap = Heatmap(
    system_metrics_reader,
    select_dimensions=["CPU", "GPU"],
    select_events=["total", "cpu", "gpu"],
    plot_height=450,
)
assert heatmap.values.shape[0] == len(heatmap.rows)
""",
    """
from smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
from smdebug.profiler.analysis.utils.pandas_data_analysis import (
    PandasFrameAnalysis, Resource, StatsBy
)
pf = PandasFrame(tj.profiler_s3_output_path)
system_metrics_df = pf.get_all_system_metrics()
framework_metrics_df = pf.get_all_framework_metrics()
assert (len(system_metrics_df), len(framework_metrics_df)) == (260, 96)
analysis = PandasFrameAnalysis(system_metrics_df, framework_metrics_df)
analysis.get_step_statistics(by=StatsBy.PROCESS)
""",
    """
analysis.get_utilization_stats(resource=[Resource.CPU, Resource.GPU])
""",
    """
from smdebug.profiler.analysis.utils.python_profile_analysis_utils import Metrics
from smdebug.profiler.analysis.python_profile_analysis import cProfileAnalysis
python_analysis = cProfileAnalysis(
    local_profile_dir="python_stats", s3_path=tj.profiler_s3_output_path
)
stats = python_analysis.fetch_profile_stats_by_step(6, 7)
stats.print_top_n_functions(Metrics.CUMULATIVE_TIME, 3)
""",
    """
from smdebug.profiler.analysis.utils.merge_timelines import MergedTimeline, MergeUnit
merged = MergedTimeline(tj.profiler_s3_output_path, output_directory=OUT)
name = merged.merge_timeline(2, 4, unit=MergeUnit.STEP)
print(name)
""",
]


@pytest.fixture(scope="module")
def notebook(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebook")
    # As a run of ours has it: the profiler's folder in the run's.
    shutil.copytree(run, folder / "warden-runs/train-1/profiler-output")
    cells = [f"RUN = 'train-1'; OUT = {str(folder)!r}", *CELLS]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, timeout=300, startup_timeout=300, resources=resources)
    client.execute()
    return notebook


def outputs(notebook, word):
    """The outputs of the cell that has a word."""
    (cell,) = (cell for cell in notebook.cells if word in cell.source)
    return cell.outputs


def documents(notebook, word):
    """The bokeh documents that the cell shows."""
    found = []
    for output in outputs(notebook, word):
        script = output.get("data", {}).get("application/javascript", "")
        _, found_one, text = script.partition("const docs_json = ")
        if found_one:
            found.append(json.JSONDecoder().raw_decode(text)[0])
    return found


@pytest.mark.parametrize(
    ("word", "count"),
    [
        *(("MetricsHistogram(", 1), ("StepTimelineChart(", 1), ("StepHistogram(", 1)),
        *(("TimelineCharts(", 2), ("Heatmap(", 1)),
    ],
)
def test_every_chart_is_shown(notebook, word, count):
    assert len(documents(notebook, word)) == count


def test_what_is_shown_has_its_data(notebook):
    (document,) = documents(notebook, "StepTimelineChart(")
    text = json.dumps(document)
    assert "Step duration" in text
    assert "Step:ModeKeys.TRAIN-nodeid:8616-vm" in text


def test_frames_are_shown_as_tables(notebook):
    (table,) = (o for o in outputs(notebook, "get_step_statistics") if "data" in o)
    assert "Step:ModeKeys.TRAIN" in table["data"]["text/html"]
    (table,) = (o for o in outputs(notebook, "Resource.GPU]") if "data" in o)
    assert table["data"]["text/html"].count("<tr") == 5


def test_text_is_printed(notebook):
    printed = "".join(o.get("text", "") for o in outputs(notebook, "cProfileAnalysis("))
    assert "cumulative" in printed
    name = "".join(o.get("text", "") for o in outputs(notebook, "MergedTimeline(")).split()[-1]
    events = json.loads(Path(name).read_text())
    assert {event["args"]["step_num"] for event in events if event["ph"] == "X"} == {"2", "3"}
