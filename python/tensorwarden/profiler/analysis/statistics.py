"""Statistics of profiler data frames: the job, its steps, the utilization of its machines."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.analysis.intervals import mark_phases, phase_intervals

if TYPE_CHECKING:
    import pandas as pd


class StatsBy(Enum):
    """What steps are grouped by."""

    TRAINING_PHASE = "training_phase"
    FRAMEWORK_METRICS = "framework_metric"
    PROCESS = "process"


class Resource(Enum):
    """Kinds of system metrics."""

    CPU = "cpu"
    GPU = "gpu"
    IO = "i/o"
    NETWORK = "network"
    MEMORY = "memory"


STATISTICS = {"mean": None, "min": 0.0, "max": 1.0, "p50": 0.5, "p95": 0.95, "p99": 0.99}
DEFAULT_RANGES = [(90, 100), (10, 90), (0, 10)]
STEP = "Step:ModeKeys"


class JobStats(dict):
    """Statistics of a job; also accessible as attributes, and printed as a table."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(
            f"{k:<{width}}  {v.iloc[0] if hasattr(v, 'iloc') else v}" for k, v in self.items()
        )


def _statistics(values: Any, prefix: str, suffix: str = "") -> dict[str, float]:
    """Returns the statistics of a column, with the names used in the frames."""
    return {
        f"{prefix}_{name}{suffix}": float(
            values.mean() if quantile is None else values.quantile(quantile)
        )
        for name, quantile in STATISTICS.items()
    }


class PandasFrameAnalysis:
    """Computes statistics from the frames of a `PandasFrame`.

    Adds a column `duration_us` to the framework frame. A span without a step gets the step it
    happened in; -1 remains if there is none.
    """

    def __init__(self, system_df: pd.DataFrame, framework_df: pd.DataFrame):
        self.sys_metrics_df = system_df
        self.framework_metrics_df = framework_df
        framework_df["duration_us"] = framework_df["end_time_us"] - framework_df["start_time_us"]
        self._assign_steps()

    def _steps(self) -> pd.DataFrame:
        frame = self.framework_metrics_df
        return frame[frame["framework_metric"].str.contains(STEP, regex=False, na=False)]

    def _assign_steps(self) -> None:
        frame = self.framework_metrics_df
        if frame.empty:
            return
        steps, lost = self._steps(), frame[frame["step"] == -1]
        steps = steps[steps["step"] != -1]
        if lost.empty:
            return
        columns = ("start_time_us", "end_time_us", "step")
        for start, end, step in zip(*(steps[name] for name in columns)):
            inside = (lost["start_time_us"] > start) & (lost["end_time_us"] < end)
            frame.loc[lost.index[inside], "step"] = step
            lost = lost[~inside]

    def get_job_statistics(self) -> JobStats:
        """Returns start, end and duration of the job and its training loop, in µs and percent.

        The loop lasts from the first step to the end of the last span. Raises KeyError without a
        first step or without system metrics.
        """
        system, steps = self.sys_metrics_df, self._steps()
        first = steps[
            (steps["step"] == 0)
            & steps["framework_metric"].isin([f"{STEP}.TRAIN", f"{STEP}.GLOBAL"])
        ]
        if first.empty or system.empty:
            what = "system metrics" if system.empty else "step 0 of mode TRAIN or GLOBAL"
            raise KeyError(f"cannot compute job statistics: the job has no {what}")
        first = first.sort_values("start_time_us").head(1).reset_index(drop=True)
        last = self.framework_metrics_df.loc[self.framework_metrics_df["end_time_us"].idxmax()]
        begin, end = system["timestamp_us"].min(), system["timestamp_us"].max()
        duration = max(int(end - begin), 1)
        loop = last["end_time_us"] - first["start_time_us"]
        before = int(first["start_time_us"][0] - begin)
        after = int(end - last["end_time_us"])
        return JobStats(
            {
                "start_time": system.loc[system["timestamp_us"].idxmin(), "timestamp"],
                "end_time": system.loc[system["timestamp_us"].idxmax(), "timestamp"],
                "job_duration": int(end - begin),
                "training_loop_start": first["start_time"][0],
                "training_loop_end": last["end_time"],
                # A series, because notebooks read its first element.
                "training_loop_duration": loop,
                "initialization": before,
                "finalization": after,
                "initialization_%": before / duration * 100,
                "training_loop_%": loop / duration * 100,
                "finalization_%": after / duration * 100,
            }
        )

    def get_step_statistics(self, by: StatsBy = StatsBy.TRAINING_PHASE) -> pd.DataFrame | None:
        """Returns statistics of step durations, from the first to the last event of a group in a
        step.

        Returns None, with a log message, if `by` is not a StatsBy.
        """
        import pandas as pd

        if not isinstance(by, StatsBy):
            get_logger().info(f"by is {by!r}; expected a member of StatsBy")
            return None
        frame, column = self.framework_metrics_df, by.value
        if by is StatsBy.TRAINING_PHASE:
            frame, column = self._steps(), "framework_metric"
        spans = frame.groupby([column, "step"]).agg({"start_time_us": "min", "end_time_us": "max"})
        lengths = spans["end_time_us"] - spans["start_time_us"]
        rows = [
            {by.value: name, **_statistics(values, "duration", "_us")}
            for name, values in lengths.groupby(level=0)
        ]
        names = [by.value, *(f"duration_{name}_us" for name in STATISTICS)]
        return pd.DataFrame(rows, columns=names)

    def get_utilization_stats(
        self,
        resource: Resource | Sequence[Resource] | None = None,
        by: StatsBy | None = None,
        phase: str | Sequence[str] | None = None,
    ) -> pd.DataFrame | None:
        """Returns the utilization of each kind of resource on each node.

        With `by=StatsBy.TRAINING_PHASE`, for each phase of the training. Raises ValueError without
        data.
        """
        import pandas as pd

        resources = self._resources(resource, list(Resource))
        if resources is None or (by is not None and not isinstance(by, StatsBy)):
            get_logger().info(
                f"resource is {resource!r} and by is {by!r}; expected Resource and StatsBy"
            )
            return None
        frame, keys = self.sys_metrics_df, ["nodeID"]
        if by is StatsBy.TRAINING_PHASE:
            intervals = self.get_training_phase_intervals(phase)
            if intervals is None:
                return None
            frame, keys = mark_phases(frame, intervals), ["Training_phase", "nodeID"]
        kinds = [kind for kind in frame["type"].unique() if kind in resources]
        rows = []
        for kind in kinds:
            for group, part in frame[frame["type"] == kind].groupby(
                keys if len(keys) > 1 else keys[0]
            ):
                named = dict(zip(keys, group if isinstance(group, tuple) else (group,)))
                rows.append(
                    {"Resource": kind, **named, **_statistics(part["value"], "utilization")}
                )
        if not rows:
            raise ValueError("no system metrics of the requested resources")
        return pd.DataFrame(rows)

    @staticmethod
    def _resources(wanted: Any, default: list[Resource]) -> list[str] | None:
        chosen = default if wanted is None else wanted
        chosen = [chosen] if isinstance(chosen, Resource) else chosen
        if not isinstance(chosen, list) or any(not isinstance(one, Resource) for one in chosen):
            return None
        return [one.value for one in chosen]

    def get_device_usage_stats(
        self,
        device: Resource | Sequence[Resource] | None = None,
        utilization_ranges: Sequence[tuple[float, float]] | None = None,
    ) -> pd.DataFrame:
        """Returns the number of samples of each node in each range, including both ends.

        A sample counts for the first matching range. Returns an empty frame for invalid arguments.
        """
        import pandas as pd

        devices = self._resources(device, [Resource.CPU, Resource.GPU])
        ranges = DEFAULT_RANGES if utilization_ranges is None else utilization_ranges
        pairs = isinstance(ranges, list) and all(
            isinstance(one, (tuple, list)) and len(one) == 2 for one in ranges
        )
        if devices is None or not pairs:
            get_logger().info(
                f"device is {device!r} and utilization_ranges is {utilization_ranges!r}; expected "
                "Resource and a list of pairs"
            )
            return pd.DataFrame()

        def fitting(value: float) -> tuple[float, float] | None:
            return next(((one[0], one[1]) for one in ranges if one[0] <= value <= one[1]), None)

        frame = self.sys_metrics_df[self.sys_metrics_df["type"].isin(devices)]
        counts: dict[tuple[str, str], dict[Any, int]] = {}
        for kind, node, value in zip(frame["type"], frame["nodeID"], frame["value"]):
            found = fitting(value)
            if found is not None:
                row = counts.setdefault((kind, node), {})
                row[found] = row.get(found, 0) + 1
        used = sorted({one for row in counts.values() for one in row})
        rows = [
            {"type": kind, "nodeID": node, **{one: row.get(one, 0) for one in used}}
            for (kind, node), row in sorted(counts.items())
        ]
        return pd.DataFrame(rows, columns=["type", "nodeID", *used])

    def get_training_phase_intervals(
        self, phase: str | Sequence[str] | None = None
    ) -> pd.DataFrame | None:
        """Returns when each phase of the training runs, and the time before, between and after.

        Returns None if there is no phase with this name.
        """
        return phase_intervals(self.sys_metrics_df, self.framework_metrics_df, phase)
