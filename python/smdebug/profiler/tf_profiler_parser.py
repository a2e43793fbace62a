"""Parsers for all kinds of timelines."""

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
