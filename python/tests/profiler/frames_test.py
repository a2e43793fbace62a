"""Frames and their statistics are those of the original, where those are right."""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

from smdebug.profiler.analysis.utils.pandas_data_analysis import (
    PandasFrameAnalysis,
    Resource,
    StatsBy,
)
from smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame

DATA = Path(__file__).parent / "data"
spec = importlib.util.spec_from_file_location("make", DATA / "make.py")
make = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make)
plain, FIRST_US = make.plain, make.FIRST_US


@pytest.fixture(params=["local", "s3"])
def frame(request, aligned):
    if request.param == "local":
        return PandasFrame(aligned)
    return PandasFrame(request.getfixturevalue("upload")(aligned, "job/profiler-output"))


@pytest.fixture
def analysis(aligned):
    frame = PandasFrame(aligned)
    return PandasFrameAnalysis(frame.get_all_system_metrics(), frame.get_all_framework_metrics())


def close(got, want):
    """Equal, but for the last digits of floating-point numbers."""
    if isinstance(want, dict):
        return set(got) == set(want) and all(close(got[key], want[key]) for key in want)
    if isinstance(want, list):
        return len(got) == len(want) and all(map(close, got, want))
    return got == pytest.approx(want, rel=1e-12) if isinstance(want, float) else got == want


def test_frames(frame, expected):
    want = expected["aligned"]
    assert frame.start_time == want["start_time"]
    assert plain(frame.get_all_system_metrics()) == want["system"]
    assert plain(frame.get_all_framework_metrics()) == want["framework"]
    assert plain(frame.get_all_system_metrics(["cpu0"])) == want["system_cpu0"]
    assert plain(frame.get_all_framework_metrics(["Forward"])) == want["framework_forward"]
    by_time = frame.get_profiler_data_by_time(FIRST_US + 10000, FIRST_US + 20000)
    assert plain(by_time) == want["by_time"]
    assert plain(frame.get_profiler_data_by_step(2, 4)) == want["by_step"]
    assert plain(frame.get_profiler_data_by_step(3, 3)) == want["by_step_range"]
    assert plain(frame.get_all_dataloader_metrics(["Forward"])) == want["dataloader"]


def test_times(frame, expected):
    want = expected["aligned"]
    times = want["times"]
    moments = [*times[3:8], "2026-11-15T01:18:34:582500"]
    found = frame.get_framework_metrics_by_timesteps(moments)
    assert close(plain(found), want["by_timesteps"])
    found = frame.get_framework_metrics_by_begin_and_end_timesteps(times[3:5], times[9:11])
    assert close(plain(found), want["by_begin_end"])
    assert frame.convert_datetime_to_timestamp(times[3]) == want["to_timestamp"]
    assert frame.get_framework_metrics_by_timesteps([]) == ({}, {}, {})
    only = frame.get_framework_metrics_by_timesteps(["2026-11-15T01:18:34:583500"], ["Forward"])
    assert only == ({"Forward": 1.0}, {"Net": 783}, {})


@pytest.mark.parametrize("place", ["local", "s3"])
def test_small_pieces_give_the_same(aligned, place, tmp_path, request):
    path = str(tmp_path)
    shutil.copytree(aligned, path, dirs_exist_ok=True)
    # A second writer, whose file ends in the middle of the first one's.
    (file,) = tmp_path.glob("framework/pevents/*/*.json")
    events = [e for e in json.loads(file.read_text()) if e.get("ts", 0) < 30000]
    file.with_name("1794705514589000_9-vm_pythontimeline.json").write_text(json.dumps(events))
    if place == "s3":
        path = request.getfixturevalue("upload")(path, "job/profiler-output")
    whole, pieces = PandasFrame(path), PandasFrame(path, scan_interval=500)
    left, right = whole.get_all_framework_metrics(), pieces.get_all_framework_metrics()
    assert sorted(map(tuple, left.values.tolist())) == sorted(map(tuple, right.values.tolist()))
    right = pieces.get_profiler_data_by_time(0, 1 << 62)[1]
    assert sorted(map(tuple, left.values.tolist())) == sorted(map(tuple, right.values.tolist()))
    moments = left["start_time"].tolist()
    assert close(
        plain(whole.get_framework_metrics_by_timesteps(moments)),
        plain(pieces.get_framework_metrics_by_timesteps(moments)),
    )


def test_metrics_can_be_gathered(aligned):
    frame = PandasFrame(aligned)
    for start, end in ((0, 10000), (5000, 20000)):
        range_us = (FIRST_US + start, FIRST_US + end)
        system, framework = frame.get_profiler_data_by_time(*range_us, cache_metrics=True)
    both = frame.get_profiler_data_by_time(FIRST_US, FIRST_US + 20000)
    assert len(system) == len(both[0])
    assert len(framework) == len(both[1])
    system, framework = frame.get_profiler_data_by_time(
        FIRST_US, FIRST_US + 20000, get_framework_metrics=False
    )
    assert len(system) and framework.empty


def test_runs_without_one_kind(aligned, tmp_path):
    shutil.copytree(f"{aligned}/framework", tmp_path / "framework")
    frame = PandasFrame(str(tmp_path))
    assert frame.start_time == 0
    assert frame.get_all_system_metrics().empty
    assert len(frame.get_all_framework_metrics()) == 96
    empty = PandasFrame(str(tmp_path / "nowhere"))
    assert list(empty.get_all_framework_metrics().columns)[-1] == "nodeID"
    with pytest.raises(ValueError, match="scan_interval is 0"):
        PandasFrame(str(tmp_path), scan_interval=0)


def test_job_statistics(analysis, expected):
    want = expected["aligned"]["job"]
    stats = analysis.get_job_statistics()
    got = {key: plain(value) for key, value in stats.items()}
    # Ours counts from the first sample on; the original from the name of its file.
    assert got.pop("initialization") == 5000
    assert got.pop("initialization_%") == pytest.approx(5000 / 63000 * 100)
    assert close(got, {k: v for k, v in want.items() if not k.startswith("initialization")})
    assert len(stats) == 11
    assert stats.job_duration == stats["job_duration"] == 63000
    assert stats["training_loop_duration"][0] == 50702
    assert "training_loop_start" in repr(stats)


def test_no_first_step(analysis):
    frame = analysis.framework_metrics_df
    later = PandasFrameAnalysis(analysis.sys_metrics_df, frame[frame["step"] > 0].copy())
    with pytest.raises(KeyError, match="step 0"):
        later.get_job_statistics()


def test_statistics(analysis, expected):
    want = expected["aligned"]
    phase = ["Step:ModeKeys.TRAIN"]
    for got, key in (
        (analysis.get_step_statistics(), "steps_by_phase"),
        (analysis.get_step_statistics(StatsBy.FRAMEWORK_METRICS), "steps_by_metric"),
        (analysis.get_step_statistics(StatsBy.PROCESS), "steps_by_process"),
        (analysis.get_utilization_stats(), "utilization"),
        (analysis.get_utilization_stats(Resource.GPU), "utilization_gpu"),
        (analysis.get_utilization_stats([Resource.CPU, Resource.GPU]), "utilization_two"),
        (
            analysis.get_utilization_stats(Resource.CPU, StatsBy.TRAINING_PHASE),
            "utilization_phase",
        ),
        (
            analysis.get_utilization_stats(None, StatsBy.TRAINING_PHASE, phase),
            "utilization_one_phase",
        ),
        (analysis.get_device_usage_stats(), "usage"),
        (analysis.get_device_usage_stats(Resource.GPU, [(0, 50), (50, 100)]), "usage_gpu"),
        (analysis.get_training_phase_intervals(), "intervals"),
        (analysis.get_training_phase_intervals([*phase, "Step:ModeKeys.EVAL"]), "intervals_two"),
        (analysis.get_training_phase_intervals(["nothing"]), "intervals_none"),
    ):
        assert close(plain(got), want[key]), key


def test_wrong_arguments(analysis):
    assert analysis.get_step_statistics("step") is None
    assert analysis.get_utilization_stats(resource="cpu") is None
    assert analysis.get_utilization_stats(by="training_phase") is None
    assert analysis.get_device_usage_stats("cpu").empty
    assert analysis.get_device_usage_stats(Resource.CPU, [0, 5]).empty
    assert analysis.get_training_phase_intervals(3) is None
    empty = analysis.sys_metrics_df.head(0)
    with pytest.raises(ValueError, match="no system metrics"):
        PandasFrameAnalysis(empty, analysis.framework_metrics_df).get_utilization_stats()


def test_intervals_of_a_phase_within_steps(analysis):
    frame = analysis.get_training_phase_intervals(["Forward"])
    between = "Between Forward and Forward"
    assert frame["phase"].tolist()[:3] == ["Before Forward", "Forward", between]


def test_steps_of_spans_that_do_not_say(analysis):
    frame = analysis.framework_metrics_df.copy()
    want = frame.loc[frame["framework_metric"] == "relu", "step"].tolist()
    frame.loc[frame["framework_metric"] == "relu", "step"] = -1
    outside = frame["framework_metric"] == "fc1"
    frame.loc[outside, ["start_time_us", "end_time_us"]] += 10**9
    frame.loc[outside, "step"] = -1
    PandasFrameAnalysis(analysis.sys_metrics_df, frame)
    assert frame.loc[frame["framework_metric"] == "relu", "step"].tolist() == want
    assert set(frame.loc[outside, "step"]) == {-1}
