"""Profiler data as pandas data frames."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from tensorwarden.profiler.analysis.tables import (
    dataloader_frame,
    framework_frame,
    gathered,
    system_frame,
)
from tensorwarden.profiler.common.labels import Labels
from tensorwarden.profiler.common.units import convert_utc_datetime_to_microseconds
from tensorwarden.profiler.reading.framework_reader import (
    LocalAlgorithmMetricsReader,
    S3AlgorithmMetricsReader,
)
from tensorwarden.profiler.reading.span_columns import SpanColumns
from tensorwarden.profiler.reading.system_columns import read_columns
from tensorwarden.profiler.reading.system_reader import (
    LocalSystemMetricsReader,
    S3SystemMetricsReader,
)
from tensorwarden.sagemaker.s3 import is_s3

if TYPE_CHECKING:
    import pandas as pd

FOREVER_US = 1 << 62


class PandasFrame:
    """The profiler data of a run on disk or in S3.

    Relative times (`…_us`) count from `start_time`, the time in the name of the first file of
    system metrics. Raises ValueError if `scan_interval` is not positive.
    """

    def __init__(
        self, path: str, use_in_memory_cache: bool = False, scan_interval: int = 5_000_000_000
    ):
        if scan_interval <= 0:
            raise ValueError(
                f"scan_interval is {scan_interval}; expected a positive number of microseconds"
            )
        self.path = path
        self.interval = scan_interval
        if is_s3(path)[0]:
            self.system_metrics_reader: Any = S3SystemMetricsReader(path, use_in_memory_cache)
            self.framework_metrics_reader: Any = S3AlgorithmMetricsReader(path, use_in_memory_cache)
        else:
            self.system_metrics_reader = LocalSystemMetricsReader(path, use_in_memory_cache)
            self.framework_metrics_reader = LocalAlgorithmMetricsReader(path, use_in_memory_cache)
        self.start_time = self.system_metrics_reader.get_timestamp_of_first_available_file()
        self._system_frames: list[pd.DataFrame] = []
        self._framework_frames: list[pd.DataFrame] = []

    def get_all_system_metrics(self, selected_system_metrics: Sequence[str] = ()) -> pd.DataFrame:
        """Returns all system metrics, or those with the given names."""
        return self._system(-FOREVER_US, FOREVER_US, selected_system_metrics)

    def get_all_framework_metrics(
        self, selected_framework_metrics: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Returns all spans since the first system metrics, or those with the given names or
        phases."""
        return self._framework(self.start_time, FOREVER_US, selected_framework_metrics)

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
        """Returns system metrics and spans between two times (µs since 1970).

        With `cache_metrics`, the frames also contain the results of earlier such calls.
        """
        system = system_frame(None, self.start_time)
        framework = framework_frame(None, self.start_time)
        if get_system_metrics:
            system = self._system(start_time_us, end_time_us, selected_system_metrics)
        if get_framework_metrics:
            framework = self._framework(start_time_us, end_time_us, selected_framework_metrics)
        if cache_metrics:
            system = gathered(self._system_frames, system)
            framework = gathered(self._framework_frames, framework)
        return system, framework

    def get_profiler_data_by_step(
        self, start_step: int, end_step: int, cache_metrics: bool = False
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Returns the spans of a range of steps, both ends included, and the system metrics during
        them."""
        framework = self.get_all_framework_metrics()
        framework = framework[framework["step"].between(start_step, end_step)]
        framework = framework.reset_index(drop=True)
        if framework.empty:
            return system_frame(None, self.start_time), framework
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
        """Returns all spans with the settings of data loaders; the given names are patterns."""
        spans = self._spans(self.start_time, FOREVER_US)
        if selected_framework_metrics:
            pattern = "|".join(f"(?:{one})" for one in selected_framework_metrics)
            spans = spans.where(spans.event.matching(pattern) | spans.phase.matching(pattern))
        return dataloader_frame(spans, self.start_time)

    def get_framework_metrics_by_timesteps(
        self, timestep_list: Sequence[str] = (), selected_framework_metrics: Sequence[str] = ()
    ) -> tuple[dict[str, float], dict[str, int], dict[str, int]]:
        """Returns the time in spans that are active at given times.

        By phase, relative to the largest; by name and by step phase, in microseconds.
        """
        moments = sorted(self.convert_datetime_to_timestamp(text) for text in timestep_list)
        if not moments:
            return {}, {}, {}
        spans = self._spans(moments[0], moments[-1], selected_framework_metrics)
        # The number of given times within each span, excluding its ends.
        hits = np.searchsorted(moments, spans.end_us, "left") - np.searchsorted(
            moments, spans.start_us, "right"
        )
        hits = np.maximum(hits, 0)
        of_steps = spans.phase.matching("Step")
        phases = _sums(spans.phase, hits * ~of_steps, spans)
        steps = _sums(spans.phase, hits * of_steps, spans)
        names = _sums(spans.event, hits * ~spans.event.matching("Step"), spans)
        return _shares(phases), names, steps

    def get_framework_metrics_by_begin_and_end_timesteps(
        self,
        begin_timestep_list: Sequence[str],
        end_timestep_list: Sequence[str],
        selected_framework_metrics: Sequence[str] = (),
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Returns the time in spans that overlap given intervals, by phase and by name.

        Values are relative to the largest.
        """
        to_us = self.convert_datetime_to_timestamp
        intervals = [
            (to_us(begin), to_us(end)) for begin, end in zip(begin_timestep_list, end_timestep_list)
        ]
        if not intervals:
            return {}, {}
        first, last = min(begin for begin, _ in intervals), max(end for _, end in intervals)
        spans = self._spans(first, last, selected_framework_metrics)
        hits = np.zeros(len(spans), dtype=np.int64)
        for begin, end in intervals:
            hits += (spans.end_us >= begin) & (spans.start_us <= end)
        hits *= ~spans.event.matching("Step")
        return _shares(_sums(spans.phase, hits, spans)), _shares(_sums(spans.event, hits, spans))

    def convert_datetime_to_timestamp(self, timestamp: str) -> int:
        """Converts a time as shown in the frames to microseconds since 1970."""
        moment = datetime.strptime(timestamp, "%Y-%m-%dT%H:%M:%S:%f")
        return convert_utc_datetime_to_microseconds(moment)

    def _system(self, start: float, end: float, selected: Sequence[str]) -> pd.DataFrame:
        columns = read_columns(self.system_metrics_reader, start, end)
        if selected:
            columns = columns.where(columns.name.among(selected))
        return system_frame(columns, self.start_time)

    def _framework(self, start: float, end: float, selected: Sequence[str]) -> pd.DataFrame:
        return framework_frame(self._spans(start, end, selected), self.start_time)

    def _spans(self, start: float, end: float, selected: Sequence[str] = ()) -> SpanColumns:
        """Returns the spans of a range with the given names or phases."""
        spans = self.framework_metrics_reader.get_columns(start, end, self.interval)
        if selected:
            spans = spans.where(spans.event.among(selected) | spans.phase.among(selected))
        return spans


def _sums(labels: Labels, hits: np.ndarray, spans: SpanColumns) -> dict[str, int]:
    """Returns the time in spans by label, each multiplied by its number of hits."""
    hit = np.flatnonzero(hits)
    return labels.where(hit).sums(hits[hit] * spans.duration_us[hit])


def _shares(values: dict[str, int]) -> dict[str, float]:
    largest = float(max(values.values(), default=0)) or 1.0
    return {key: value / largest for key, value in values.items()}
