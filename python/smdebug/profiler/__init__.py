"""Readers and parsers of profiler data."""

from tensorwarden.profiler.reading.framework_reader import (
    LocalAlgorithmMetricsReader,
    S3AlgorithmMetricsReader,
)
from tensorwarden.profiler.reading.reader import MetricsReaderBase
from tensorwarden.profiler.reading.system_events import (
    ProfilerSystemEvents,
    SystemProfilerEventParser,
)
from tensorwarden.profiler.reading.system_reader import (
    LocalSystemMetricsReader,
    S3SystemMetricsReader,
)
from tensorwarden.profiler.reading.trace_events import TraceEvent, TraceEventParser
from tensorwarden.profiler.reading.trace_sources import (
    HorovodProfilerEvents,
    SMDataParallelProfilerEvents,
    SMProfilerEvents,
    TensorboardProfilerEvents,
)

__all__ = [
    "HorovodProfilerEvents",
    "LocalAlgorithmMetricsReader",
    "LocalSystemMetricsReader",
    "MetricsReaderBase",
    "ProfilerSystemEvents",
    "S3AlgorithmMetricsReader",
    "S3SystemMetricsReader",
    "SMDataParallelProfilerEvents",
    "SMProfilerEvents",
    "SystemProfilerEventParser",
    "TensorboardProfilerEvents",
    "TraceEvent",
    "TraceEventParser",
]
