"""Parsers for each kind of timeline."""

from tensorwarden.profiler.trace_sources import (
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
