"""Finds out how much time PyTorch's data loaders cost a training, and where they are slow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tensorwarden.profiler.frames import PandasFrame

if TYPE_CHECKING:
    import pandas as pd

    from tensorwarden.profiler.notebook.timeline_charts import TimelineCharts

GET_NEXT = r".*DataLoaderIter::GetNext"
INITIALIZE = "DataLoaderIterInitialize"
WORKER = "DataLoaderWorker"
# An event this many times longer than the median is an outlier.
OUTLIER = 2


def _outliers(frame: pd.DataFrame, column: str, what: str) -> pd.DataFrame | None:
    """Returns the slow rows; prints a note and returns None if there are no rows."""
    if frame.empty:
        print(f"The timelines contain no {what}.")
        return None
    median = float(frame[column].median())
    found = frame[frame[column] >= OUTLIER * median] if median > 0 else frame.head(0)
    print(
        f"{len(frame)} {what}: median {median / 1000:.3f} ms, longest "
        f"{frame[column].max() / 1000:.3f} ms; {len(found)} took at least {OUTLIER} times the "
        "median."
    )
    return found.reset_index(drop=True)


class PT_dataloader_analysis:
    """Analyzes the timelines of a `PandasFrame`."""

    def __init__(self, pandas_frame: PandasFrame):
        self.pd_data_frame = pandas_frame
        self.dataIter_metric = self._events(GET_NEXT)
        self.initialize_metric = self._events(INITIALIZE)
        self.dataWorker_metric = self._events(WORKER)

    def _events(self, pattern: str) -> pd.DataFrame:
        frame = self.pd_data_frame.get_all_dataloader_metrics([pattern])
        return frame.sort_values("start_time_us", kind="stable").reset_index(drop=True)

    def analyze_dataloaderIter_initialization(self) -> None:
        """Prints the settings of each data loader iterator and the time to create it."""
        frame = self.initialize_metric
        if frame.empty:
            print("The timelines contain no initialization of a data loader iterator.")
            return
        for kind, part in frame.groupby("framework_metric", sort=False):
            print(
                f"{kind}: {len(part)} times, {part['duration_us'].mean() / 1000:.3f} ms on average"
            )
        for row in frame.itertuples(index=False):
            workers = row.num_workers if row.num_workers >= 0 else "an unknown number of"
            print(
                f"  {row.start_time} on {row.node_id}: {workers} workers, pin_memory "
                f"{row.pin_memory}, {row.duration_us / 1000:.3f} ms"
            )

    def analyze_dataloaderWorkers(self) -> pd.DataFrame | None:
        """Returns the slow tasks of workers; None without workers."""
        frame = self.dataWorker_metric
        if not frame.empty:
            print(f"{frame.groupby(['node_id', 'pid']).ngroups} worker processes.")
        return _outliers(frame, "duration_us", "worker tasks")

    def analyze_dataloader_getnext(self) -> pd.DataFrame | None:
        """Returns the batches that the training waited for longest; None without batches."""
        return _outliers(self.dataIter_metric, "duration_us", "batch waits")

    def analyze_batchtime(self) -> pd.DataFrame | None:
        """Returns the batches after which the next one was requested late; None without batches.

        The column `BatchTime_in_us` contains the time between two batches.
        """
        frame = self.dataIter_metric.copy()
        following = frame.groupby(["node_id", "pid"])["start_time_us"].shift(-1)
        frame["BatchTime_in_us"] = following - frame["start_time_us"]
        # The last batch of a process has no next one.
        frame = frame[frame["BatchTime_in_us"].notna()].astype({"BatchTime_in_us": "int64"})
        return _outliers(frame, "BatchTime_in_us", "batch intervals")

    def plot_the_window(
        self,
        start_timestamp: str | float,
        end_timestamp: str | float,
        select_events: Sequence[str] = (".*",),
        select_dimensions: Sequence[str] = (".*",),
    ) -> TimelineCharts:
        """Returns charts of the system metrics between two times, as shown in the frames or in µs
        since 1970."""
        from tensorwarden.profiler.notebook.timeline_charts import TimelineCharts

        return TimelineCharts(
            self.pd_data_frame.system_metrics_reader,
            self.pd_data_frame.framework_metrics_reader,
            starttime=self._moment(start_timestamp),
            endtime=self._moment(end_timestamp),
            select_dimensions=select_dimensions,
            select_events=select_events,
        )

    def _moment(self, timestamp: Any) -> float:
        if isinstance(timestamp, str):
            return self.pd_data_frame.convert_datetime_to_timestamp(timestamp)
        return timestamp
