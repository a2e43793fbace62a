"""Parsers for all kinds of timelines."""

from tensorwarden.profiler.reading.trace_sources import (
    HorovodProfilerEvents,
    SMDataParallelProfilerEvents,
    SMProfilerEvents,
    TensorboardProfilerEvents,
)

__all__ = [
    "HorovodProfilerEvents",
    "SMDataParallelProfilerEvents",
    "SMProfilerEvents",
    "TensorboardProfilerEvents",
]
