"""Profiler data as pandas frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tensorwarden.profiler.constants import CONVERT_TO_MICROSECS
from tensorwarden.profiler.framework_reader import (
    LocalAlgorithmMetricsReader,
    S3AlgorithmMetricsReader,
)
from tensorwarden.profiler.system_reader import LocalSystemMetricsReader, S3SystemMetricsReader
from tensorwarden.profiler.trace_events import TraceEvent
from tensorwarden.profiler.units import (
    convert_utc_datetime_to_microseconds,
    us_since_epoch_to_human_readable_time,
)
from tensorwarden.sagemaker.helpers import match_inc
from tensorwarden.sagemaker.s3 import is_s3

if TYPE_CHECKING:
    import pandas as pd

SYSTEM = ["timestamp", "timestamp_us", "value", "system_metric", "dimension", "nodeID", "type"]
FRAMEWORK = [
    *("start_time", "end_time", "start_time_us", "end_time_us", "tid", "pid"),
    *("framework_metric", "step", "bytes", "process", "nodeID"),
]
DATALOADER = [
    *("start_time", "end_time", "start_time_us", "end_time_us", "duration_us", "pid"),
    *("framework_metric", "step", "worker_id", "num_workers", "pin_memory", "process", "node_id"),
]
FOREVER_US = 1 << 62


def _name(event: TraceEvent) -> str:
    args = event.event_args or {}
    return args.get("layer_name") or args.get("name") or event.event_name


class PandasFrame:
    """The data of a run on disk or in S3. Relative times (`…_us`) count from `start_time`, the
    time in the name of the first file of system metrics."""

    def __init__(
        self, path: str, use_in_memory_cache: bool = False, scan_interval: int = 5_000_000_000
    ):
        if scan_interval <= 0:
            raise ValueError(f"scan_interval is {scan_interval}: microseconds above 0 are taken")
        self.path = path
        self.interval = scan_interval
        if is_s3(path)[0]:
            self.system_metrics_reader: Any = S3SystemMetricsReader(path, use_in_memory_cache)
            self.framework_metrics_reader: Any = S3AlgorithmMetricsReader(path, use_in_memory_cache)
        else:
            self.system_metrics_reader = LocalSystemMetricsReader(path, use_in_memory_cache)
            self.framework_metrics_reader = LocalAlgorithmMetricsReader(path, use_in_memory_cache)
        self.start_time = self.system_metrics_reader.get_timestamp_of_first_available_file()
        self._system_rows: list[tuple[Any, ...]] = []
        self._framework_rows: list[tuple[Any, ...]] = []

    def get_all_system_metrics(self, selected_system_metrics: Sequence[str] = ()) -> pd.DataFrame:
        """All system metrics, or those of the names given."""
        rows = self._system(0, FOREVER_US, selected_system_metrics)
        return self._frame(rows, SYSTEM)

    def get_all_framework_metrics(
        self, selected_framework_metrics: Sequence[str] = ()
    ) -> pd.DataFrame:
        """All spans since the first system metrics, or those whose name or phase is given."""
        end = self.framework_metrics_reader.get_timestamp_of_latest_available_file()
        rows = self._framework(self.start_time, end, selected_framework_metrics)
        return self._frame(rows, FRAMEWORK)

    def get_profiler_data_by_time(
        self,
        start_time_us: int,
        end_time_us: int,
        cache_metrics: bool = False,
        selected_framework_metrics: Sequence[str] = (),
        selected_system_metrics: Sequence[str] = (),
        get_framework_metrics: bool = True,
        get_system_metrics: bool = True,
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """System metrics and spans between two moments (µs since 1970). With cache_metrics the
        frames also hold what earlier such calls found."""
        system = framework = []
        if get_system_metrics:
            system = self._system(start_time_us, end_time_us, selected_system_metrics)
        if get_framework_metrics:
            framework = self._framework(start_time_us, end_time_us, selected_framework_metrics)
        if cache_metrics:
            self._system_rows += system
            self._framework_rows += framework
            system, framework = self._system_rows, self._framework_rows
        return self._frame(system, SYSTEM), self._frame(framework, FRAMEWORK)

    def get_profiler_data_by_step(
        self, start_step: int, end_step: int, cache_metrics: bool = False
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The spans of steps from start to end, both included, and the system metrics from the
        first moment of them to the last."""
        framework = self.get_all_framework_metrics()
        framework = framework[framework["step"].between(start_step, end_step)]
        framework = framework.reset_index(drop=True)
        if framework.empty:
            return self._frame([], SYSTEM), framework
        system, _ = self.get_profiler_data_by_time(
            int(framework["start_time_us"].min()) + self.start_time,
            int(framework["end_time_us"].max()) + self.start_time,
            cache_metrics=cache_metrics,
            get_framework_metrics=False,
        )
        return system, framework

    def get_all_dataloader_metrics(
        self, selected_framework_metrics: Sequence[str] = ()
    ) -> pd.DataFrame:
        """All spans with what data loaders say of themselves; the names given are patterns."""
        end = self.framework_metrics_reader.get_timestamp_of_latest_available_file()
        patterns = list(selected_framework_metrics)
        rows = []
        for event in self._events(self.start_time, end):
            if patterns and not (
                match_inc(event.event_name, patterns) or match_inc(event.event_phase, patterns)
            ):
                continue
            args = event.event_args or {}
            times = self._times(event)
            loader = (
                int(args.get("worker_id", -1)),
                int(args.get("num_workers", -1)),
                str(bool(args["pin_memory"])) if "pin_memory" in args else "NA",
            )
            step = int(args.get("step_num", -1))
            row = (*times, event.duration, event.pid, _name(event), step, *loader)
            rows.append((*row, event.event_phase, event.node_id))
        return self._frame(rows, DATALOADER)

    def get_framework_metrics_by_timesteps(
        self, timestep_list: Sequence[str] = (), selected_framework_metrics: Sequence[str] = ()
    ) -> tuple[dict[str, float], dict[str, int], dict[str, int]]:
        """The time in spans that go on at some moments, for each moment: by phase, as a share of
        the largest; by name and by step phase, in microseconds."""
        moments = sorted(self.convert_datetime_to_timestamp(text) for text in timestep_list)
        phases: dict[str, int] = {}
        names: dict[str, int] = {}
        steps: dict[str, int] = {}
        if not moments:
            return phases, names, steps
        for event in self._events(moments[0], moments[-1], selected_framework_metrics):
            hits = sum(event.start_time < moment < event.end_time for moment in moments)
            if hits:
                spent = hits * event.duration
                group = steps if "Step" in event.event_phase else phases
                group[event.event_phase] = group.get(event.event_phase, 0) + spent
                if "Step" not in event.event_name:
                    names[event.event_name] = names.get(event.event_name, 0) + spent
        return _shares(phases), names, steps

    def get_framework_metrics_by_begin_and_end_timesteps(
        self,
        begin_timestep_list: Sequence[str],
        end_timestep_list: Sequence[str],
        selected_framework_metrics: Sequence[str] = (),
    ) -> tuple[dict[str, float], dict[str, float]]:
        """The time in spans that overlap some intervals, for each interval: by phase and by name,
        as shares of the largest."""
        to_us = self.convert_datetime_to_timestamp
        intervals = [
            (to_us(begin), to_us(end)) for begin, end in zip(begin_timestep_list, end_timestep_list)
        ]
        phases: dict[str, int] = {}
        names: dict[str, int] = {}
        if not intervals:
            return phases, names
        first, last = min(begin for begin, _ in intervals), max(end for _, end in intervals)
        for event in self._events(first, last, selected_framework_metrics):
            hits = sum(event.end_time >= b and event.start_time <= e for b, e in intervals)
            if hits and "Step" not in event.event_name:
                spent = hits * event.duration
                phases[event.event_phase] = phases.get(event.event_phase, 0) + spent
                names[event.event_name] = names.get(event.event_name, 0) + spent
        return _shares(phases), _shares(names)

    def convert_datetime_to_timestamp(self, timestamp: str) -> int:
        """The microseconds since 1970 of a time as the frames show it."""
        moment = datetime.strptime(timestamp, "%Y-%m-%dT%H:%M:%S:%f")
        return convert_utc_datetime_to_microseconds(moment)

    def _system(self, start: int, end: int, selected: Sequence[str]) -> list[tuple[Any, ...]]:
        rows = []
        for event in self.system_metrics_reader.get_events(start, end):
            if selected and event.name not in selected:
                continue
            at = round(event.timestamp * CONVERT_TO_MICROSECS)
            text = us_since_epoch_to_human_readable_time(at)
            metric = (event.value, event.name, event.dimension, event.node_id, event.type)
            rows.append((text, at - self.start_time, *metric))
        return rows

    def _times(self, event: TraceEvent) -> tuple[str, str, int, int]:
        return (
            us_since_epoch_to_human_readable_time(event.start_time),
            us_since_epoch_to_human_readable_time(event.end_time),
            int(event.start_time - self.start_time),
            int(event.end_time - self.start_time),
        )

    def _framework(self, start: int, end: int, selected: Sequence[str]) -> list[tuple[Any, ...]]:
        rows = []
        for event in self._events(start, end, selected):
            args = event.event_args or {}
            about = (event.tid, event.pid, _name(event), int(args.get("step_num", -1)))
            size = int(args.get("bytes_fetched", -1))
            rows.append((*self._times(event), *about, size, event.event_phase, event.node_id))
        return rows

    def _events(self, start: int, end: int, selected: Sequence[str] = ()) -> Iterator[TraceEvent]:
        """The spans of a range whose name or phase is given; read in pieces, to hold only a part
        of a long run in memory. A span over the border of two pieces comes once."""
        reader = self.framework_metrics_reader
        reader.refresh_event_file_list()
        borders = [start]
        for time in reader.file_times():
            if time - borders[-1] >= self.interval and time < end:
                # A stretch without files is one piece, however long it is.
                borders += [time - self.interval, time]
        borders.append(end)
        over: set[tuple[Any, ...]] = set()
        for begin, until in zip(borders, borders[1:]):
            for event in reader.get_events(begin, until):
                if selected and not {event.event_name, event.event_phase} & set(selected):
                    continue
                key = (event.start_time, event.end_time, event.event_name, event.tid, event.node_id)
                if event.start_time <= begin and key in over:
                    continue
                if event.end_time >= until:
                    over.add(key)
                yield event

    @staticmethod
    def _frame(rows: list[tuple[Any, ...]], columns: list[str]) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(rows, columns=columns).drop_duplicates().reset_index(drop=True)


def _shares(values: dict[str, int]) -> dict[str, float]:
    largest = float(max(values.values(), default=0)) or 1.0
    return {key: value / largest for key, value in values.items()}
