"""Reads system metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.constants import DEFAULT_SYSTEM_PROFILER_PREFIX
from tensorwarden.profiler.common.filenames import (
    get_utctimestamp_us_since_epoch_from_system_profiler_file,
)
from tensorwarden.profiler.common.units import TimeUnits, convert_utc_timestamp_to_microseconds
from tensorwarden.profiler.reading.file_source import LocalFiles, S3Files
from tensorwarden.profiler.reading.reader import MetricsReaderBase
from tensorwarden.profiler.reading.system_columns import (
    SystemColumns,
    columns_of_folder,
    columns_of_text,
)
from tensorwarden.profiler.reading.system_events import ProfilerSystemEvent, ProfilerSystemEvents


class SystemMetricsReader(MetricsReaderBase):
    """Reads the system metrics of all nodes of a run."""

    _files_before = 1

    def __init__(self, use_in_memory_cache: bool = False):
        super().__init__(use_in_memory_cache)
        self._parser = ProfilerSystemEvents()

    def _time_of(self, path: str) -> int | None:
        return get_utctimestamp_us_since_epoch_from_system_profiler_file(path)

    def _get_event_parser(self, filename: str) -> ProfilerSystemEvents:
        return self._parser

    def get_all_event_parsers(self) -> list[ProfilerSystemEvents]:
        """Returns the parser."""
        return [self._parser]

    def _parse_content(self, parser: ProfilerSystemEvents, path: str, data: bytes) -> None:
        parser.read_events_from_text(data, path)

    def get_columns(
        self, start_us: float, end_us: float, event_type: str | None = None
    ) -> SystemColumns:
        """Returns the metrics in a time range, like `get_events`, without an object for each."""
        return SystemColumns.of_events(self.get_events(start_us, end_us, event_type=event_type))

    def _select(
        self, parser: ProfilerSystemEvents, start: float, end: float, event_type: str | None
    ) -> list[ProfilerSystemEvent]:
        return parser.get_events_within_time_range(start, end, TimeUnits.MICROSECONDS, event_type)


class LocalSystemMetricsReader(SystemMetricsReader):
    """Reads a run on disk, below `<trace_root_folder>/system/`."""

    def __init__(self, trace_root_folder: str, use_in_memory_cache: bool = False):
        super().__init__(use_in_memory_cache)
        self.trace_root_folder = trace_root_folder
        self._source = LocalFiles(trace_root_folder, [DEFAULT_SYSTEM_PROFILER_PREFIX])
        self.refresh_event_file_list()

    def get_columns(
        self, start_us: float, end_us: float, event_type: str | None = None
    ) -> SystemColumns:
        """Returns the metrics in a time range."""
        types = [] if event_type is None else [event_type]
        return columns_of_folder(self.trace_root_folder, start_us, end_us, types, self._buffer)

    def get_events(
        self,
        start_time: float,
        end_time: float,
        unit: TimeUnits = TimeUnits.MICROSECONDS,
        event_type: str | None = None,
        file_suffix_filter: Sequence[str] | None = None,
    ) -> list[ProfilerSystemEvent]:
        """Returns the metrics in a time range as objects."""
        if self._cache or file_suffix_filter:
            return super().get_events(start_time, end_time, unit, event_type, file_suffix_filter)
        start = convert_utc_timestamp_to_microseconds(start_time, unit)
        end = convert_utc_timestamp_to_microseconds(end_time, unit)
        return self.get_columns(start, end, event_type).events()


class S3SystemMetricsReader(SystemMetricsReader):
    """Reads a run in S3, below `<s3_trial_path>/system/`."""

    def __init__(self, s3_trial_path: str, use_in_memory_cache: bool = False):
        super().__init__(use_in_memory_cache)
        self.s3_trial_path = s3_trial_path
        self._source: Any = S3Files(s3_trial_path, [DEFAULT_SYSTEM_PROFILER_PREFIX])
        self.refresh_event_file_list()

    def get_columns(
        self, start_us: float, end_us: float, event_type: str | None = None
    ) -> SystemColumns:
        """Returns the metrics in a time range."""
        files = self._files_of_query(start_us, end_us)
        texts = [data for data in self._source.read(files) if data]
        types = [] if event_type is None else [event_type]
        columns, broken = columns_of_text(b"\n".join(texts), start_us, end_us, types)
        if broken:
            get_logger().error(f"skipped {broken} invalid lines of {self.s3_trial_path}")
        return columns
