"""Writes timelines."""

from tensorwarden.profiler.timeline_file import TimelineRecord
from tensorwarden.profiler.timeline_writer import TimelineFileWriter

__all__ = [
    "TimelineFileWriter",
    "TimelineRecord",
]
