"""Reading system metrics."""

from __future__ import annotations

from typing import Any

from tensorwarden.profiler.constants import DEFAULT_SYSTEM_PROFILER_PREFIX
from tensorwarden.profiler.file_source import LocalFiles, S3Files
from tensorwarden.profiler.filenames import (
    get_utctimestamp_us_since_epoch_from_system_profiler_file,
)
from tensorwarden.profiler.reader import MetricsReaderBase
from tensorwarden.profiler.system_events import ProfilerSystemEvent, ProfilerSystemEvents
from tensorwarden.profiler.units import TimeUnits


class SystemMetricsReader(MetricsReaderBase):
    """System metrics of all nodes of a run."""

    _files_before = 1

    def __init__(self, use_in_memory_cache: bool = False):
        super().__init__(use_in_memory_cache)
        self._parser = ProfilerSystemEvents()

    def _time_of(self, path: str) -> int | None:
        return get_utctimestamp_us_since_epoch_from_system_profiler_file(path)

    def _get_event_parser(self, filename: str) -> ProfilerSystemEvents:
        return self._parser

    def get_all_event_parsers(self) -> list[ProfilerSystemEvents]:
        return [self._parser]

    def _parse_content(self, parser: ProfilerSystemEvents, path: str, data: bytes) -> None:
        parser.read_events_from_text(data.decode(), path)

    def _select(
        self, parser: ProfilerSystemEvents, start: float, end: float, event_type: str | None
    ) -> list[ProfilerSystemEvent]:
        return parser.get_events_within_time_range(start, end, TimeUnits.MICROSECONDS, event_type)


class LocalSystemMetricsReader(SystemMetricsReader):
    """Those of a run on disk, below `<trace_root_folder>/system/`."""

    def __init__(self, trace_root_folder: str, use_in_memory_cache: bool = False):
        super().__init__(use_in_memory_cache)
        self.trace_root_folder = trace_root_folder
        self._source = LocalFiles(trace_root_folder, [DEFAULT_SYSTEM_PROFILER_PREFIX])
        self.refresh_event_file_list()


class S3SystemMetricsReader(SystemMetricsReader):
    """Those of a run in S3, below `<s3_trial_path>/system/`."""

    def __init__(self, s3_trial_path: str, use_in_memory_cache: bool = False):
        super().__init__(use_in_memory_cache)
        self.s3_trial_path = s3_trial_path
        self._source: Any = S3Files(s3_trial_path, [DEFAULT_SYSTEM_PROFILER_PREFIX])
        self.refresh_event_file_list()
