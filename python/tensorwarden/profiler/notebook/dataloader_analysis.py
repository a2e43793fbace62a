"""Finds out how much time PyTorch's data loaders cost a training, and where they are slow."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tensorwarden.profiler.common.units import convert_utc_datetime_to_microseconds
from tensorwarden.profiler.frames import PandasFrame
from tensorwarden.profiler.notebook.system_series import FOREVER_US, TOTAL, gather, select
from tensorwarden.profiler.reading.system_columns import read_columns

if TYPE_CHECKING:
    import pandas as pd

    from tensorwarden.profiler.notebook.timeline_charts import TimelineCharts

GET_NEXT = r".*DataLoaderIter::GetNext"
INITIALIZE = "DataLoaderIterInitialize"
WORKER = "DataLoaderWorker"
BATCH_TIME = "BatchTime_in_seconds"
# An event this many times longer than the median is an outlier.
OUTLIER = 2
# The number of phases that are printed for outliers.
MOST_PHASES = 8
_TIMES = "%Y-%m-%dT%H:%M:%S:%f"


def _outliers(
    frame: pd.DataFrame, column: str, what: str, first: Sequence[str], per_second: float = 1e6
) -> pd.DataFrame | None:
    """Prints median, maximum and number of outliers of a column; returns the outliers, longest
    first, with some columns before the others. None if there are none."""
    if frame.empty:
        print(f"The timelines contain no {what}.")
        return None
    per_ms = per_second / 1000
    median = float(frame[column].median())
    found = frame[frame[column] >= OUTLIER * median] if median > 0 else frame.head(0)
    print(
        f"{len(frame)} {what}: median {median / per_ms:.3f} ms, maximum "
        f"{frame[column].max() / per_ms:.3f} ms; {len(found)} took at least {OUTLIER} times the "
        "median."
    )
    if found.empty:
        return None
    found = found.sort_values(column, ascending=False, kind="stable").reset_index(drop=True)
    return found[[*first, *(name for name in found.columns if name not in first)]]


class PT_dataloader_analysis:
    """Analyzes the timelines of a `PandasFrame`.

    The functions print what they find. Those that return a frame return the outliers, which are at
    least twice as long as the median, or None if there are none.
    """

    def __init__(self, pandas_frame: PandasFrame):
        self.pd_data_frame = pandas_frame
        self.dataIter_metric = self._events(GET_NEXT)
        self.initialize_metric = self._events(INITIALIZE)
        self.dataWorker_metric = self._events(WORKER)

    def _events(self, pattern: str) -> pd.DataFrame:
        frame = self.pd_data_frame.get_all_dataloader_metrics([pattern])
        return frame.sort_values("start_time_us", kind="stable").reset_index(drop=True)

    def analyze_dataloaderIter_initialization(self) -> None:
        """Prints the kinds of data loader iterators, their settings and the time to create
        them."""
        frame = self.initialize_metric
        if frame.empty:
            print("The timelines contain no initialization of a data loader iterator.")
            return
        settings = ["framework_metric", "num_workers", "pin_memory"]
        for (kind, workers, pinned), part in frame.groupby(settings, sort=False):
            count = workers if workers >= 0 else "an unknown number of"
            print(f"{kind} with {count} workers, pin_memory {pinned}:")
            slow = _outliers(part, "duration_us", "initializations", ("start_time", "end_time"))
            for row in () if slow is None else slow.itertuples(index=False):
                print(
                    f"  {row.start_time} to {row.end_time} on {row.node_id}: "
                    f"{row.duration_us / 1000:.3f} ms"
                )

    def analyze_dataloaderWorkers(self) -> pd.DataFrame | None:
        """Prints how long the worker processes ran; returns their slow tasks."""
        frame = self.dataWorker_metric
        if not frame.empty:
            processes = frame.groupby(["node_id", "pid"], as_index=False).agg(
                start_time=("start_time", "min"),
                end_time=("end_time", "max"),
                start_us=("start_time_us", "min"),
                end_us=("end_time_us", "max"),
            )
            processes["duration_us"] = processes["end_us"] - processes["start_us"]
            slow = _outliers(processes, "duration_us", "worker processes", ())
            for row in () if slow is None else slow.itertuples(index=False):
                print(f"  process {row.pid} on {row.node_id}: {row.start_time} to {row.end_time}")
        columns = ("start_time", "end_time", "duration_us", "worker_id")
        return _outliers(frame, "duration_us", "worker tasks", columns)

    def analyze_dataloader_getnext(self) -> pd.DataFrame | None:
        """Returns the batches that the training waited for longest."""
        columns = ("start_time", "end_time", "duration_us", "worker_id")
        return _outliers(self.dataIter_metric, "duration_us", "GetNext calls", columns)

    def analyze_batchtime(
        self,
        start_timestamp: Any = None,
        end_timestamp: Any = None,
        select_events: Sequence[str] = (".*",),
        select_dimensions: Sequence[str] = (".*",),
    ) -> pd.DataFrame | None:
        """Returns the batches that took the training long: from one GetNext call to the next.

        `BatchTime_in_seconds` is the time from `previous_batch_start` to `start_time`, when the
        next batch was requested. The times limit the calls (default: all of them); see
        `plot_the_window` for their types. Prints what happened during the outliers: the mean of the
        selected system metrics and the time in each phase.
        """
        frame = self._batches(self._moment(start_timestamp, 0), self._moment(end_timestamp))
        columns = ("previous_batch_start", "start_time", BATCH_TIME, "worker_id")
        slow = _outliers(frame, BATCH_TIME, "batches", columns, per_second=1)
        if slow is not None:
            ranges = [
                (self._moment(row.previous_batch_start), self._moment(row.start_time))
                for row in slow.itertuples(index=False)
            ]
            self._print_usage(ranges, select_events, select_dimensions)
            self._print_phases(ranges)
        return slow

    def _batches(self, start_us: float, end_us: float) -> pd.DataFrame:
        """Returns the GetNext calls in a range that follow another one of the same process."""
        import pandas as pd

        base = self.pd_data_frame.start_time
        frame = self.dataIter_metric
        frame = frame[(frame["start_time_us"] + base).between(start_us, end_us)]
        earlier = frame.groupby(["node_id", "pid"])
        frame = frame.assign(
            previous_batch_start=earlier["start_time"].shift(),
            **{BATCH_TIME: earlier["start_time_us"].diff() / 1e6},
        )
        # The first call of a process has none before it.
        frame = frame[frame[BATCH_TIME].notna()].copy()
        for column in ("previous_batch_start", "start_time", "end_time"):
            frame[column] = pd.to_datetime(frame[column], format=_TIMES)
        return frame

    def _print_usage(
        self,
        ranges: list[tuple[float, float]],
        events: Sequence[str],
        dimensions: Sequence[str],
    ) -> None:
        """Prints the mean of each selected system metric in some time ranges."""
        sums: dict[str, list[float]] = {}
        for start, end in ranges:
            columns = read_columns(self.pd_data_frame.system_metrics_reader, start, end)
            found = select(gather(columns, dimensions, show_workers=False), events)
            for key, some in found.items():
                for event, series in some.items():
                    # The mean is of use only for what has the same unit: named dimensions.
                    if event != TOTAL or key:
                        name = f"{key} {event}".strip()
                        sums.setdefault(name, []).extend(series.value.tolist())
        for name, values in sums.items():
            print(f"  {name}: {sum(values) / len(values):.3g} on average")

    def _print_phases(self, ranges: list[tuple[float, float]]) -> None:
        """Prints the phases with the most time in some time ranges."""
        spent: dict[str, int] = {}
        for start, end in ranges:
            _, frame = self.pd_data_frame.get_profiler_data_by_time(
                int(start), int(end), get_system_metrics=False
            )
            base = self.pd_data_frame.start_time
            first = (frame["start_time_us"] + base).clip(lower=start)
            inside = ((frame["end_time_us"] + base).clip(upper=end) - first).clip(lower=0)
            for phase, us in inside.groupby(frame["process"]).sum().items():
                spent[str(phase)] = spent.get(str(phase), 0) + int(us)
        longest = sorted(spent.items(), key=lambda pair: -pair[1])
        for phase, us in longest[:MOST_PHASES]:
            print(f"  {phase}: {us / 1000:.3f} ms")

    def plot_the_window(
        self,
        start_timestamp: Any = None,
        end_timestamp: Any = None,
        select_events: Sequence[str] = (".*",),
        select_dimensions: Sequence[str] = (".*",),
    ) -> TimelineCharts:
        """Returns charts of the system metrics between two times (default: of the whole run).

        Times are as shown in the frames: texts or datetimes, or µs since 1970.
        """
        from tensorwarden.profiler.notebook.timeline_charts import TimelineCharts

        return TimelineCharts(
            self.pd_data_frame.system_metrics_reader,
            self.pd_data_frame.framework_metrics_reader,
            starttime=self._moment(start_timestamp, 0),
            endtime=self._moment(end_timestamp),
            select_dimensions=select_dimensions,
            select_events=select_events,
        )

    def _moment(self, timestamp: Any, otherwise: float = FOREVER_US) -> float:
        """Returns a time in µs since 1970; `otherwise` if none is given."""
        if timestamp is None:
            return otherwise
        if isinstance(timestamp, str):
            return self.pd_data_frame.convert_datetime_to_timestamp(timestamp)
        if isinstance(timestamp, datetime):  # Includes the timestamps of pandas.
            return convert_utc_datetime_to_microseconds(timestamp)
        return timestamp
