"""System metrics."""

from tensorwarden.profiler.system_events import (
    ProfilerSystemEvent,
    ProfilerSystemEvents,
    SystemProfilerEventParser,
)

__all__ = [
    "ProfilerSystemEvent",
    "ProfilerSystemEvents",
    "SystemProfilerEventParser",
]
