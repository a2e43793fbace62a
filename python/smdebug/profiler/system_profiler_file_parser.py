"""System metrics."""

from tensorwarden.profiler.reading.system_events import (
    ProfilerSystemEvent,
    ProfilerSystemEvents,
    SystemProfilerEventParser,
)

__all__ = [
    "ProfilerSystemEvent",
    "ProfilerSystemEvents",
    "SystemProfilerEventParser",
]
