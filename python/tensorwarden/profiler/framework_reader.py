"""Reading timelines."""

from __future__ import annotations

import gzip
import json

from tensorwarden.profiler.constants import (
    DEFAULT_PREFIX,
    HOROVODTIMELINE_SUFFIX,
    MODELTIMELINE_SUFFIX,
    PYTHONTIMELINE_SUFFIX,
    SMDATAPARALLELTIMELINE_SUFFIX,
    TENSORBOARDTIMELINE_SUFFIX,
)
from tensorwarden.profiler.file_source import LocalFiles, S3Files
from tensorwarden.profiler.filenames import (
    get_node_id_from_tracefilename,
    get_timestamp_from_tracefilename,
    is_valid_tfprof_tracefilename,
    is_valid_tracefilename,
)
from tensorwarden.profiler.reader import MetricsReaderBase
from tensorwarden.profiler.trace_events import TraceEvent, TraceEventParser
from tensorwarden.profiler.trace_sources import (
    HorovodProfilerEvents,
    SMDataParallelProfilerEvents,
    SMProfilerEvents,
    TensorboardProfilerEvents,
)

FOLDERS = [DEFAULT_PREFIX, "framework/tensorflow/detailed_profiling"]


class AlgorithmMetricsReader(MetricsReaderBase):
    """Spans of all timelines of a run."""

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
            raise TypeError(f"event_type is '{event_type}': spans have no type to choose by")
        return parser.get_events_within_time_range(start, end)


class LocalAlgorithmMetricsReader(AlgorithmMetricsReader):
    """Those of a run on disk, below `<trace_root_folder>/framework/`."""

    def __init__(self, trace_root_folder: str, use_in_memory_cache: bool = False):
        super().__init__(use_in_memory_cache)
        self.trace_root_folder = trace_root_folder
        self._source = LocalFiles(trace_root_folder, FOLDERS)
        self.refresh_event_file_list()


class S3AlgorithmMetricsReader(AlgorithmMetricsReader):
    """Those of a run in S3, below `<s3_trial_path>/framework/`."""

    def __init__(self, s3_trial_path: str, use_in_memory_cache: bool = False):
        super().__init__(use_in_memory_cache)
        self.s3_trial_path = s3_trial_path
        self._source = S3Files(s3_trial_path, FOLDERS)
        self.refresh_event_file_list()
