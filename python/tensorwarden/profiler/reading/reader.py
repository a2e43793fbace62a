"""Base of the readers of system metrics and timelines: selects files by time and parses them."""

from __future__ import annotations

import json
from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.constants import (
    ENV_TIME_BUFFER,
    PYTHONTIMELINE_SUFFIX,
    TIME_BUFFER_DEFAULT,
)
from tensorwarden.profiler.common.environment import whole_number
from tensorwarden.profiler.common.units import TimeUnits, convert_utc_timestamp_to_microseconds
from tensorwarden.profiler.reading.file_source import LocalFiles, S3Files
from tensorwarden.profiler.reading.trace_sources import SMProfilerEvents


class MetricsReaderBase:
    """Returns events in a time range from the files of a run that may still be growing.

    With the in-memory cache, each file is parsed once and its events are kept. Without it, every
    query parses the files it needs.
    """

    # Files before the range that may contain events of it, because names contain the first time.
    _files_before = 0

    def __init__(self, use_in_memory_cache: bool = False):
        self._cache = use_in_memory_cache
        self._source: LocalFiles | S3Files | None = None
        self._files: dict[int, list[str]] = {}
        self._parsed: set[str] = set()
        self._buffer = whole_number(ENV_TIME_BUFFER, TIME_BUFFER_DEFAULT)

    @abstractmethod
    def _time_of(self, path: str) -> int | None:
        """Returns the time in a file's name in microseconds; None for a file of another kind."""
        raise NotImplementedError

    @abstractmethod
    def _get_event_parser(self, filename: str) -> Any:
        """Returns the parser for a file name; None if there is none."""
        raise NotImplementedError

    @abstractmethod
    def get_all_event_parsers(self) -> list[Any]:
        """Returns the parsers of all kinds of files."""
        raise NotImplementedError

    @abstractmethod
    def _parse_content(self, parser: Any, path: str, data: bytes) -> None:
        """Passes the content of a file to a parser."""
        raise NotImplementedError

    def _opened_source(self) -> LocalFiles | S3Files:
        if self._source is None:
            raise NotImplementedError("use a local or an S3 reader")
        return self._source

    def refresh_event_file_list(self) -> None:
        """Looks for new files."""
        for path in self._opened_source().list(self._time_of):
            time = self._time_of(path)
            if time is not None and path not in self._files.setdefault(time, []):
                self._files[time].append(path)

    def get_timestamp_of_first_available_file(self) -> int:
        """Returns the time in the name of the first file, in microseconds; 0 without files."""
        if not self._files:
            self.refresh_event_file_list()
        return min(self._files, default=0)

    def get_timestamp_of_latest_available_file(self) -> int:
        """Looks for new files; returns the time in the name of the last, in microseconds; 0 without
        files."""
        self.refresh_event_file_list()
        return max(self._files, default=0)

    def file_times(self) -> list[int]:
        """Returns the times in the names of the known files, in order."""
        return sorted(self._files)

    def get_current_time_range_for_event_query(self) -> tuple[int, int]:
        """Returns the first and last time in the names of the known files; (0, 0) without files."""
        return (min(self._files, default=0), max(self._files, default=0))

    def _files_for(self, start: float, end: float) -> list[str]:
        """Returns the files that may contain events of a range: those in or near it, and the next
        one."""
        times = sorted(self._files)
        first = max(0, bisect_left(times, start - self._buffer) - self._files_before)
        last = bisect_right(times, end + self._buffer) + 1
        return [path for time in times[first:last] for path in sorted(self._files[time])]

    def _files_of_query(self, start: float, end: float) -> list[str]:
        """Returns the same after looking for new files, if there may be new ones in the range."""
        if not self._files or end + self._buffer >= max(self._files):
            self.refresh_event_file_list()
        return self._files_for(start, end)

    def parse_event_files(self, event_files: Sequence[str]) -> None:
        """Parses new files. A file that cannot be read is reported and skipped."""
        wanted = [path for path in event_files if path not in self._parsed]
        for path, data in zip(wanted, self._opened_source().read(wanted)):
            self._parsed.add(path)
            parser = self._get_event_parser(path)
            if data is None or parser is None:
                get_logger().warning(f"skipped {path}: no data or unknown kind")
                continue
            try:
                self._parse_content(parser, path, data)
            except (ValueError, KeyError, TypeError, OSError, EOFError) as error:
                get_logger().error(f"skipped {path}: {error}")

    def get_events(
        self,
        start_time: float,
        end_time: float,
        unit: TimeUnits = TimeUnits.MICROSECONDS,
        event_type: str | None = None,
        file_suffix_filter: Sequence[str] | None = None,
    ) -> list[Any]:
        """Returns the events in a time range, from files with one of the suffixes."""
        start = convert_utc_timestamp_to_microseconds(start_time, unit)
        end = convert_utc_timestamp_to_microseconds(end_time, unit)
        files = self._files_of_query(start, end)
        if file_suffix_filter:
            files = [path for path in files if path.endswith(tuple(file_suffix_filter))]
        self.parse_event_files(files)
        found = [
            event
            for parser in self.get_all_event_parsers()
            for event in self._select(parser, start, end, event_type)
        ]
        if not self._cache:
            self._parsed.clear()
            for parser in self.get_all_event_parsers():
                parser.clear_events()
        return found

    @abstractmethod
    def _select(self, parser: Any, start: float, end: float, event_type: str | None) -> list[Any]:
        """Returns a parser's events in a time range (µs)."""
        raise NotImplementedError

    def get_events_by_step(
        self,
        start_step: int,
        end_step: int,
        event_type: str | None = None,
        file_suffix_filter: Sequence[str] | None = None,
    ) -> list[Any]:
        """Returns the events from the start of one step to the start of another."""
        start, end = self._get_time_interval_for_step(start_step, end_step)
        return self.get_events(start, end, TimeUnits.MICROSECONDS, event_type, file_suffix_filter)

    def _get_time_interval_for_step(self, start_step: int, end_step: int) -> tuple[float, float]:
        """Returns the time range of the steps in µs; (0, 0) if the timelines lack one of them."""
        self.refresh_event_file_list()
        files = [p for _, paths in sorted(self._files.items()) for p in sorted(paths)]
        files = [path for path in files if path.endswith(PYTHONTIMELINE_SUFFIX)]
        parser = SMProfilerEvents()
        for path, data in zip(files, self._opened_source().read(files)):
            try:
                parser.read_events_from_json_data(json.loads(data or b"[]"), "")
            except ValueError as error:
                get_logger().error(f"skipped {path}: {error}")
        begins: dict[str, float] = {}
        for event in parser.get_events_start_time_sorted():
            step = str((event.event_args or {}).get("step_num"))
            begins.setdefault(step, event.start_time)
        if str(start_step) not in begins or str(end_step) not in begins:
            return self._unknown_steps(start_step, end_step)
        return (begins[str(start_step)], begins[str(end_step)] - 1)

    @staticmethod
    def _unknown_steps(start_step: int, end_step: int) -> tuple[float, float]:
        get_logger().info(f"steps {start_step} and {end_step} are not both in the timelines")
        return (0, 0)
