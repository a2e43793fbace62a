"""Makes `aligned/` and `expected.json` beside this file.

To be run by an interpreter that has the original library, which is asked what it sees in `run/` (a
recorded training, shortened) and in `aligned/` (the same timeline with made-up system metrics of
the same moments). The tests compare our answers with these.
"""

import json
import math
import random
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIRST_US = 1794705514568837
START = "start_time_since_epoch_in_micros"
METRICS = [
    ("cpu", "CPUUtilization", ["cpu0", "cpu1"], 95),
    ("gpu", "GPUUtilization", ["gpu0"], 100),
    ("gpu", "GPUMemoryUtilization", ["gpu0"], 60),
    ("memory", "", ["MemoryUsedPercent"], 30),
    ("i/o", "", ["IOPS"], 9),
    ("network", "Algorithm", ["ReceiveBytesPerSecond"], 5000),
]


def make_aligned(folder):
    """Ten samples of two nodes around the steps of the recorded training."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "run/framework/pevents", folder / "framework/pevents")
    system = folder / "system/incremental/2026111501"
    system.mkdir(parents=True)
    random.seed(7)
    for node in ("algo-1", "algo-2"):
        with (system / f"1794705480.{node}.json").open("w") as out:
            for tick in range(10):
                at = (FIRST_US - 5000 + 7000 * tick) / 1e6
                for kind, dimension, names, top in METRICS:
                    for name in names:
                        value = round(random.uniform(0, top), 2)
                        line = dict(Type=kind, Name=name, Dimension=dimension, Value=value)
                        line.update(NodeId=node, Timestamp=at)
                        out.write(json.dumps(line) + "\n")


def plain(value):
    """`value` as JSON can hold it; addresses of threads, which differ from run to run, left out."""
    import pandas as pd

    if isinstance(value, pd.DataFrame):
        frame = value.drop(columns=[c for c in ("tid", "stats_path") if c in value.columns])
        rows = frame.reset_index(drop=True).values.tolist()
        return {"columns": [plain(c) for c in value.columns], "rows": plain(rows)}
    if isinstance(value, pd.Series):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (int, float, str, bool)) else str(value)


def ask(call, *args, **kwargs):
    """The answer of a call, or the error that it raised."""
    try:
        return plain(call(*args, **kwargs))
    except Exception as error:
        return {"error": type(error).__name__}


def readers(path):
    from smdebug.profiler.algorithm_metrics_reader import LocalAlgorithmMetricsReader
    from smdebug.profiler.system_metrics_reader import LocalSystemMetricsReader

    system, framework = LocalSystemMetricsReader(path), LocalAlgorithmMetricsReader(path)

    def system_events(start, end, **kwargs):
        return [
            [e.type, e.name, e.dimension, e.value, e.node_id, e.timestamp]
            for e in system.get_events(start, end, **kwargs)
        ]

    def framework_events(events):
        return [
            [
                *(e.event_name, e.event_phase, e.start_time, e.end_time, e.duration, e.phase_pid),
                *(e.pid, e.node_id, e.file_type, e.event_args),
            ]
            for e in events
        ]

    return {
        "system_all": system_events(0, 1 << 62),
        "system_second": system_events(1767268801000000, 1767268801500000),
        "system_gpu": system_events(0, 1 << 62, event_type="gpu"),
        "system_span": [
            system.get_timestamp_of_first_available_file(),
            system.get_timestamp_of_latest_available_file(),
        ],
        "framework_all": framework_events(framework.get_events(0, 1 << 62)),
        "framework_some": framework_events(
            framework.get_events(1794705514575004, 1794705514581369)
        ),
        "framework_steps": framework_events(framework.get_events_by_step(2, 4)),
        "framework_span": [
            framework.get_timestamp_of_first_available_file(),
            framework.get_timestamp_of_latest_available_file(),
        ],
    }


def frames(path):
    from smdebug.profiler.analysis.utils.pandas_data_analysis import (
        PandasFrameAnalysis,
        Resource,
        StatsBy,
    )
    from smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame

    frame = PandasFrame(path)
    system, framework = frame.get_all_system_metrics(), frame.get_all_framework_metrics()
    times = framework["start_time"].tolist()
    answers = {
        "start_time": frame.start_time,
        "system": plain(system),
        "framework": plain(framework),
        "system_cpu0": ask(frame.get_all_system_metrics, ["cpu0"]),
        "framework_forward": ask(frame.get_all_framework_metrics, ["Forward"]),
        "by_time": ask(frame.get_profiler_data_by_time, FIRST_US + 10000, FIRST_US + 20000),
        "by_step": ask(frame.get_profiler_data_by_step, 2, 4),
        # The last moment is between two steps: the original leaves it out of account.
        "by_timesteps": ask(
            frame.get_framework_metrics_by_timesteps, [*times[3:8], "2026-11-15T01:18:34:582500"]
        ),
        "by_begin_end": ask(
            frame.get_framework_metrics_by_begin_and_end_timesteps, times[3:5], times[9:11]
        ),
        "dataloader": ask(frame.get_all_dataloader_metrics, ["Forward"]),
        "to_timestamp": ask(frame.convert_datetime_to_timestamp, times[3]),
        "times": times[:12],
    }
    analysis = PandasFrameAnalysis(system, framework)
    stats = analysis.get_job_statistics()
    phases = ["Step:ModeKeys.TRAIN", "Step:ModeKeys.EVAL"]
    intervals = analysis.get_training_phase_intervals(phases)
    answers.update(
        job={k: plain(stats[k]) for k in vars(stats)} if vars(stats) else plain(dict(stats)),
        steps_by_phase=ask(analysis.get_step_statistics),
        steps_by_metric=ask(analysis.get_step_statistics, StatsBy.FRAMEWORK_METRICS),
        steps_by_process=ask(analysis.get_step_statistics, StatsBy.PROCESS),
        utilization=ask(analysis.get_utilization_stats),
        utilization_gpu=ask(analysis.get_utilization_stats, Resource.GPU),
        utilization_two=ask(analysis.get_utilization_stats, [Resource.CPU, Resource.GPU]),
        utilization_phase=ask(analysis.get_utilization_stats, Resource.CPU, StatsBy.TRAINING_PHASE),
        utilization_one_phase=ask(
            analysis.get_utilization_stats, None, StatsBy.TRAINING_PHASE, ["Step:ModeKeys.TRAIN"]
        ),
        usage=ask(analysis.get_device_usage_stats),
        usage_gpu=ask(analysis.get_device_usage_stats, Resource.GPU, [(0, 50), (50, 100)]),
        intervals=ask(analysis.get_training_phase_intervals),
        intervals_two=plain(intervals),
        intervals_none=ask(analysis.get_training_phase_intervals, ["nothing"]),
        by_step_range=ask(frame.get_profiler_data_by_step, 3, 3),
    )
    return answers


def profiles(path):
    from smdebug.profiler.analysis.python_profile_analysis import cProfileAnalysis
    from smdebug.profiler.python_profile_utils import PythonProfileModes, StepPhase

    analysis = cProfileAnalysis(local_profile_dir=path)

    def names(stats):
        if stats is None:
            return None
        return sorted(
            [
                *(f.function_name, f.prim_calls, f.total_calls),
                *(round(f.total_time, 9), round(f.cumulative_time, 9)),
            ]
            for f in stats.function_stats_list
        )[:20]

    train, steps = PythonProfileModes.TRAIN, analysis.fetch_profile_stats_by_step
    training = analysis.fetch_profile_stats_by_training_phase()
    return {
        "list": plain(
            analysis.list_profile_stats().sort_values("start_time_since_epoch_in_micros")
        ),
        "nodes": analysis.list_available_node_ids(),
        "step_6": names(steps(6)),
        "step_6_7": names(steps(6, 7)),
        "step_6_forward": names(
            steps(6, 6, train, StepPhase.STEP_START, StepPhase.FORWARD_PASS_END)
        ),
        "step_6_backward": names(
            steps(6, 7, train, StepPhase.FORWARD_PASS_END, StepPhase.STEP_START)
        ),
        "step_99": names(steps(99)),
        "time": names(analysis.fetch_profile_stats_by_time(1794705514.59, 1794705514.5945)),
        "modes": names(analysis.fetch_profile_stats_between_modes(train, train)),
        "pre": names(analysis.fetch_pre_step_zero_profile_stats()),
        "post": names(analysis.fetch_post_hook_close_profile_stats()),
        "training_phases": {
            f"{a.name}-{b.name}" if hasattr(a, "name") else f"{a}-{b}": names(v)
            for (a, b), v in training.items()
        },
    }


def merged(path):
    from smdebug.profiler.analysis.utils.merge_timelines import MergedTimeline, MergeUnit

    out = {}
    for key, args in (
        ("time", (FIRST_US, FIRST_US + 20000)),
        ("step", (2, 4, MergeUnit.STEP)),
    ):
        folder = tempfile.mkdtemp()
        name = MergedTimeline(path, output_directory=folder).merge_timeline(*args)
        events = json.loads(Path(name).read_text())
        for event in events:
            event.pop("tid", None)
            if "name" in event.get("args", {}) and event["name"] == "thread_name":
                event["args"]["name"] = event["args"]["name"].rsplit("_", 1)[0]
        out[key] = events
    return out


def main():
    make_aligned(HERE / "aligned")
    answers = {
        "run": readers(str(HERE / "run")),
        "aligned": frames(str(HERE / "aligned")),
        "profiles": profiles(str(HERE / "run/framework/pytorch/cprofile")),
        "merged": merged(str(HERE / "aligned")),
    }
    text = json.dumps(answers, indent=None, separators=(",", ":"), sort_keys=True)
    (HERE / "expected.json").write_text(text.replace("]],", "]],\n") + "\n")


if __name__ == "__main__":
    sys.exit(main())
