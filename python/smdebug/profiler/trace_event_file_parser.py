"""Timelines."""

from tensorwarden.profiler.reading.trace_events import (
    ProcessInfo,
    ThreadInfo,
    TraceEvent,
    TraceEventParser,
)

__all__ = [
    "ProcessInfo",
    "ThreadInfo",
    "TraceEvent",
    "TraceEventParser",
]
