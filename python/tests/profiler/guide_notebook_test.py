"""The notebook examples of SageMaker's developer guide run as they are printed there."""

import json

import pytest

from smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
from smdebug.profiler.analysis.python_profile_analysis import cProfileAnalysis
from smdebug.profiler.python_profile_utils import PythonProfileModes, cProfileTimer

BASE_US = 1794705480_000000
CPUS = 2
SAMPLES = 40


@pytest.fixture
def job(tmp_path):
    """A run of 20 seconds, shorter than a file of metrics, with forward and backward passes."""
    folder = tmp_path / "run/profiler-output"
    system = folder / "system/incremental/2026111501"
    system.mkdir(parents=True)
    lines = [
        json.dumps(
            {
                "Type": "cpu",
                "Name": f"cpu{core}",
                "Dimension": "CPUUtilization",
                "Value": 10.0 * core + sample % 7,
                "NodeId": "algo-1",
                "Timestamp": BASE_US / 1e6 + 1 + sample / 2,
            }
        )
        for sample in range(SAMPLES)
        for core in range(CPUS)
    ]
    (system / f"{BASE_US // 1_000_000}.algo-1.json").write_text("\n".join(lines) + "\n")
    events = [
        {
            "name": "process_name",
            "ph": "M",
            "pid": 0,
            "args": {"start_time_since_epoch_in_micros": BASE_US},
        }
    ]
    phases = ("Step:ModeKeys.TRAIN", "Forward", "Backward")
    for pid, phase in enumerate(phases, 1):
        events.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": phase}})
    for step in range(100):
        args = {"pid": 7, "step_num": str(step)}
        at = 1_000_000 + 200_000 * step
        for pid, (start, length) in enumerate(((0, 190_000), (0, 90_000), (90_000, 95_000)), 1):
            events.append(
                {
                    "name": phases[pid - 1],
                    "ph": "X",
                    "pid": pid,
                    "ts": at + start,
                    "dur": length + step % 5,
                    "args": args,
                }
            )
    framework = folder / "framework/pevents/2026111501"
    framework.mkdir(parents=True)
    last = BASE_US + 1_000_000 + 200_000 * 99 + 190_004
    (framework / f"{last}_7-algo-1_pythontimeline.json").write_text(json.dumps(events))
    for part in ("system", "framework"):
        (folder / part / "training_job_end.ts").touch()
    return str(tmp_path / "run")


def readers(job):
    tj = TrainingJob(job, "us-west-2")
    tj.wait_for_sys_profiling_data_to_be_available()
    tj.wait_for_framework_profiling_data_to_be_available()
    return tj.get_systems_metrics_reader(), tj.get_framework_metrics_reader()


def test_metrics_histogram_has_all_samples(job):
    from smdebug.profiler.analysis.notebook_utils.metrics_histogram import MetricsHistogram

    system_metrics_reader, _ = readers(job)
    metrics_histogram = MetricsHistogram(system_metrics_reader)
    metrics_histogram.plot(
        starttime=0,
        endtime=system_metrics_reader.get_timestamp_of_latest_available_file(),
        select_dimensions=["CPU", "GPU", "I/O"],  # optional
        select_events=["total"],  # optional
    )
    (key,) = metrics_histogram.system_metrics
    assert len(metrics_histogram.system_metrics[key]["total"]) == SAMPLES


def test_step_histogram_draws_the_last_seconds(job):
    from smdebug.profiler.analysis.notebook_utils.step_histogram import StepHistogram

    _, framework_metrics_reader = readers(job)
    step_histogram = StepHistogram(framework_metrics_reader)
    step_histogram.plot(
        starttime=step_histogram.last_timestamp - 5 * 1000 * 1000,
        endtime=step_histogram.last_timestamp,
        show_workers=True,
    )
    assert sorted(step_histogram.step_metrics) == [
        "Backward-nodeid:algo-1-7",
        "Forward-nodeid:algo-1-7",
        "Step:ModeKeys.TRAIN-nodeid:algo-1-7",
    ]
    assert all(len(seconds) == 25 for seconds in step_histogram.step_metrics.values())


def test_timeline_charts(job):
    from smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts

    system_metrics_reader, framework_metrics_reader = readers(job)
    view_timeline_charts = TimelineCharts(
        system_metrics_reader,
        framework_metrics_reader,
        select_dimensions=["CPU", "GPU", "I/O"],  # optional
        select_events=["total"],  # optional
    )
    assert view_timeline_charts.plot_detailed_profiler_data([20, 30]) is not None


def test_heatmap_takes_both_readers(job):
    from smdebug.profiler.analysis.notebook_utils.heatmap import Heatmap

    system_metrics_reader, framework_metrics_reader = readers(job)
    view_heatmap = Heatmap(
        system_metrics_reader,
        framework_metrics_reader,
        select_dimensions=["CPU", "GPU", "I/O"],  # optional
        select_events=["total"],  # optional
        plot_height=450,
    )
    assert view_heatmap.rows == [
        "total_CPUUtilization-nodeid:node_total",
        "total_CPUUtilization-nodeid:algo-1",
    ]
    assert view_heatmap.values.shape == (2, SAMPLES)


@pytest.fixture
def python_analysis(run):
    return cProfileAnalysis(local_profile_dir=f"{run}/framework/pytorch/cprofile")


def functions(stats):
    return None if stats is None else {f.function_name for f in stats.function_stats_list}


def test_python_profiles_by_the_names_of_the_guide(python_analysis):
    from smdebug.profiler.analysis.utils.python_profile_analysis_utils import StepPhase

    by_time = python_analysis.fetch_python_profile_stats_by_time(1794705514.59, 1794705514.5945)
    again = python_analysis.fetch_profile_stats_by_time(1794705514.59, 1794705514.5945)
    assert functions(by_time) == functions(again) is not None
    arguments = (PythonProfileModes.TRAIN, StepPhase.STEP_START, StepPhase.STEP_END)
    # Steps 6 and 7 were profiled. The end is excluded, and steps may be texts.
    both = python_analysis.fetch_python_profile_stats_by_step("6", "8", *arguments)
    only = python_analysis.fetch_python_profile_stats_by_step(6, 7, *arguments)
    assert both.ps.total_calls > only.ps.total_calls
    assert only.ps.total_calls == python_analysis.fetch_profile_stats_by_step(6).ps.total_calls + (
        python_analysis.fetch_profile_stats_by_step(
            6, 7, PythonProfileModes.TRAIN, StepPhase.FORWARD_PASS_END, StepPhase.STEP_START
        ).ps.total_calls
    )
    assert python_analysis.fetch_python_profile_stats_by_step(8, 9, *arguments) is None


def test_mode_global_includes_the_others(python_analysis):
    every = python_analysis.fetch_profile_stats_by_step(6, 7, mode=PythonProfileModes.GLOBAL)
    train = python_analysis.fetch_profile_stats_by_step(6, 7, mode=PythonProfileModes.TRAIN)
    assert every is not None and every.ps.total_calls == train.ps.total_calls
    assert python_analysis.fetch_profile_stats_by_step(6, 7, PythonProfileModes.EVAL) is None


@pytest.mark.parametrize(
    ("name", "timer"),
    [
        ("cpu", cProfileTimer.CPU_TIME),
        ("off_cpu", cProfileTimer.OFF_CPU_TIME),
        ("total_time", cProfileTimer.TOTAL_TIME),
    ],
)
def test_timers_by_the_names_of_the_guide(configure, name, timer):
    steps = '"StartStep": 5, "NumSteps": 3'
    part = f'{{ {steps}, "ProfilerName": "cProfile", "cProfileTimer": "{name}" }}'
    config = configure({"ProfilingParameters": {"PythonProfilingConfig": part}}).config
    assert config.python_profiling_config.is_enabled()
    assert config.python_profiling_config.cprofile_timer is timer
