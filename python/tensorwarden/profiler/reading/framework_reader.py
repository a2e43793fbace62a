"""Reads timelines."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Sequence
from itertools import chain

from tensorwarden.profiler.common.constants import (
    DEFAULT_PREFIX,
    HOROVODTIMELINE_SUFFIX,
    MODELTIMELINE_SUFFIX,
    PYTHONTIMELINE_SUFFIX,
    SMDATAPARALLELTIMELINE_SUFFIX,
    TENSORBOARDTIMELINE_SUFFIX,
)
from tensorwarden.profiler.common.filenames import (
    get_node_id_from_tracefilename,
    get_timestamp_from_tracefilename,
    is_valid_tfprof_tracefilename,
    is_valid_tracefilename,
)
from tensorwarden.profiler.common.units import TimeUnits, convert_utc_timestamp_to_microseconds
from tensorwarden.profiler.reading.file_source import LocalFiles, S3Files
from tensorwarden.profiler.reading.reader import MetricsReaderBase
from tensorwarden.profiler.reading.span_columns import (
    SpanColumns,
    columns_of,
    events_of,
    joined,
    read_folder,
)
from tensorwarden.profiler.reading.trace_events import TraceEvent, TraceEventParser
from tensorwarden.profiler.reading.trace_sources import (
    HorovodProfilerEvents,
    SMDataParallelProfilerEvents,
    SMProfilerEvents,
    TensorboardProfilerEvents,
)


def no_type(event_type: str) -> TypeError:
    """Returns the error for a query by type."""
    return TypeError(f"event_type is '{event_type}'; expected None, because spans have no type")


FOLDERS = [DEFAULT_PREFIX, "framework/tensorflow/detailed_profiling"]


class AlgorithmMetricsReader(MetricsReaderBase):
    """Reads the spans of all timelines of a run."""

    def __init__(self, use_in_memory_cache: bool = False):
        super().__init__(use_in_memory_cache)
        self._parsers: dict[str, TraceEventParser] = {
            PYTHONTIMELINE_SUFFIX: SMProfilerEvents(),
            MODELTIMELINE_SUFFIX: SMProfilerEvents("DetailedframeworkMetrics"),
            TENSORBOARDTIMELINE_SUFFIX: TensorboardProfilerEvents(),
            HOROVODTIMELINE_SUFFIX: HorovodProfilerEvents(),
            SMDATAPARALLELTIMELINE_SUFFIX: SMDataParallelProfilerEvents(),
        }

    def _time_of(self, path: str) -> int | None:
        if is_valid_tracefilename(path) or is_valid_tfprof_tracefilename(path):
            return get_timestamp_from_tracefilename(path)
        return None

    def _get_event_parser(self, filename: str) -> TraceEventParser | None:
        return next((p for end, p in self._parsers.items() if filename.endswith(end)), None)

    def get_all_event_parsers(self) -> list[TraceEventParser]:
        """Returns the parsers of all kinds of timelines."""
        return list(self._parsers.values())

    def _parse_content(self, parser: TraceEventParser, path: str, data: bytes) -> None:
        if isinstance(parser, TensorboardProfilerEvents):
            parser.read_trace(json.loads(gzip.decompress(data)), path)
        else:
            parser.read_events_from_json_data(
                json.loads(data), get_node_id_from_tracefilename(path)
            )

    def _select(
        self, parser: TraceEventParser, start: float, end: float, event_type: str | None
    ) -> list[TraceEvent]:
        if event_type is not None:
            raise no_type(event_type)
        return parser.get_events_within_time_range(start, end)

    def get_columns(
        self, start_us: float, end_us: float, interval_us: float = math.inf
    ) -> SpanColumns:
        """Returns the spans that overlap a range, like `get_events`, without an object for each.

        Reads pieces of a limited length to keep few objects in memory.
        """
        self.refresh_event_file_list()
        borders = [start_us]
        for time in self.file_times():
            if time - borders[-1] >= interval_us and time < end_us:
                # A period without files is one piece, however long it is.
                borders += [time - interval_us, time]
        borders.append(end_us)
        pieces: list[SpanColumns] = []
        for begin, until in zip(borders, borders[1:]):
            piece = SpanColumns.of_events(self.get_events(begin, until))
            # Earlier spans are in the previous piece.
            pieces.append(piece.where(piece.start_us > begin) if pieces else piece)
        return joined(pieces)


class LocalAlgorithmMetricsReader(AlgorithmMetricsReader):
    """Reads a run on disk, below `<trace_root_folder>/framework/`."""

    def __init__(self, trace_root_folder: str, use_in_memory_cache: bool = False):
        super().__init__(use_in_memory_cache)
        self.trace_root_folder = trace_root_folder
        self._source = LocalFiles(trace_root_folder, FOLDERS)
        self.refresh_event_file_list()

    def get_columns(
        self, start_us: float, end_us: float, interval_us: float = math.inf
    ) -> SpanColumns:
        """Returns the spans that overlap a range."""
        return columns_of(read_folder(self.trace_root_folder, start_us, end_us, self._buffer))

    def get_events(
        self,
        start_time: float,
        end_time: float,
        unit: TimeUnits = TimeUnits.MICROSECONDS,
        event_type: str | None = None,
        file_suffix_filter: Sequence[str] | None = None,
    ) -> list[TraceEvent]:
        """Returns the spans that overlap a range as objects."""
        if event_type is not None:
            raise no_type(event_type)
        self.refresh_event_file_list()
        fine = any(map(is_valid_tfprof_tracefilename, chain(*self._files.values())))
        if self._cache or fine:
            # TensorFlow's times are finer than the microseconds of the tables.
            return super().get_events(start_time, end_time, unit, None, file_suffix_filter)
        start = convert_utc_timestamp_to_microseconds(start_time, unit)
        end = convert_utc_timestamp_to_microseconds(end_time, unit)
        suffixes = list(file_suffix_filter or ())
        folder = self.trace_root_folder
        return events_of(read_folder(folder, start, end, self._buffer, suffixes, args=True))

    def _get_time_interval_for_step(self, start_step: int, end_step: int) -> tuple[float, float]:
        folder, suffixes = self.trace_root_folder, [PYTHONTIMELINE_SUFFIX]
        spans = columns_of(read_folder(folder, -math.inf, math.inf, self._buffer, suffixes))
        found = [spans.start_us[spans.step == step] for step in (start_step, end_step)]
        if not all(len(starts) for starts in found):
            return self._unknown_steps(start_step, end_step)
        return (int(found[0].min()), int(found[1].min()) - 1)


class S3AlgorithmMetricsReader(AlgorithmMetricsReader):
    """Reads a run in S3, below `<s3_trial_path>/framework/`."""

    def __init__(self, s3_trial_path: str, use_in_memory_cache: bool = False):
        super().__init__(use_in_memory_cache)
        self.s3_trial_path = s3_trial_path
        self._source = S3Files(s3_trial_path, FOLDERS)
        self.refresh_event_file_list()
