"""Python profiles: recorded, found again and asked."""

import json
import math
import time

import pytest

from smdebug.core.modes import ModeKeys
from smdebug.core.utils import FRAMEWORK
from smdebug.profiler.analysis.python_profile_analysis import PyinstrumentAnalysis, cProfileAnalysis
from smdebug.profiler.analysis.utils.python_profile_analysis_utils import Metrics
from smdebug.profiler.python_profile_utils import (
    PythonProfileModes,
    StepPhase,
    mode_keys_to_python_profile_mode,
    python_profile_mode_to_str,
    str_to_python_profile_mode,
)
from smdebug.profiler.python_profiler import (
    CPROFILE_STATS_FILENAME,
    PYINSTRUMENT_HTML_FILENAME,
    PYINSTRUMENT_JSON_FILENAME,
    PyinstrumentPythonProfiler,
    cProfilePythonProfiler,
    cProfileTimer,
)

TRAIN = PythonProfileModes.TRAIN


def names(stats):
    """As in data/make.py."""
    if stats is None:
        return None
    return sorted(
        [
            *(f.function_name, f.prim_calls, f.total_calls),
            *(round(f.total_time, 9), round(f.cumulative_time, 9)),
        ]
        for f in stats.function_stats_list
    )[:20]


@pytest.fixture(params=["local", "s3"])
def analysis(request, run, tmp_path):
    if request.param == "local":
        return cProfileAnalysis(local_profile_dir=f"{run}/framework/pytorch/cprofile")
    path = request.getfixturevalue("upload")(run, "job/profiler-output")
    return cProfileAnalysis(local_profile_dir=str(tmp_path), s3_path=path)


def test_what_the_original_finds(analysis, expected):
    want = expected["profiles"]
    frame = analysis.list_profile_stats()
    assert list(frame.columns) == want["list"]["columns"]
    rows = frame.drop(columns=["stats_path"]).values.tolist()
    assert [
        [str(cell) if isinstance(cell, StepPhase) or cell == math.inf else cell for cell in row]
        for row in rows
    ] == want["list"]["rows"]
    assert analysis.list_available_node_ids() == want["nodes"]
    steps = analysis.fetch_profile_stats_by_step
    assert names(steps(6)) == want["step_6"]
    assert names(steps(6, 7)) == want["step_6_7"]
    forward = steps(6, 6, TRAIN, StepPhase.STEP_START, StepPhase.FORWARD_PASS_END)
    assert names(forward) == want["step_6_forward"]
    backward = steps(6, 7, TRAIN, StepPhase.FORWARD_PASS_END, StepPhase.STEP_START)
    assert names(backward) == want["step_6_backward"]
    assert steps(99) is None
    by_time = analysis.fetch_profile_stats_by_time(1794705514.59, 1794705514.5945)
    assert names(by_time) == want["time"]
    assert names(analysis.fetch_profile_stats_between_modes(TRAIN, TRAIN)) == want["modes"]
    assert names(analysis.fetch_pre_step_zero_profile_stats()) == want["pre"]
    assert names(analysis.fetch_post_hook_close_profile_stats()) == want["post"]
    phases = analysis.fetch_profile_stats_by_training_phase()
    found = {f"{a.name}-{b.name}": names(stats) for (a, b), stats in phases.items()}
    assert found == want["training_phases"]


def test_phases_of_the_job(analysis, expected):
    want = expected["profiles"]
    phases = analysis.fetch_profile_stats_by_job_phase()
    assert {phase: names(stats) for phase, stats in phases.items()} == {
        "initialization": want["pre"],
        "training_loop": want["modes"],
        "finalization": want["post"],
    }


def test_a_segment_around_the_time_counts(run):
    analysis = cProfileAnalysis(local_profile_dir=f"{run}/framework/pytorch/cprofile")
    inside = analysis.fetch_profile_stats_by_time(1794705514.5932, 1794705514.5933)
    assert names(inside) == names(analysis.fetch_profile_stats_by_step(6))
    assert analysis.fetch_profile_stats_by_step(6, node_id="nobody") is None


def test_printing(run, capsys):
    analysis = cProfileAnalysis(local_profile_dir=f"{run}/framework/pytorch/cprofile")
    stats = analysis.fetch_profile_stats_by_step(6)
    stats.print_top_n_functions(by=Metrics.CUMULATIVE_TIME, n=1)
    assert "cumulative" in capsys.readouterr().out
    with pytest.raises(TypeError, match="by is 'cumtime'"):
        stats.print_top_n_functions(by="cumtime")
    assert stats.get_function_stats().shape == (len(stats.function_stats_list), 1)


def test_no_such_folder(tmp_path):
    with pytest.raises(AssertionError, match="nowhere"):
        cProfileAnalysis(local_profile_dir=str(tmp_path / "nowhere"))
    empty = cProfileAnalysis(local_profile_dir=str(tmp_path))
    assert empty.list_profile_stats().empty
    assert empty.list_available_node_ids() == []


def test_strange_folders_are_skipped(tmp_path):
    folder = tmp_path / "framework/pytorch/cprofile/1-vm/1596585376012363.8_1596585376017246.5"
    folder.mkdir(parents=True)
    (folder / CPROFILE_STATS_FILENAME).write_bytes(b"")
    assert cProfileAnalysis(local_profile_dir=str(tmp_path)).list_profile_stats().empty


@pytest.mark.parametrize("timer", [t for t in cProfileTimer if t is not cProfileTimer.DEFAULT])
def test_cprofile_segments(tmp_path, timer):
    profiler = cProfilePythonProfiler(str(tmp_path), FRAMEWORK.PYTORCH, timer)
    profiler.stop_profiling(StepPhase.STEP_END)
    profiler.start_profiling(StepPhase.STEP_START, start_mode=TRAIN, start_step=1)
    json.dumps({})
    profiler.stop_profiling(StepPhase.STEP_END, end_mode=TRAIN, end_step=1)
    (path,) = tmp_path.glob("framework/pytorch/cprofile/*/*/python_stats")
    start, end = path.parent.name.split("_")
    assert start.startswith("train-1-stepstart-")
    assert end.startswith("train-1-stepend-")
    analysis = cProfileAnalysis(local_profile_dir=str(tmp_path / "framework/pytorch/cprofile"))
    functions = analysis.fetch_profile_stats_by_step(1).function_stats_list
    assert any("dumps" in function.function_name for function in functions)


def test_a_timer_that_is_none(tmp_path):
    with pytest.raises(ValueError, match="total_time, cpu_time, off_cpu_time"):
        cProfilePythonProfiler(str(tmp_path), FRAMEWORK.PYTORCH, cProfileTimer.DEFAULT)


def test_pyinstrument_segments(tmp_path):
    profiler = PyinstrumentPythonProfiler(str(tmp_path), FRAMEWORK.TENSORFLOW)
    profiler.start_profiling(StepPhase.START)
    end = time.process_time() + 0.05
    while time.process_time() < end:
        sum(range(1000))
    profiler.stop_profiling(StepPhase.STEP_START, TRAIN, 0)
    (folder,) = tmp_path.glob("framework/tensorflow/pyinstrument/*/prestepzero-*-start-*")
    present = {path.name for path in folder.iterdir()}
    assert present == {PYINSTRUMENT_JSON_FILENAME, PYINSTRUMENT_HTML_FILENAME}
    analysis = PyinstrumentAnalysis(
        local_profile_dir=str(tmp_path / "framework/tensorflow/pyinstrument")
    )
    (stats,) = analysis.fetch_pre_step_zero_profile_stats()
    assert stats.json_stats["root_frame"]["time"] > 0
    assert stats.html_file_path == str(folder / PYINSTRUMENT_HTML_FILENAME)


def test_a_whole_run_by_the_default_clock(configure, tmp_path):
    part = {"StartStep": 9, "NumSteps": 3, "cProfileTimer": "default"}
    parameters = {"LocalPath": str(tmp_path), "PythonProfilingConfig": json.dumps(part)}
    parser = configure({"ProfilingParameters": parameters})
    parser.start_pre_step_zero_python_profiling()
    clocks = {}
    for step in range(14):
        parser.handle_step_start_python_profiling(ModeKeys.TRAIN, step)
        if parser.python_profiler.is_profiling:
            clocks[step] = parser.python_profiler.cprofile_timer.__name__
        parser.handle_forward_pass_end_python_profiling(ModeKeys.TRAIN, step)
    parser.start_post_hook_close_python_profiling()
    parser.stop_post_hook_close_python_profiling()
    assert clocks == {9: "total_time", 10: "cpu_time", 11: "off_cpu_time"}
    frame = cProfileAnalysis(
        local_profile_dir=str(tmp_path / "framework/pytorch/cprofile")
    ).list_profile_stats()
    found = zip(frame["start_mode"], frame["start_step"], frame["end_mode"], frame["end_step"])
    assert list(found) == [
        ("prestepzero", -1, "train", 0),
        ("train", 9, "train", 9),
        ("train", 9, "train", 10),
        ("train", 10, "train", 10),
        ("train", 10, "train", 11),
        ("train", 11, "train", 11),
        ("train", 11, "train", 12),
        ("prestepzero", -1, "posthookclose", math.inf),
    ]


def test_modes():
    for mode in PythonProfileModes:
        assert str_to_python_profile_mode(python_profile_mode_to_str(mode)) is mode
    assert mode_keys_to_python_profile_mode(ModeKeys.EVAL) is PythonProfileModes.EVAL
    with pytest.raises(ValueError, match="unknown mode 'zzz'"):
        str_to_python_profile_mode("zzz")
